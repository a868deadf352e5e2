import type { Fault } from '../../../../tpp/src/convert/converted-file.js';
import { versionWords } from '../../../../tpp/src/read-write/api-version.js';
import { inPounds } from '../../../../tpp/src/in-pounds.js';
import { idOf } from '../../../../tpp/src/read-write/payments-client.js';
import { type PaymentKind, titleOf } from '../../../../tpp/src/purpose.js';
import type { ExplainedRefusal } from '#libs/error-catalogue';
import { html, type Html } from '#libs/http-server';
import type { PaymentRun, RunState } from '../tpp/payment-run.js';
import { copyable, fact, formToken } from './layout.js';
import { hiddenFields } from './one-page.js';
import { isPaid, paymentCells, wordFor } from './payment-cells.js';
import { refusalDetails } from './refusal-details.js';
import { fileSummary, paymentSummary } from './run-summary.js';

/** What the page of a run shows. */
export interface RunPage {
  run: PaymentRun;
  token: string;
  /** of the sandbox's own bank */
  customer: { username: string; password: string; oneTimeCode: string } | undefined;
  approvalsUrl: string;
  refusal: ExplainedRefusal | undefined;
}

const order: readonly RunState[] = ['Ready', 'Uploaded', 'AtBank', 'Approved', 'Paid', 'Done'];
/** The first state in which each step is done. */
const doneFrom: readonly RunState[] = ['Ready', 'Uploaded', 'Approved', 'Paid', 'Done'];

/** What the page says of each kind of payment. */
const words = {
  'file-payment': {
    steps: [
      'Make the payment file',
      'Stage the consent and upload the file',
      'The customer approves at the bank',
      'Make the payments',
      'Watch them settle',
    ],
    stage: {
      text:
        'The portal stages a consent with the file’s hash, number of payments and total, then uploads the file. It ' +
        'signs both requests.',
      button: 'Stage and upload',
    },
    pay: { text: '', button: 'Make the payments' },
    watch: 'The bank is making the payments',
    further: 'Payments from this account need another approver',
    done: 'All payments have reached their final status',
    ended: 'The file is not approved',
    again: 'Run the same CSV again',
    other: { path: '/', text: 'Start with another list' },
  },
  'domestic-payment': {
    steps: [
      'Fill in the payment',
      'Stage the consent',
      'The customer approves at the bank',
      'Make the payment',
      'Watch it settle',
    ],
    stage: {
      text: 'The portal stages a consent with the whole payment, and asks for the account to send refunds to.',
      button: 'Stage the consent',
    },
    pay: { text: 'It asks the bank whether the money is there, then pays.', button: 'Make the payment' },
    watch: 'The bank is making the payment',
    further: 'A payment from this account needs another approver',
    done: 'The payment has reached its final status',
    ended: 'The payment is not approved',
    again: 'Make the same payment again',
    other: { path: '/one', text: 'Pay another supplier' },
  },
} as const satisfies Readonly<Record<PaymentKind, unknown>>;

export function runContent(page: RunPage): Html {
  return html`<div id="run">${runRegion(page)}</div>
    ${page.run.kind === 'file-payment' ? fileSummary(page.run) : paymentSummary(page.run)}
    <div id="sent">${exchangeList(page.run)}</div>`;
}

/** The part that changes while the page is open: the steps done, and the next one. */
export function runRegion(page: RunPage): Html {
  const { run, refusal } = page;
  const { problem } = run;
  const title = run.state === 'Ended' ? words[run.kind].ended : 'That did not work';
  return html`${stepList(run)}${
    problem !== undefined &&
    html`<section class="problem" role="alert">
      <h2>${title}</h2>
      <p>${problem.message}</p>
      ${refusal !== undefined && refusalDetails(refusal)}
    </section>`
  }${nextStep(page)}`;
}

function stepList({ kind, state }: PaymentRun): Html {
  const reached = order.indexOf(state === 'Ended' ? 'Uploaded' : state);
  const isDone = (from: RunState): boolean => reached >= order.indexOf(from);
  const next = state === 'Ended' ? -1 : doneFrom.findIndex((from) => !isDone(from));
  const items = words[kind].steps.map((title, index) => {
    if (isDone(doneFrom[index] ?? 'Done')) return html`<li class="done">${title} <span class="tick">done</span></li>`;
    return html`<li class="${index === next ? 'next' : 'later'}" ${index === next && html` aria-current="step"`}>
      ${title}
    </li>`;
  });
  return html`<ol class="steps">
    ${items}
  </ol>`;
}

function button({ run, token }: RunPage, action: string, label: string): Html {
  return html`<form method="post" action="/runs/${run.id}/${action}">
    ${formToken(token)} <button id="${action}" class="main">${label}</button>
  </form>`;
}

function nextStep(page: RunPage): Html {
  const { run } = page;
  const { stage, pay } = words[run.kind];
  switch (run.state) {
    case 'Ready':
      return html`<section>
        <h2>Next: tell the bank what is coming</h2>
        <p>${stage.text}</p>
        ${button(page, 'stage', run.consent === undefined ? stage.button : 'Upload again')}
      </section>`;
    case 'Uploaded':
    case 'AtBank':
      return atBank(page);
    case 'Approved':
      return html`<section>
        <h2>Next: pay</h2>
        <p role="status">
          The customer has approved and is back. The portal has checked <code>state</code>, <code>nonce</code>,
          <code>c_hash</code> and <code>s_hash</code>, and exchanged the code for a token. ${pay.text}
        </p>
        ${button(page, 'pay', pay.button)}
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
      ${fact('Username', undefined, copyable(username, 'username'))}
      ${fact('Password', undefined, copyable(password, 'password'))}
      ${fact('One-time code', undefined, copyable(oneTimeCode, 'one-time code'))}
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
  const { watch, further, done } = words[run.kind];
  const { payment } = run;
  const isWaiting = payment?.Data.MultiAuthorisation?.Status === awaitingFurther;
  const statuses = run.statuses.length > 0 ? run.statuses : run.converted.lines.map(() => 'Waiting');
  return html`<section>
    <h2>${run.state === 'Done' ? done : watch}</h2>
    <p role="status">
      ${titleOf(run.kind)} <code class="long">${payment && idOf(payment)}</code>:
      <strong id="payment-status">${payment?.Data.Status}</strong>
    </p>
    ${run.isFunded !== undefined && answersOf(run)}
    ${isWaiting && html`<p class="note">${further}, who signs in at <a href="${approvalsUrl}">${approvalsUrl}</a>.</p>`}
    ${paymentCells(statuses)} ${run.state === 'Done' && exceptions(run)}
    ${run.state === 'Paid' && run.problem !== undefined && button(page, 'watch', 'Look again')}
    ${run.state === 'Done' && again(page)}
  </section>`;
}

/** What else the bank said about a single payment. */
function answersOf({ isFunded, payment }: PaymentRun): Html {
  const { Account } = payment?.Data.Refund ?? {};
  return html`<dl class="facts">
    ${fact('Money available', 'funds', isFunded === true ? 'yes' : 'no')}
    ${Account && fact('Refunds go to', 'refund-account', `${Account.Name}, ${Account.Identification}`)}
  </dl>`;
}

/** The payments whose payee does not have the money, with the reason if it is known. */
function exceptions({ statuses, converted, reason }: PaymentRun): Html {
  const found = converted.payments
    .map((payment, index) => ({ payment, status: statuses[index] ?? '' }))
    .filter(({ status }) => !isPaid(status));
  if (found.length === 0) return html``;
  const shown = found
    .slice(0, 10)
    .map(
      ({ payment: { name, amount }, status }) =>
        html`<li>${name}, ${inPounds(amount)}: ${wordFor(status)}${reason !== undefined && `. ${reason}`}</li>`,
    );
  return html`<ul class="plain" id="exceptions">
    ${shown}${found.length > shown.length && html`<li>and ${found.length - shown.length} more</li>`}
  </ul>`;
}

function again({ run, token }: RunPage): Html {
  const { again: label, other } = words[run.kind];
  return html`<form method="post" action="/runs">
    ${formToken(token)}<input type="hidden" name="kind" value="${run.kind}" />
    ${run.kind === 'file-payment' ? html`<input type="hidden" name="csv" value="${run.csv}" />` : hiddenFields(run)}
    <input type="hidden" name="version" value="${run.version}" />
    <button id="again">${label}</button>
    <p><a href="${other.path}">${other.text}</a> · <a href="/board">Open the live board</a></p>
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
      ${exchanges.length === 1 ? '1 request' : `${exchanges.length} requests`}${
        exchanges.length > 12 && ', of which these are the last twelve'
      }.
      The portal verifies the signature of each signed answer.
    </p>
    <ol class="requests">
      ${items}
    </ol>
  </section>`;
}

/** @returns the faults that the bank would find, each at the line of its payment in the CSV */
export function faultsByLine(
  faults: readonly { path?: string | undefined; detail: string }[],
  lines: readonly number[],
): Fault[] {
  return faults.map(({ path, detail }) => {
    const index = /DomesticPayments\[(\d+)\]/.exec(path ?? '')?.[1];
    return { line: lines[Number(index ?? 0)] ?? 1, message: detail };
  });
}
