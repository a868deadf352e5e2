import { describe, expect, it } from '@jest/globals';
import { sentencesOf } from './html-page.js';

describe('what a page says', () => {
  it.each([
    [
      'an error page',
      '<title>Bank</title><h1>Bank</h1><div id="error"><h1>No &amp; no</h1><p class="lead">It <b>ended</b>.</p>' +
        '<span hidden id="error-code">Expired</span><p>For developers: later.</p></div><p>Footer</p>',
      'No & no: It ended. For developers: later. (Expired)',
    ],
    [
      'a form with a problem',
      '<h1>Pay</h1><p>Choose.</p><div id="error"><h2>There is a problem</h2><p><a href="#x">Choose another.</a></p></div>',
      'There is a problem: Choose another.',
    ],
    [
      'the end of a journey',
      '<p>Brand</p><h1>Too late</h1><div id="outcome"><p>It ended.</p><span id="error" hidden><span id="error-code">Late</span></span></div><p>Help</p>',
      'Too late: It ended. (Late)',
    ],
    ['another server', '<html><title>502 Bad Gateway</title><body>nginx</body></html>', '502 Bad Gateway'],
    ['nothing', '', ''],
  ])('%s', (_title, html, said) => {
    expect(sentencesOf(html)).toBe(said);
  });
});
