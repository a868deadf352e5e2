// Asks every three seconds whether the wait for the bank's app is over, and then goes on. Without script the page
// reloads itself.
(() => {
  const { status, own } = document.querySelector('script[data-status]').dataset;
  const ask = async () => {
    try {
      const answer = await fetch(status, { credentials: 'same-origin', redirect: 'error', cache: 'no-store' });
      if (answer.ok && (await answer.text()) === 'Pending') return void setTimeout(ask, 3000);
    } catch {
      // The page itself shows the fault.
    }
    location.replace(own);
  };
  setTimeout(ask, 3000);
})();
