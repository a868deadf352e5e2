import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccessBinding, ChallengeBinding, ChallengeTpp, PaymentBinding } from '#libs/bank';
import type { PushChallenge } from './push-challenges.js';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

const style = readFileSync(join(import.meta.dirname, 'bank-app.css'), 'utf8');

/**
 * @returns the page of the sandbox bank's "app": each open question with its details and two buttons, in the words of
 *   the page that waits for the answer (test/architecture/bank-app-words.spec.ts)
 */
export function createBankAppPage(waiting: readonly PushChallenge[], notice = ''): string {
  const list = waiting.map(toArticle).join('\n') || '<p id="nothing-waiting">Nothing is waiting for your approval.</p>';
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sandbox Bank app</title>
<link rel="icon" href="data:,"><style>${style}</style></head><body>
<header><h1>Sandbox Bank app</h1></header>
<main>
${notice && `<p id="notice" role="status">${escape(notice)}</p>`}
${list}
</main>
<footer><p>This page stands in for the app on a customer’s phone. It exists in the sandbox only.</p></footer>
</body></html>`;
}

const safety =
  '<p class="safety">Check that the page in your browser shows the same details. If anything is different, ' +
  'decline.</p>';

function toArticle({ challengeId, displayName, binding, ...challenge }: PushChallenge, index: number): string {
  const suffix = index === 0 ? '' : `-${index}`;
  const button = (id: string, label: string): string =>
    `<form method="post" action="/challenges/${challengeId}/${id}">` +
    `<button id="${id}${suffix}">${label}</button></form>`;
  const isIdentity = binding.purpose === 'SignIn' || isReading(binding);
  const approve = binding.purpose === 'Payment' ? `Approve ${unbroken(toMoney(binding))}` : 'Approve';
  return `<article id="challenge${suffix}" aria-labelledby="title${suffix}"><p class="soft">${escape(displayName)}</p>
<h2 id="title${suffix}">${isIdentity ? 'Confirm it is you' : 'Confirm your approval'}</h2>
${describe(binding, { ...challenge, suffix })}
${binding.purpose === 'SignIn' ? '' : safety}
${button('approve', isIdentity ? 'Continue' : approve)}
${button('refuse', 'Decline')}</article>`;
}

/** What is described beside the values of a challenge, and what the ids on the page end with. */
type Beside = Pick<PushChallenge, 'startedAt' | 'accountNames'> & { readonly suffix: string };

function describe(binding: ChallengeBinding, beside: Beside): string {
  if (binding.purpose === 'Payment') return describePayment(binding, beside);
  const asker = binding.tpp && `<span id="tpp${beside.suffix}">${nameOf(binding.tpp)}</span>`;
  if (binding.purpose === 'Access') return describeAccess(binding, asker ?? '', beside);
  return asker === undefined ? '' : `<dl><div><dt>Requested by</dt><dd>${asker}</dd></div></dl>`;
}

function describePayment(binding: PaymentBinding, { accountNames, suffix }: Beside): string {
  const { numberOfPayments, payee, debtorAccount, tpp } = binding;
  const count = numberOfPayments === 1 ? '' : ` in ${numberOfPayments} payments`;
  const account = payee && `<span id="payee${suffix}">${accountOf(payee)}</span>`;
  const rows = {
    ...(payee && { To: `<bdi>${escape(payee.name)}</bdi> ${account}` }),
    From: nameAccount(debtorAccount.identification, accountNames),
    'Requested by': `<span id="tpp${suffix}">${nameOf(tpp)}</span>`,
  };
  const list = Object.entries(rows).map(([term, text]) => `<div><dt>${term}</dt><dd>${text}</dd></div>`);
  const whole = `<span class="amount" id="amount${suffix}">${escape(toMoney(binding))}</span>`;
  return `<p>${whole}${payee ? ` to ${escape(payee.name)}` : count}</p>
<dl>${list.join('')}</dl>`;
}

function describeAccess(binding: AccessBinding, asker: string, { startedAt, accountNames }: Beside): string {
  const { data, accounts = [], lastsSeconds } = binding;
  const isToSee = isReading(binding);
  const can = isToSee ? 'see' : 'do';
  const kinds = kindsOfData.filter(([form]) => data.some((each) => form.test(each))).map(([, kind]) => kind);
  const others = data.filter((each) => !kindsOfData.some(([form]) => form.test(each)));
  const lasts = lastsSeconds === undefined ? undefined : startedAt.getTime() + lastsSeconds * 1_000;
  const end = binding.endsAt ?? lasts;
  const until = `They can ${data.includes('ConfirmFunds') ? 'ask' : `${can} this`} until`;
  return [
    `<p>Access for ${asker}.</p><p>They can${isToSee ? ' see' : ''}:</p>${toList([...kinds, ...others].map(escape))}`,
    accounts.length === 0 ? '' : `<p>For ${accounts.length === 1 ? 'this account' : 'these accounts'}:</p>`,
    accounts.length === 0 ? '' : toList(accounts.map((each) => nameAccount(each.identification, accountNames))),
    end === undefined ? '' : `<p>${until} <b>${escape(toDay(new Date(end)))}</b>.</p>`,
    end === undefined && accounts.length > 0 ? '<p>This access has no end date.</p>' : '',
  ].join('\n');
}

const toList = (items: readonly string[]): string => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

/** Access to account data: customers agree when they choose the accounts, and now only confirm who they are. */
const isReading = (binding: ChallengeBinding): boolean =>
  binding.purpose === 'Access' && binding.data.some((each) => each.startsWith('Read'));

const toDay = (date: Date): string =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/London' });

/** A short number stays on its line. */
const unbroken = (text: string): string =>
  text.length > 20 ? escape(text) : `<span class="unbroken">${escape(text)}</span>`;

/** An account of the customer, as the pages show it before both factors. */
function nameAccount(identification: string, names: PushChallenge['accountNames']): string {
  return `<bdi>${escape(names[identification] ?? '')}</bdi> (${unbroken(`ending ${identification.slice(-4)}`)})`;
}

/** A sort code and account number as on statements. */
function accountOf({ identification, secondaryIdentification }: NonNullable<PaymentBinding['payee']>): string {
  const account = identification.replace(/^(\d{2})(\d{2})(\d{2})(\d{8})$/, '$1-$2-$3 $4');
  const rollNumber = secondaryIdentification === undefined ? '' : ` Roll number ${escape(secondaryIdentification)}`;
  return `${unbroken(account)}${rollNumber}`;
}

function nameOf(tpp: ChallengeTpp): string {
  const { clientName, organisationName, organisationId, registerNumber = organisationId, onBehalfOf } = tpp;
  const isSameName = clientName.trim().toLowerCase() === organisationName.trim().toLowerCase();
  const name = escape(isSameName ? organisationName : `${clientName}, ${organisationName}`);
  const agent = `${name} (${unbroken(registerNumber)})`;
  return onBehalfOf === undefined ? agent : `${agent} on behalf of ${escape(onBehalfOf)}`;
}

const kindsOfData: readonly (readonly [RegExp, string])[] = [
  [/^Read(Accounts|Balances|PAN)/, 'Your Account Details'],
  [/^Read(Beneficiaries|StandingOrders|DirectDebits|ScheduledPayments)/, 'Your Regular Payments'],
  [/^ReadTransactions/, 'Your Account Transactions'],
  [/^ReadStatements/, 'Your Statements'],
  [/^Read(Products|Offers)/, 'Your Account Features and Benefits'],
  [/^ReadParty/, 'Contact and party details'],
  [/^ConfirmFunds$/, 'ask whether an amount is available in your account; the answer is yes or no, never your balance'],
  [/^openid$/, 'recognise you when you come back, by a number that means nothing to anyone else'],
  [/^accounts$/, 'ask you later for access to your accounts'],
  [/^fundsconfirmations$/, 'ask you later whether they may check that money is available'],
];

/** 163870.69000 GBP becomes £163,870.69 */
function toMoney({ total, currency }: PaymentBinding): string {
  const [whole = '', fraction = ''] = total.split('.');
  const amount = `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
  return currency === 'GBP' ? `£${amount}` : `${currency} ${amount}`;
}
