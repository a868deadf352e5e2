import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChallengeBinding } from './challenge-schemas.js';
import type { PushChallenge } from './push-challenges.js';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

const style = readFileSync(join(import.meta.dirname, 'bank-app.css'), 'utf8');

/** @returns the page of the sandbox bank's "app": each open question with its details and two buttons */
export function createBankAppPage(waiting: readonly PushChallenge[], notice = ''): string {
  const list = waiting.map(toArticle).join('\n') || '<p id="nothing-waiting">Nothing waits for your approval.</p>';
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sandbox Bank app</title>
<link rel="icon" href="data:,"><style>${style}</style></head><body><main>
<h1>Sandbox Bank app</h1>
<p>This page stands in for the app on a customer’s phone. It exists in the sandbox only.</p>
${notice && `<p id="notice" role="status"><strong>${escape(notice)}</strong></p>`}
${list}
</main></body></html>`;
}

function toArticle({ challengeId, displayName, binding }: PushChallenge, index: number): string {
  const suffix = index === 0 ? '' : `-${index}`;
  const button = (id: string, label: string): string =>
    `<form method="post" action="/challenges/${challengeId}/${id}">` +
    `<button id="${id}${suffix}">${escape(label)}</button></form>`;
  const { purpose, total = '', currency = '' } = binding;
  const amount = purpose === 'Payment' ? toMoney(total, currency) : undefined;
  const approve = amount === undefined ? 'Approve' : `Approve ${amount}`;
  return `<article id="challenge${suffix}"><p>${escape(displayName)}</p>${describe(binding, amount)}
${button('approve', approve)} ${button('refuse', 'Decline')}</article>`;
}

function describe({ purpose, numberOfPayments = 0, payee, data = [], tpp }: ChallengeBinding, amount = ''): string {
  const name = tpp === undefined ? '' : escape(nameOf(tpp));
  const asker = `<span id="tpp">${name}</span>`;
  if (purpose === 'SignIn') return `<p>Sign in${name === '' ? '' : ` for ${name}`}?</p>`;
  if (purpose === 'Payment') {
    const count = numberOfPayments === 1 ? '' : ` in ${numberOfPayments} payments`;
    const paid = payee === undefined ? count : ` to ${escape(payee.name)}`;
    const account = payee === undefined ? '' : `<p id="payee">${escape(accountOf(payee))}</p>`;
    return `<p><span class="amount" id="amount">${amount}</span>${paid}</p>${account}<p>Requested by ${asker}</p>`;
  }
  const kinds = [...new Set(data.map((each) => kindsOfData.find(([form]) => form.test(each))?.[1] ?? each))];
  return `<p>Access for ${asker}</p><ul>${kinds.map((kind) => `<li>${escape(kind)}</li>`).join('')}</ul>`;
}

/** A sort code and account number as on statements. */
function accountOf({ identification, secondaryIdentification }: NonNullable<ChallengeBinding['payee']>): string {
  const account = identification.replace(/^(\d{2})(\d{2})(\d{2})(\d{8})$/, '$1-$2-$3 $4');
  return secondaryIdentification === undefined ? account : `${account} Roll number ${secondaryIdentification}`;
}

function nameOf({
  clientName,
  organisationName,
  organisationId,
  onBehalfOf,
}: NonNullable<ChallengeBinding['tpp']>): string {
  const agent = `${clientName} (${organisationName}, ${organisationId})`;
  return onBehalfOf === undefined ? agent : `${agent} on behalf of ${onBehalfOf}`;
}

/** In the words of the bank's pages (test/architecture/bank-app-words.spec.ts). */
const kindsOfData: readonly (readonly [RegExp, string])[] = [
  [/^Read(Accounts|Balances|PAN)/, 'Your Account Details'],
  [/^Read(Beneficiaries|StandingOrders|DirectDebits|ScheduledPayments)/, 'Your Regular Payments'],
  [/^ReadTransactions/, 'Your Account Transactions'],
  [/^ReadStatements/, 'Your Statements'],
  [/^Read(Products|Offers)/, 'Your Account Features and Benefits'],
  [/^ReadParty/, 'Contact and party details'],
];

/** 163870.69000 GBP becomes £163,870.69 */
function toMoney(total: string, currency: string): string {
  const [whole = '', fraction = ''] = total.split('.');
  const amount = `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
  return currency === 'GBP' ? `£${amount}` : `${escape(currency)} ${amount}`;
}
