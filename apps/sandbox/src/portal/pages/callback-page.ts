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
