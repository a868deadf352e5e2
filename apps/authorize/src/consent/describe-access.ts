import { confirmFunds, fundsConfirmationKind } from '#libs/access-consent';
import type { AccessToDecide } from '#libs/customer-session';
import type { PaymentAccount } from '#libs/bank';
import { parseDateTime, type Permission } from '#libs/obie-rules';
import type { AccessWording, ShownCluster, ShownAccount } from '../pages/page-models.js';
import type { MessageKey } from '../wording/en.js';
import type { Words } from '../wording/words.js';
import { createAccountValue, nameOf } from './account-value.js';
import { formatAccount, maskAccount } from './format.js';

/**
 * The clusters of the customer experience guidelines, with the permissions of each. Each permission has the text of the
 * guidelines; banks must not word them their own way.
 */
const clusters = {
  'cluster.accountDetails': ['ReadAccountsBasic', 'ReadAccountsDetail', 'ReadBalances', 'ReadPAN'],
  'cluster.regularPayments': [
    'ReadBeneficiariesBasic',
    'ReadBeneficiariesDetail',
    'ReadStandingOrdersBasic',
    'ReadStandingOrdersDetail',
    'ReadDirectDebits',
    'ReadScheduledPaymentsBasic',
    'ReadScheduledPaymentsDetail',
  ],
  'cluster.transactions': ['ReadTransactionsBasic', 'ReadTransactionsDetail'],
  'cluster.statements': ['ReadStatementsBasic', 'ReadStatementsDetail'],
  'cluster.features': ['ReadProducts', 'ReadOffers'],
  'cluster.contact': ['ReadParty', 'ReadPartyPSU'],
} as const satisfies Partial<Record<MessageKey, readonly Permission[]>>;

const toRead: AccessWording = {
  title: 'read.title',
  asks: 'read.asks',
  limits: 'read.limits',
  until: 'read.until',
  accounts: 'read.whichAccounts',
  challenge: 'question.signInTitle',
  may: 'challenge.maySee',
  button: 'question.continue',
  next: 'read.next',
};

const toConfirm: AccessWording = {
  title: 'confirm.title',
  asks: 'confirm.asks',
  limits: 'confirm.limits',
  until: 'confirm.until',
  accounts: 'confirm.account',
  challenge: 'challenge.title',
  may: 'challenge.may',
  button: 'common.approve',
  next: 'identity.next',
};

/** @returns the page texts of a kind of access */
export function wordingOf({ kind }: Pick<AccessToDecide, 'kind'>): AccessWording {
  return kind === fundsConfirmationKind.name ? toConfirm : toRead;
}

/** @returns what the access allows: clusters with their permissions, or the one line of a kind without clusters */
export function describeAccess(
  words: Words,
  { permissions }: Pick<AccessToDecide['terms'], 'permissions'>,
): ShownCluster[] {
  if (permissions.includes(confirmFunds)) return [{ title: words.text('confirm.funds'), texts: [] }];
  const has = (name: string): boolean => permissions.includes(name);
  // The detail contains the basic data. Credits and debits only narrow the transactions.
  const isCovered = (name: string): boolean => name.endsWith('Basic') && has(name.replace(/Basic$/, 'Detail'));
  const [credits, debits] = [has('ReadTransactionsCredits'), has('ReadTransactionsDebits')];
  const direction = credits === debits ? '' : credits ? 'Credits' : 'Debits';
  const keyOf = (name: Permission): MessageKey =>
    name === 'ReadTransactionsBasic' || name === 'ReadTransactionsDetail'
      ? `data.${name}${direction}`
      : `data.${name as Exclude<Permission, `ReadTransactions${string}`>}`;
  return Object.entries(clusters)
    .map(([title, names]) => ({
      title: words.text(title as keyof typeof clusters),
      texts: names.filter((name) => has(name) && !isCovered(name)).map((name) => words.text(keyOf(name))),
    }))
    .filter(({ texts }) => texts.length > 0);
}

/** @returns the period of readable transactions; undefined if unlimited, or if none may be read */
export function describePeriod(words: Words, terms: AccessToDecide['terms']): string | undefined {
  if (!terms.permissions.some((name) => name.startsWith('ReadTransactions'))) return undefined;
  const from = dayInWords(words, terms.transactionFromDateTime);
  const to = dayInWords(words, terms.transactionToDateTime);
  if (from !== undefined && to !== undefined) return words.text('read.fromTo', { from, to });
  if (from !== undefined) return words.text('read.from', { from });
  return to === undefined ? undefined : words.text('read.to', { to });
}

/** @returns a day of the terms as text; undefined if there is none */
export function dayInWords(words: Words, text: string | undefined): string | undefined {
  const date = parseDateTime(text ?? '');
  return date && words.day(date);
}

/** @returns the accounts as check boxes; a single account is checked */
export function showAccounts(
  words: Words,
  page: {
    accounts: readonly PaymentAccount[];
    /** names of those that are checked */
    chosen: readonly string[];
    sessionValue: string;
    /** whether both factors came first, so that whole numbers may be shown */
    showsNumbers: boolean;
  },
): ShownAccount[] {
  const { accounts, chosen, sessionValue, showsNumbers } = page;
  const checked = new Set(chosen);
  const format = showsNumbers ? formatAccount : maskAccount;
  return accounts.map((account) => ({
    value: createAccountValue(account, sessionValue),
    name: account.name,
    identification: format(words, account.schemeName, account.identification),
    notes: [],
    isChosen: accounts.length === 1 || checked.has(nameOf(account)),
  }));
}
