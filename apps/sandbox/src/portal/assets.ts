/** The portal's script: every page works without it, but for the live board. */
export const portalScript = `'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  for (const element of document.querySelectorAll('.only-script')) element.hidden = false;

  // The answer of the bank, behind the #.
  const callback = byId('callback');
  if (callback && location.hash.length > 1) {
    byId('answer').value = location.hash;
    history.replaceState(null, '', location.pathname);
    callback.requestSubmit();
  }

  // The problems of a CSV come first, and each leads to its line.
  const csv = byId('csv');
  byId('faults')?.focus();
  for (const link of document.querySelectorAll('a[data-line]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const lines = csv.value.split('\\n');
      const line = Number(link.dataset.line) - 1;
      const start = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);
      csv.focus();
      csv.setSelectionRange(start, start + (lines[line] ?? '').length);
      csv.scrollTop = Math.max(0, (line - 3) * (csv.scrollHeight / lines.length));
    });
  }
  // Spreadsheets save UTF-16, too, with a mark at the beginning.
  const textOf = (buffer) => {
    const [first, second] = new Uint8Array(buffer);
    const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
    return new TextDecoder(encoding).decode(buffer);
  };
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
      setTimeout(() => { label.data = 'Copy'; }, 1500);
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
  events.onopen = () => tell('Live', true);
  events.onerror = () => {
    tell('The sandbox does not answer. Trying again …', false);
    // The browser tries again by itself, unless the sandbox has restarted and no longer knows what is shown here.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 2000);
  };
  for (const id of ['consents', 'run', 'sent']) {
    events.addEventListener(id, ({ data }) => { byId(id).innerHTML = data; });
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
  events.addEventListener('end', () => { events.close(); });
})();
`;

/** Contrast of text at least 4.5 to 1, in the light and in the dark. */
export const portalStyle = `:root{color-scheme:light dark;--ink:#14202e;--soft:#46566a;--paper:#fff;--tint:#f1f5f9;--line:#66758a;--deep:#0b3d66;--on-deep:#fff;
--good:#146c36;--bad:#a4161a;--pending:#c3ccd6;--settling:#e2a400;--settled:#1f9d55;--accepted:#3b82c4;--rejected:#c8262b}
@media(prefers-color-scheme:dark){:root{--ink:#e8edf3;--soft:#b6c2cf;--paper:#101820;--tint:#1a2530;--line:#7f8fa1;--deep:#8cc4f0;--on-deep:#0c1a26;
--good:#7fd8a0;--bad:#ff9a94;--pending:#4a5866;--settled:#35b36d;--accepted:#5c9fdc;--rejected:#e5534f}}
*{box-sizing:border-box}
body{font:1.0625rem/1.5 system-ui,sans-serif;margin:0;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
header,main,footer{width:min(73rem,100% - 2rem);margin:0 auto}
header{border-bottom:1px solid var(--line);padding-top:.5rem}
.brand{margin:.25rem 0}.brand span,.more,.id,footer,.counts{color:var(--soft)}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:0 1.25rem;margin:0;padding:0}
nav a{display:inline-block;padding:.4rem 0}nav a[aria-current]{font-weight:700;text-decoration:none;box-shadow:inset 0 -3px var(--deep)}
a{color:var(--deep)}h1{font-size:1.9rem;line-height:1.2;margin:1.25rem 0 .75rem}h2{font-size:1.3rem;margin:1.5rem 0 .5rem}h3{font-size:1.05rem;margin:1rem 0 .25rem}
.lead{font-size:1.15rem;max-width:46rem}p,li{max-width:60rem}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.5rem}
:focus-visible{outline:3px solid var(--deep);outline-offset:2px}main:focus{outline:none}
button,select,input[type=file]{font:inherit;min-height:2.5rem}
button{padding:.25rem 1rem;border:2px solid var(--deep);border-radius:.4rem;background:var(--paper);color:var(--deep);font-weight:600;cursor:pointer}
button.main{background:var(--deep);color:var(--on-deep)}button.copy{min-height:1.75rem;padding:0 .6rem;font-size:.9rem}
textarea,input:not([type]){font:.95rem/1.45 ui-monospace,monospace;width:100%;padding:.5rem;border:1px solid var(--line);border-radius:.4rem;background:var(--paper);color:var(--ink)}
label,legend,dt{font-weight:600}fieldset{border:1px solid var(--line);border-radius:.4rem;margin:0 0 1rem;padding:.25rem 1rem;min-width:0}fieldset p{display:flex;gap:.6rem;align-items:center;margin:.5rem 0}fieldset label{font-weight:400}
select,input[type=file]{max-width:100%}select{padding:0 .5rem;border:1px solid var(--line);border-radius:.4rem;background:var(--paper);color:var(--ink)}
input[type=radio]{width:1.25rem;height:1.25rem;margin:0;flex:none;accent-color:var(--deep)}
input::file-selector-button{font:inherit;font-weight:600;margin-right:.6rem;padding:.3rem 1rem;border:2px solid var(--deep);border-radius:.4rem;background:var(--paper);color:var(--deep);cursor:pointer}
.samples{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:.75rem 0}.samples p{margin:0;font-weight:600}.samples ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:0;padding:0}
.samples a{display:inline-block;min-height:1.5rem}
code,pre{font:.95em/1.45 ui-monospace,monospace}code{background:var(--tint);padding:.1em .3em;border-radius:.25rem}
pre{background:var(--tint);padding:.75rem;border-radius:.4rem;white-space:pre-wrap;overflow:auto;max-height:16rem}
.problem,.note{border-left:.35rem solid var(--bad);background:var(--tint);padding:.25rem 1rem;margin:1rem 0}.note{border-color:var(--deep);padding:.75rem 1rem}.problem h2{margin-top:.5rem;color:var(--bad)}
ul.plain,ol.plain{list-style:none;padding:0;margin:.25rem 0 .75rem}
.steps{list-style-position:inside;padding:0;margin:1rem 0;display:grid;gap:.35rem}
@media(min-width:60rem){.steps{grid-template-columns:repeat(5,1fr)}.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 3rem}.board{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:0 2rem}}
.steps li{padding:.5rem .75rem;background:var(--tint);border-top:.3rem solid var(--pending)}.steps .done{border-color:var(--settled)}.steps .next{border-color:var(--deep);font-weight:700}
.tick{color:var(--good);font-weight:700}.tick::before{content:"\\2713\\00a0"}
dl{margin:.5rem 0}dd{margin:0 0 .35rem}.facts{display:flex;flex-wrap:wrap;gap:.5rem 2rem}.facts dd{font-size:1.05rem}
details{margin:.5rem 0}summary{cursor:pointer;color:var(--deep);font-weight:600;min-height:1.5rem}
.cells{display:grid;grid-template-columns:repeat(auto-fill,minmax(.85rem,1fr));gap:.2rem;max-width:38rem;margin:.5rem 0}
.cells i{aspect-ratio:1;border-radius:.2rem;background:var(--pending)}
.cells .settling{background:var(--settling)}.cells .settled{background:var(--settled)}.cells .accepted{background:var(--accepted)}.cells .rejected{background:var(--rejected)}
.requests,.consents{list-style:none;padding:0;margin:.5rem 0}.request,.consents li{padding:.5rem 0;border-top:1px solid var(--line)}.consents p{margin:.15rem 0}
.request{display:grid;grid-template-columns:3.25rem minmax(0,1fr) 2.5rem 4.5rem;gap:0 .75rem;font-size:.95rem}.method{font-weight:700}.path{font-family:ui-monospace,monospace;font-size:.9rem}
.status{font-weight:700;color:var(--good)}.status,.time{text-align:right;font-variant-numeric:tabular-nums}.status.bad,.wrong{color:var(--bad)}.good{color:var(--good)}.more,.request details{grid-column:2/-1}
@media(max-width:40rem){.request{grid-template-columns:3.25rem auto 1fr}.status{text-align:left}.path,.more,.request details{grid-column:1/-1}.path{order:1}.more{order:2}.request details{order:3}}
.more,.id{font-size:.85rem}.id{font-family:ui-monospace,monospace}
.state{display:inline-block;border:1px solid var(--line);border-radius:1rem;padding:0 .7rem;font-size:.9rem}.state.Authorised,.state.Consumed,.state.InitiationCompleted{border-color:var(--good);color:var(--good)}.state.Rejected,.state.InitiationFailed{border-color:var(--bad);color:var(--bad)}
.live{display:flex;gap:.5rem;align-items:center;font-weight:600}.live::before{content:"";width:.75rem;height:.75rem;border-radius:50%;background:var(--bad)}.live.on::before{background:var(--settled)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:1rem}.card{border:1px solid var(--line);border-radius:.5rem;padding:0 1rem 1rem}.card h2{margin-top:.75rem}.card .facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.35rem .75rem;align-items:center}.card .facts div{display:contents}.card .facts dd{margin:0}
.card form p{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}.card form label{flex-basis:100%}.card select{flex:1 1 8rem;min-width:0}

.inline{display:inline}.stack>p{margin:.75rem 0}.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}[hidden]{display:none!important}
footer .links{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0}footer{margin-top:3rem;border-top:1px solid var(--line);padding-bottom:2rem;font-size:.9rem}
@media(prefers-reduced-motion:no-preference){.cells i{transition:background-color .4s}}
`;
