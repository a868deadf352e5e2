import type { TrustStep } from '../../trust/trust-steps.js';
import { html, type Html } from '#libs/http-server';
import { copyable } from './layout.js';

/** Which warning to expect, what it means, and how to make a browser trust the sandbox. */
export function trustContent(options: {
  steps: { trust: readonly TrustStep[]; undo: readonly TrustStep[] };
  fingerprint: string;
  bankUrl: string;
  apiUrl: string;
}): Html {
  const { steps, fingerprint, bankUrl, apiUrl } = options;
  return html`<p class="lead">
      The bank’s pages use HTTPS. Their certificate comes from the sandbox’s own certificate authority (CA), which no
      browser knows, so your browser warns you. Either accept the warning once, or trust the CA.
    </p>
    <section aria-labelledby="accept">
      <h2 id="accept">Accept the warning</h2>
      <ul>
        <li>
          Chrome, Edge: “Your connection is not private” (<code>NET::ERR_CERT_AUTHORITY_INVALID</code>). Select
          Advanced, then Proceed to localhost.
        </li>
        <li>
          Firefox: “Warning: Potential Security Risk Ahead” (<code>SEC_ERROR_UNKNOWN_ISSUER</code>). Select Advanced,
          then Accept the Risk and Continue. Firefox asks once for each port.
        </li>
        <li>Safari: “This Connection Is Not Private”. Select Show Details, then visit this website.</li>
      </ul>
      <p>
        Expect the warning at <code>${bankUrl}</code> (the bank’s pages) and at <code>${apiUrl}</code> (the API
        reference). Both are on this machine. Never accept such a warning for a site on the internet.
      </p>
    </section>
    <section aria-labelledby="trust">
      <h2 id="trust">Or trust the CA</h2>
      <p>
        This command prints the steps for your system, and changes nothing itself:
        ${copyable('npm run sandbox -- trust', 'command')}
      </p>
      ${stepList(steps.trust)}
      <p>
        <a href="/certificate-authority.pem">Download the certificate</a>. Its SHA-256 fingerprint is
        <code class="long" id="fingerprint">${fingerprint}</code>.
      </p>
      <p class="note">
        Anyone who has the CA’s private key can impersonate any site to a browser that trusts the CA. The key stays in
        the sandbox’s folder, and only you can read it. If you can, trust the CA in a separate browser profile. Stop
        trusting it when you are done.
      </p>
    </section>
    <section aria-labelledby="undo">
      <h2 id="undo">Stop trusting the CA</h2>
      <p>This command prints the steps: ${copyable('npm run sandbox -- trust --undo', 'command that undoes it')}</p>
      ${stepList(steps.undo)}
      <p>
        While your browser trusts the CA, the bank’s pages make it use HTTPS on every port of
        <code>localhost</code> (HSTS). If other pages on <code>localhost</code> then fail, clear this: in Chrome, open
        <code>chrome://net-internals/#hsts</code> and delete <code>localhost</code>; in Firefox, forget the site in the
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
