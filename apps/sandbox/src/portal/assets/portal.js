// Every page but the live board works without it.
'use strict';
const byId = (id) => document.getElementById(id);

// Spreadsheets may also save UTF-16, with a byte order mark.
const textOf = (buffer) => {
  const [first, second] = new Uint8Array(buffer);
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(buffer);
};

(() => {
  for (const element of document.querySelectorAll('.only-script')) element.hidden = false;

  // The answer of the bank, behind the #.
  const callback = byId('callback');
  if (callback && location.hash.length > 1) {
    byId('answer').value = location.hash;
    history.replaceState(null, '', location.pathname);
    callback.requestSubmit();
  }

  // The problems of a CSV get the focus, and each links to its line.
  const csv = byId('csv');
  byId('faults')?.focus();
  for (const link of document.querySelectorAll('a[data-line]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const lines = csv.value.split('\n');
      const line = Number(link.dataset.line) - 1;
      const start = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);
      csv.focus();
      csv.setSelectionRange(start, start + (lines[line] ?? '').length);
      csv.scrollTop = Math.max(0, (line - 3) * (csv.scrollHeight / lines.length));
    });
  }
  byId('csv-file')?.addEventListener('change', async (event) => {
    const [file] = event.target.files;
    if (file && file.size <= 131072) csv.value = textOf(await file.arrayBuffer());
    else if (file) alert('The file is longer than 128 KB.');
  });

  for (const button of document.querySelectorAll('button.copy')) {
    button.hidden = false;
    const label = button.firstChild;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      label.data = 'Copied';
      setTimeout(() => {
        label.data = 'Copy';
      }, 1500);
    });
  }

  const { stream } = document.body.dataset;
  if (!stream) return;
  const state = byId('stream-state');
  const tell = (text, isLive) => {
    if (!state || state.textContent === text) return;
    state.textContent = text;
    state.classList.toggle('on', isLive);
  };
  const events = new EventSource(stream);
  events.addEventListener('open', () => tell('Live', true));
  events.addEventListener('error', () => {
    tell('The sandbox does not answer. Trying again …', false);
    // The browser tries again by itself, unless the sandbox has restarted and no longer knows this page's run.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 2000);
  });
  for (const id of ['consents', 'run', 'sent']) {
    events.addEventListener(id, ({ data }) => {
      byId(id).innerHTML = data;
    });
  }
  const most = 200;
  events.addEventListener('request', ({ data }) => {
    const list = byId('requests');
    const item = document.createElement('template');
    item.innerHTML = data;
    const { number } = item.content.firstElementChild.dataset;
    if (list.querySelector('[data-number="' + number + '"]')) return;
    list.prepend(item.content);
    while (list.children.length > most) list.lastElementChild.remove();
    byId('no-requests').hidden = true;
  });
  events.addEventListener('end', () => {
    events.close();
  });
})();
