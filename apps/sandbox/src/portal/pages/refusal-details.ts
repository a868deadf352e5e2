import type { ExplainedRefusal } from '#libs/error-catalogue';
import { html, type Html } from '#libs/http-server';

/** Why a request was refused: rule, section of the standard, what was expected, what came, and the fix. */
export function refusalDetails({ reason, findings, interaction_id: id }: ExplainedRefusal): Html {
  const items = findings.map(
    ({ title, section, expected, got, fix }) =>
      html`<li>
        <strong>${title}</strong>
        <dl>
          <dt>Standard</dt>
          <dd>${section}</dd>
          <dt>Expected</dt>
          <dd>${expected}</dd>
          <dt>Got</dt>
          <dd>${got}</dd>
          <dt>Fix</dt>
          <dd>${fix}</dd>
        </dl>
      </li>`,
  );
  return html`<details>
    <summary>Why</summary>
    <p>${reason}</p>
    <ul class="plain">
      ${items}
    </ul>
    <p>Interaction id <code class="long">${id}</code></p>
  </details>`;
}
