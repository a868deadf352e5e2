import type { Fault } from '../../../../tpp/src/convert/converted-file.js';
import { versionWords } from '../../../../tpp/src/file-payments/api-version.js';
import type { ExplainedRefusal } from '../../refusals/refusal-journal.js';
import { html, type Html } from '#libs/http-server';
import type { PaymentRun, RunState } from '../tpp/payment-run.js';
import { copyable, formToken } from './layout.js';
import { inPounds, isPaid, paymentCells, wordFor } from './payment-cells.js';
import { refusalDetails } from './refusal-details.js';

/** What the page of a run knows besides the run. */
export interface RunPage {
  run: PaymentRun;
  token: string;
  /** of the sandbox's own bank */
  customer: { username: string; password: string; oneTimeCode: string } | undefined;
  approvalsUrl: string;
  refusal: ExplainedRefusal | undefined;
}

const order: readonly RunState[] = ['Ready', 'Uploaded', 'AtBank', 'Approved', 'Paid', 'Done'];
const steps: readonly (readonly [title: string, doneFrom: RunState])[] = [
  ['Make the payment file', 'Ready'],
  ['Stage the consent and upload the file', 'Uploaded'],
  ['The customer approves at the bank', 'Approved'],
  ['Make the payments', 'Paid'],
  ['Watch them settle', 'Done'],
];

export function runContent(page: RunPage): Html {
  return html`<div id="run">${runRegion(page)}</div>
    ${fileSummary(page.run)}
    <div id="sent">${exchangeList(page.run)}</div>`;
}

/** The part that changes while the page is open: how far the run is, and what comes next. */
export function runRegion(page: RunPage): Html {
  const { run, refusal } = page;
  const { problem } = run;
  const title = run.state === 'Ended' ? 'The file is not approved' : 'That did not work';
  return html`${stepList(run)}${
    problem !== undefined &&
    html`<section class="problem" role="alert">
      <h2>${title}</h2>
      <p>${problem.message}</p>
      ${refusal !== undefined && refusalDetails(refusal)}
    </section>`
  }${nextStep(page)}`;
}

function stepList({ state }: PaymentRun): Html {
  const reached = order.indexOf(state === 'Ended' ? 'Uploaded' : state);
  const isDone = (from: RunState): boolean => reached >= order.indexOf(from);
  const next = state === 'Ended' ? -1 : steps.findIndex(([, from]) => !isDone(from));
  const items = steps.map(([title, from], index) => {
    if (isDone(from)) return html`<li class="done">${title} <span class="tick">done</span></li>`;
    return html`<li class="${index === next ? 'next' : 'later'}" ${index === next && html` aria-current="step"`}>
      ${title}
    </li>`;
  });
  return html`<ol class="steps">
    ${items}
  </ol>`;
}

function fileSummary({ converted, csv, version }: PaymentRun): Html {
  const { file, payments, warnings } = converted;
  const rows = payments.slice(0, 3).map(({ name, amount }) => html`<li>${name}: ${inPounds(amount)}</li>`);
  const start = file.body.toString().slice(0, 600);
  return html`<section aria-labelledby="file-title">
    <h2 id="file-title">The payment file</h2>
    <dl class="facts">
      <div>
        <dt>Payments</dt>
        <dd id="file-payments">${file.numberOfTransactions}</dd>
      </div>
      <div>
        <dt>Total</dt>
        <dd id="file-total">${inPounds(file.controlSum)}</dd>
      </div>
      <div>
        <dt>Size</dt>
        <dd>${(file.body.length / 1_024).toFixed(1)} KB of JSON</dd>
      </div>
      <div>
        <dt>Read/Write API</dt>
        <dd id="file-version">${version}</dd>
      </div>
    </dl>
    <ul class="plain">
      ${rows}${payments.length > 3 && html`<li>and ${payments.length - 3} more</li>`}
    </ul>
    ${
      warnings.length > 0 &&
      html`<ul id="not-carried" class="plain">
        ${warnings.map(({ line, message }) => html`<li>Line ${line}: ${message}</li>`)}
      </ul>`
    }
    <details>
      <summary>Show the file and its hash</summary>
      <p>FileHash (SHA-256, Base64): <code class="long">${file.fileHash}</code></p>
      <pre tabindex="0" aria-label="Beginning of the payment file">${start}${file.body.length > 600 && ' …'}</pre>
      <p>It came from ${csv.split('\n').length} lines of CSV.</p>
    </details>
  </section>`;
}

function button({ run, token }: RunPage, action: string, label: string): Html {
  return html`<form method="post" action="/runs/${run.id}/${action}">
    ${formToken(token)} <button id="${action}" class="main">${label}</button>
  </form>`;
}

function nextStep(page: RunPage): Html {
  const { run } = page;
  switch (run.state) {
    case 'Ready':
      return html`<section>
        <h2>Next: tell the bank what is coming</h2>
        <p>
          The portal stages a consent with the file’s hash, number of payments and total, then uploads the file. It
          signs both requests.
        </p>
        ${button(page, 'stage', run.consent === undefined ? 'Stage and upload' : 'Upload again')}
      </section>`;
    case 'Uploaded':
    case 'AtBank':
      return atBank(page);
    case 'Approved':
      return html`<section>
        <h2>Next: make the payments</h2>
        <p role="status">
          The customer has approved and is back. The portal has checked <code>state</code>, <code>nonce</code>,
          <code>c_hash</code> and <code>s_hash</code>, and exchanged the code for a token.
        </p>
        ${button(page, 'pay', 'Make the payments')}
      </section>`;
    case 'Paid':
    case 'Done':
      return watched(page);
    case 'Ended':
      return html`<section>
        <h2>This run is over</h2>
        <p>A consent is decided once: to try again, make a new one.</p>
        ${again(page)}
      </section>`;
  }
}

function credentials({ username, password, oneTimeCode }: NonNullable<RunPage['customer']>): Html {
  return html`<p>
      You leave the portal for the bank’s pages and come back here. Sign in as the customer with these credentials,
      which the bank’s pages repeat at the foot:
    </p>
    <dl class="facts">
      <div>
        <dt>Username</dt>
        <dd>${copyable(username, 'username')}</dd>
      </div>
      <div>
        <dt>Password</dt>
        <dd>${copyable(password, 'password')}</dd>
      </div>
      <div>
        <dt>One-time code</dt>
        <dd>${copyable(oneTimeCode, 'one-time code')}</dd>
      </div>
    </dl>`;
}

function atBank(page: RunPage): Html {
  const isBack = page.run.state === 'AtBank';
  return html`<section>
    <h2>Next: the customer approves</h2>
    ${page.customer ? credentials(page.customer) : html`<p>Sign in as a customer of your bank.</p>`}
    <p class="note">
      Your browser warns once that the connection is not private, because it does not know the sandbox’s certificate
      authority. It is safe to continue: select Advanced, then Proceed to localhost.
      <a href="/trust">Other browsers, and how to avoid the warning</a>.
    </p>
    ${button(page, 'approve', isBack ? 'Go to the bank again' : 'Go to the bank')}
  </section>`;
}

function watched(page: RunPage): Html {
  const { run, approvalsUrl } = page;
  const { awaitingFurther } = versionWords[run.version];
  const { Status, FilePaymentId, MultiAuthorisation } = run.payment?.Data ?? { Status: '', FilePaymentId: '' };
  const isWaiting = MultiAuthorisation?.Status === awaitingFurther;
  const statuses = run.statuses.length > 0 ? run.statuses : run.converted.lines.map(() => 'Waiting');
  return html`<section>
    <h2>
      ${run.state === 'Done' ? 'All payments have reached their final status' : 'The bank is making the payments'}
    </h2>
    <p role="status">
      File payment <code class="long">${FilePaymentId}</code>: <strong id="payment-status">${Status}</strong>
    </p>
    ${isWaiting && html`<p class="note">Payments from this account need another approver, who signs in at <a href="${approvalsUrl}">${approvalsUrl}</a>.</p>`}
    ${paymentCells(statuses)} ${run.state === 'Done' && exceptions(run)}
    ${run.state === 'Paid' && run.problem !== undefined && button(page, 'watch', 'Look again')}
    ${run.state === 'Done' && again(page)}
  </section>`;
}

/** The payments whose payee does not have the money, by name. */
function exceptions({ statuses, converted }: PaymentRun): Html {
  const found = converted.payments
    .map((payment, index) => ({ payment, status: statuses[index] ?? '' }))
    .filter(({ status }) => !isPaid(status));
  if (found.length === 0) return html``;
  const shown = found
    .slice(0, 10)
    .map(({ payment: { name, amount }, status }) => html`<li>${name}, ${inPounds(amount)}: ${wordFor(status)}</li>`);
  return html`<ul class="plain" id="exceptions">
    ${shown}${found.length > shown.length && html`<li>and ${found.length - shown.length} more</li>`}
  </ul>`;
}

function again({ run, token }: RunPage): Html {
  return html`<form method="post" action="/runs">
    ${formToken(token)}<input type="hidden" name="csv" value="${run.csv}" />
    <input type="hidden" name="version" value="${run.version}" />
    <button id="again">Run the same CSV again</button>
    <p><a href="/">Start with another list</a> · <a href="/board">Open the live board</a></p>
  </form>`;
}

/** What the TPP has sent so far. */
export function exchangeList({ exchanges }: PaymentRun): Html {
  if (exchanges.length === 0) return html``;
  const items = exchanges.slice(-12).map(
    ({ method, path, status, milliseconds }) =>
      html`<li class="request">
        <span class="method">${method}</span> <span class="path">${path}</span>
        <span class="status ${status >= 400 && 'bad'}">${status}</span>
        <span class="time">${milliseconds.toFixed(0)} ms</span>
      </li>`,
  );
  return html`<section aria-labelledby="exchanges">
    <h2 id="exchanges">What the TPP sent</h2>
    <p>
      ${exchanges.length === 1 ? '1 request' : `${exchanges.length} requests`}${exchanges.length > 12 && ', of which these are the last twelve'}.
      The portal verifies the signature of each signed answer.
    </p>
    <ol class="requests">
      ${items}
    </ol>
  </section>`;
}

/** @returns the faults of the bank's own rules, each at the line of the CSV that its payment came from */
export function faultsByLine(
  faults: readonly { path?: string | undefined; detail: string }[],
  lines: readonly number[],
): Fault[] {
  return faults.map(({ path, detail }) => {
    const index = /DomesticPayments\[(\d+)\]/.exec(path ?? '')?.[1];
    return { line: lines[Number(index ?? 0)] ?? 1, message: detail };
  });
}
