import { html, type Html } from '#libs/http-server';
import { formToken } from './layout.js';

/**
 * The answer of the hybrid flow is behind the `#`, which browsers do not send (OAuth 2.0 Multiple Response Types s5).
 * The script sends it on; without script a person does.
 * @param query what came before the `#`, if anything
 */
export function callbackContent(token: string, query: string): Html {
  return html`<p class="lead">
      You are back from the bank. Its answer is in the address of this page, after the #, where only your browser can
      read it.
    </p>
    <form method="post" action="/callback" id="callback" class="stack">
      ${formToken(token)}
      <p>
        <label for="answer">Without JavaScript, copy the whole address of this page and paste it here</label>
        <input id="answer" name="answer" value="${query}" autocomplete="off" spellcheck="false" />
      </p>
      <p><button id="send-answer" class="main">Continue</button></p>
    </form>`;
}

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
