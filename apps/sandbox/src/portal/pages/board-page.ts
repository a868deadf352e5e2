import { inPounds } from '../../../../tpp/src/in-pounds.js';
import { html, type Html } from '#libs/http-server';
import type { LedgerEntry } from '../live/consent-ledger.js';
import type { AnsweredRequest } from '../live/request-journal.js';
import { paymentCells } from './payment-cells.js';
import { refusalDetails } from './refusal-details.js';

/** Everything that happens in the sandbox, of all TPPs. */
export function boardContent(options: {
  ledger: readonly LedgerEntry[];
  requests: readonly AnsweredRequest[];
  nameOf: (softwareId: string) => string;
}): Html {
  const { ledger, requests, nameOf } = options;
  return html`<p class="lead">
      Every consent and every request, as it happens: from this portal, from <code>npm run tpp</code>, or from a TPP of
      your own.
    </p>
    <p class="only-script live" id="stream-state" role="status" hidden>Connecting …</p>
    <noscript><p>Without JavaScript, reload the page to see what is new.</p></noscript>
    <div class="board">
      <section aria-labelledby="consents-title">
        <h2 id="consents-title">Consents and payments</h2>
        <div id="consents">${consentList(ledger)}</div>
      </section>
      <section aria-labelledby="requests-title">
        <h2 id="requests-title">Requests</h2>
        <p id="no-requests" ${requests.length > 0 && html` hidden`}>None since the sandbox started.</p>
        <ol id="requests" class="requests">
          ${requests.map((request) => requestItem(request, nameOf))}
        </ol>
      </section>
    </div>`;
}

export function consentList(ledger: readonly LedgerEntry[]): Html {
  if (ledger.length === 0) return html`<p>There is no consent yet. <a href="/">Pay some suppliers</a>.</p>`;
  return html`<ol class="consents">
    ${ledger.map(consentItem)}
  </ol>`;
}

function consentItem(entry: LedgerEntry): Html {
  const { consentId, tpp, status, numberOfTransactions: count, controlSum, fileStatus, payments } = entry;
  const size = [
    count === undefined ? undefined : count === 1 ? '1 payment' : `${count} payments`,
    controlSum === undefined ? undefined : inPounds(controlSum),
  ].filter((part) => part !== undefined);
  return html`<li>
    <p><strong>${tpp}</strong> ${size.join(', ')}</p>
    <p>
      <span class="state ${status}">${status}</span
      >${fileStatus !== undefined && html` <span class="state ${fileStatus}">${fileStatus}</span>`}
    </p>
    ${payments.length > 0 && paymentCells(payments)}
    <p class="id">${consentId}</p>
  </li>`;
}

export function requestItem(request: AnsweredRequest, nameOf: (softwareId: string) => string): Html {
  const { number, at, app, method, path, status, milliseconds, softwareId, refusal } = request;
  return html`<li class="request" data-number="${number}">
    <span class="method">${method}</span> <span class="path">${path}</span>
    <span class="status ${status >= 400 && 'bad'}">${status}</span>
    <span class="time">${milliseconds.toFixed(0)} ms</span>
    <span class="more"
      >${at.toISOString().slice(11, 19)} UTC ·
      ${app}${softwareId !== undefined && ` · ${nameOf(softwareId)}`}${signatures(request)}</span
    >
    ${refusal !== undefined && refusalDetails(refusal)}
  </li>`;
}

function signatures({ requestSignature, isAnswerSigned }: AnsweredRequest): Html {
  return html`${requestSignature === 'verified' && html` · <span class="good">signature verified</span>`}${
    requestSignature === 'refused' && html` · <span class="wrong">signature not verified</span>`
  }${isAnswerSigned && ' · answer signed'}`;
}
