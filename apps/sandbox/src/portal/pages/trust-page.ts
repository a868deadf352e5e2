import type { TrustStep } from '../../trust/trust-steps.js';
import { html, type Html } from '../html.js';
import { copyable } from './layout.js';

/** Which warning to expect, what it means, and how a browser comes to trust the sandbox. */
export function trustContent(options: {
  steps: { trust: readonly TrustStep[]; undo: readonly TrustStep[] };
  fingerprint: string;
  bankUrl: string;
  apiUrl: string;
}): Html {
  const { steps, fingerprint, bankUrl, apiUrl } = options;
  return html`<p class="lead">
      The bank’s pages use HTTPS, as a bank’s must. Their certificate comes from the sandbox’s own certificate
      authority, which no browser knows. You can either accept the warning once or trust that authority.
    </p>
    <section aria-labelledby="accept">
      <h2 id="accept">Accept the warning</h2>
      <ul>
        <li>
          Chrome, Edge: “Your connection is not private” (<code>NET::ERR_CERT_AUTHORITY_INVALID</code>). Choose
          Advanced, then Proceed to localhost.
        </li>
        <li>
          Firefox: “Warning: Potential Security Risk Ahead” (<code>SEC_ERROR_UNKNOWN_ISSUER</code>). Choose Advanced,
          then Accept the Risk and Continue; it asks once for each port.
        </li>
        <li>Safari: “This Connection Is Not Private”. Choose Show Details, then visit this website.</li>
      </ul>
      <p>
        The warning appears at <code>${bankUrl}</code> and at <code>${apiUrl}</code>, which serves the API docs. Both
        are on this machine. Accept it nowhere else.
      </p>
    </section>
    <section aria-labelledby="trust">
      <h2 id="trust">Or trust the authority</h2>
      <p>
        This command prints the steps for your system and changes nothing:
        ${copyable('npm run sandbox -- trust', 'command')}
      </p>
      ${stepList(steps.trust)}
      <p>
        <a href="/certificate-authority.pem">Download the certificate</a>; its SHA-256 fingerprint is
        <code class="long" id="fingerprint">${fingerprint}</code>.
      </p>
      <p class="note">
        Whoever can read the authority’s key in the sandbox’s folder can sign for any site that your browser then
        believes. The key never leaves the folder and only you can read it. Trust it in a browser profile of its own if
        you can, and take the trust back when you are done.
      </p>
    </section>
    <section aria-labelledby="undo">
      <h2 id="undo">Take the trust back</h2>
      <p>${copyable('npm run sandbox -- trust --undo', 'command that undoes it')}</p>
      ${stepList(steps.undo)}
      <p>
        While the authority is trusted, the bank’s pages tell the browser to use HTTPS for every port of
        <code>localhost</code> (HSTS). If other pages of yours on <code>localhost</code> then fail: in Chrome open
        <code>chrome://net-internals/#hsts</code> and delete <code>localhost</code>; in Firefox forget the site in the
        history.
      </p>
    </section>`;
}

function stepList(steps: readonly TrustStep[]): Html {
  return html`<ul>
    ${steps.map(
      ({ title, command }) =>
        html`<li>
          ${title}${command !== undefined && html`<pre tabindex="0" aria-label="Command for ${title}">${command}</pre>`}
        </li>`,
    )}
  </ul>`;
}
