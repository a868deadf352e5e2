import { html, type Html } from '#libs/http-server';
import { formToken } from './layout.js';

/**
 * For a form of a page that was opened before the sandbox restarted: nothing was done, and the CSV is not lost.
 * @param form that was sent
 */
export function oldFormContent(form: URLSearchParams, token: string): Html {
  const csv = form.get('csv');
  return html`<p id="old-form">
      You opened that page before the sandbox restarted, so nothing was done. The portal forgets its runs when the
      sandbox stops; the bank keeps its consents and payments.
    </p>
    ${
      csv !== null &&
      html`<form method="post" action="/runs">
        ${formToken(token)}<input type="hidden" name="csv" value="${csv}" />
        <input type="hidden" name="version" value="${form.get('version') ?? ''}" />
        <button id="send-again" class="main">Make the payment file from the same CSV</button>
      </form>`
    }
    <p><a href="/">Start a new run</a> · <a href="/board">Open the live board</a></p>`;
}
