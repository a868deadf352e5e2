import { bodilessStatuses, type CataloguedError, errorPagesPath, statusPhrases } from '#libs/error-catalogue';
import { type Html, html } from '#libs/http-server';

/** @returns the content of the page with all codes */
export function renderErrorList(catalogue: readonly CataloguedError[]): Html {
  const groups = [
    ['Codes of the resource APIs', 'ErrorCode in Errors of an OBErrorResponse1', 'ErrorCode'],
    ['Codes of OAuth 2.0, OpenID Connect and registration', 'error of the answer, or in the redirect', 'error'],
    ["Codes of the customer's pages", 'error code on the page, which also shows codes of OAuth', 'error-code'],
  ] as const;
  return html`<h1>Errors</h1>
    <p class="lead">
      Every error code of this service. Each answer has the address of its entry: in <code>Url</code> of an
      <code>OBError1</code>, in <code>error_uri</code> of an OAuth error.
    </p>
    ${groups.map(
      ([heading, hint, member]) =>
        html`<h2>${heading}</h2>
          <p class="hint">${hint}</p>
          <div class="scroll-region" tabindex="0" role="region" aria-label="${heading}">
            <table>
              <thead>
                <tr>
                  <th scope="col">Code</th>
                  <th scope="col">Status</th>
                  <th scope="col">Meaning</th>
                </tr>
              </thead>
              <tbody>
                ${catalogue.filter((error) => error.member === member).map(renderRow)}
              </tbody>
            </table>
          </div> `,
    )}
    <h2>Statuses without a body</h2>
    <dl>
      ${bodilessStatuses.map(
        ([status, text]) =>
          html`<div>
            <dt>
              <a href="/${errorPagesPath}/${status}"><code>${status}</code></a>
            </dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
    <p>
      Every answer has an <code>x-fapi-interaction-id</code>. Quote it when you ask the bank about a request: it leads
      its staff to everything that happened.
    </p>`;
}

function renderRow({ code, statuses, meaning }: CataloguedError): Html {
  const status = statuses.length === 0 ? 'redirect' : statuses.join(', ');
  return html`<tr>
    <th scope="row">
      <a href="/${errorPagesPath}/${code}"><code>${code}</code></a>
    </th>
    <td>${status}</td>
    <td>${meaning}</td>
  </tr> `;
}

const places: Readonly<Record<CataloguedError['member'], Html>> = {
  ErrorCode: html`<code>ErrorCode</code> in the body`,
  error: html`<code>error</code> in the body, in the redirect to the client, or on the customer's page`,
  'error-code': html`only on the customer's page, as <code>#error-code</code>; the client does not get it`,
};

/** @returns the content of the page of one code */
export function renderErrorEntry(error: CataloguedError): Html {
  const { code, member, statuses, areas, meaning, causes, remedies, sections } = error;
  const where = statuses.map((status) => `${status} ${statusPhrases[status]}`);
  return html`<p class="step"><a href="/${errorPagesPath}">Errors</a></p>
    <h1><code>${code}</code></h1>
    <p class="lead">${meaning}</p>
    <dl>
      <div>
        <dt>HTTP status</dt>
        <dd>${where.length === 0 ? 'none: it is in the redirect to the client' : where.join(', ')}</dd>
      </div>
      <div>
        <dt>Where</dt>
        <dd>${places[member]}</dd>
      </div>
      <div>
        <dt>Area</dt>
        <dd>${areas.join(', ')}</dd>
      </div>
    </dl>
    <section>
      <h2>When it occurs</h2>
      <ul>
        ${causes.map((cause) => html`<li>${cause}</li>`)}
      </ul>
    </section>
    <section>
      <h2>What to do</h2>
      <ul>
        ${remedies.map((remedy) => html`<li>${remedy}</li>`)}
      </ul>
    </section>
    <section>
      <h2>In the standard</h2>
      <ul>
        ${sections.map(({ title, url }) =>
          url === undefined ? html`<li>${title}</li>` : html`<li><a href="${url}" rel="noreferrer">${title}</a></li>`,
        )}
      </ul>
    </section>`;
}

/** Statuses that have a page. */
export const errorStatuses: readonly string[] = Object.keys(statusPhrases);

/**
 * @param status one of {@link errorStatuses}
 * @returns the content of the page of one status: when it has no body, and its codes
 */
export function renderStatus(status: string, catalogue: readonly CataloguedError[]): Html {
  const empty = bodilessStatuses.filter(([each]) => each === status);
  const coded = catalogue.filter(({ statuses }) => statuses.includes(Number(status)));
  return html`<p class="step"><a href="/${errorPagesPath}">Errors</a></p>
    <h1>${status} ${statusPhrases[Number(status)]}</h1>
    ${empty.map(
      ([, text]) =>
        html`<section>
          <h2>Without a body</h2>
          <p>${text}</p>
        </section>`,
    )}
    ${
      coded.length === 0
        ? html``
        : html`<section>
            <h2>With a code</h2>
            <dl>
              ${coded.map(
                ({ code, meaning }) =>
                  html`<div>
                    <dt>
                      <a href="/${errorPagesPath}/${code}"><code>${code}</code></a>
                    </dt>
                    <dd>${meaning}</dd>
                  </div>`,
              )}
            </dl>
          </section>`
    }`;
}

/** @returns the content of the page for an unknown code */
export function renderUnknownError(): Html {
  return html`<h1>There is no such error code</h1>
    <p class="lead"><a href="/${errorPagesPath}">All error codes</a></p>`;
}
