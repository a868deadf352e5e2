import { confirmFunds, fundsConfirmationKind } from '#libs/access-consent';
import type { AccessToDecide } from '#libs/authorization-session';
import type { PaymentAccount } from '#libs/bank';
import { parseDateTime, type Permission } from '#libs/obie-rules';
import type { AccessWording, ShownAccount } from '../pages/page-models.js';
import type { MessageKey } from '../wording/en.js';
import type { Words } from '../wording/words.js';
import { createAccountValue, nameOf } from './account-value.js';
import { formatAccount, maskAccount } from './format.js';

/** What a permission lets the app see. Permission for details includes the basic data. */
const meanings: Readonly<Record<Permission | typeof confirmFunds, MessageKey>> = {
  ReadAccountsBasic: 'read.accounts',
  ReadAccountsDetail: 'read.accountNumbers',
  ReadBalances: 'read.balances',
  ReadBeneficiariesBasic: 'read.beneficiaries',
  ReadBeneficiariesDetail: 'read.beneficiaryAccounts',
  ReadDirectDebits: 'read.directDebits',
  ReadOffers: 'read.offers',
  ReadPAN: 'read.cardNumbers',
  ReadParty: 'read.holders',
  ReadPartyPSU: 'read.you',
  ReadProducts: 'read.products',
  ReadScheduledPaymentsBasic: 'read.scheduledPayments',
  ReadScheduledPaymentsDetail: 'read.scheduledPaymentAccounts',
  ReadStandingOrdersBasic: 'read.standingOrders',
  ReadStandingOrdersDetail: 'read.standingOrderAccounts',
  ReadStatementsBasic: 'read.statements',
  ReadStatementsDetail: 'read.statementDetails',
  ReadTransactionsBasic: 'read.transactions',
  ReadTransactionsDetail: 'read.transactionDetails',
  ReadTransactionsCredits: 'read.moneyIn',
  ReadTransactionsDebits: 'read.moneyOut',
  [confirmFunds]: 'confirm.funds',
};

const toRead: AccessWording = {
  title: 'read.title',
  asks: 'read.asks',
  limits: 'read.limits',
  until: 'read.until',
  accounts: 'read.whichAccounts',
  may: 'challenge.maySee',
};

const toConfirm: AccessWording = {
  title: 'confirm.title',
  asks: 'confirm.asks',
  limits: 'confirm.limits',
  until: 'confirm.until',
  accounts: 'confirm.account',
  may: 'challenge.may',
};

/** @returns the page texts of a kind of access */
export function wordingOf({ kind }: Pick<AccessToDecide, 'kind'>): AccessWording {
  return kind === fundsConfirmationKind.name ? toConfirm : toRead;
}

/** @returns one line for each kind of data, in the order of the standard */
export function describeAccess(words: Words, { permissions }: Pick<AccessToDecide['terms'], 'permissions'>): string[] {
  const isCovered = (name: string): boolean =>
    name.endsWith('Basic') && permissions.includes(name.replace(/Basic$/, 'Detail'));
  return Object.entries(meanings)
    .filter(([name]) => permissions.includes(name) && !isCovered(name))
    .map(([, meaning]) => words.text(meaning));
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
