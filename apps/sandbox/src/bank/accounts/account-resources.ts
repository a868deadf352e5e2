import { formatPence } from '../money.js';
import type { BankAccount } from './bank-accounts.js';
import type { AccountsVersion } from './refusal.js';

export const accountsVersions: readonly AccountsVersion[] = ['3.1', '4.0'];

/** @returns path of the accounts in a version of the API */
export const accountsBelow = (version: AccountsVersion): string => `/open-banking/v${version}/aisp/accounts`;

/** The values for an answer. */
export interface FoundAccounts {
  /** one, where the path names it */
  readonly accounts: readonly BankAccount[];
  /** whether the customer has permitted ReadAccountsDetail */
  readonly hasDetail: boolean;
  readonly now: Date;
}

/** A resource of the bank's own server for accounts, below the path of the accounts. */
export interface AccountResource {
  readonly path: '' | '/:AccountId' | '/:AccountId/balances';
  /** any of these permissions is enough */
  readonly needed: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly write: (found: FoundAccounts, context: AnswerContext) => object;
}

const readAccounts = ['ReadAccountsBasic', 'ReadAccountsDetail'];
const writeAccounts: AccountResource['write'] = ({ accounts, hasDetail }, context) =>
  accountsDocument(accounts, hasDetail, context);

/** Everything that the server serves; its API document is made from it, too. */
export const accountResources: readonly AccountResource[] = [
  {
    path: '',
    needed: readAccounts,
    summary: 'Read the accounts',
    description: 'The accounts that the customer has chosen. Account numbers and names only for ReadAccountsDetail.',
    write: writeAccounts,
  },
  {
    path: '/:AccountId',
    needed: readAccounts,
    summary: 'Read an account',
    description: 'One of the accounts that the customer has chosen.',
    write: writeAccounts,
  },
  {
    path: '/:AccountId/balances',
    needed: ['ReadBalances'],
    summary: 'Read the balances of an account',
    description: 'The booked balance, and what is available of it.',
    write: ({ accounts, now }, context) => balancesDocument(getOnly(accounts), now, context),
  },
];

function getOnly([account]: readonly BankAccount[]): BankAccount {
  if (account === undefined) throw new TypeError('The path names no account.');
  return account;
}

/** The names of account and balance types in each version. */
const words = {
  '3.1': {
    type: (isPersonal: boolean) => ({ AccountType: ownerOf(isPersonal), AccountSubType: 'CurrentAccount' }),
    available: 'InterimAvailable',
    booked: 'InterimBooked',
  },
  '4.0': {
    type: (isPersonal: boolean) => ({ AccountCategory: ownerOf(isPersonal), AccountTypeCode: 'CACC' }),
    available: 'ITAV',
    booked: 'ITBD',
  },
} as const;

const ownerOf = (isPersonal: boolean): string => (isPersonal ? 'Personal' : 'Business');

/** The request that an answer is for. */
interface AnswerContext {
  readonly version: AccountsVersion;
  /** address of the requested resource */
  readonly self: string;
}

/**
 * OBReadAccount6.
 * @param hasDetail ReadAccountsDetail; ReadAccountsBasic leaves out what identifies the account
 */
function accountsDocument(
  accounts: readonly BankAccount[],
  hasDetail: boolean,
  { version, self }: AnswerContext,
): object {
  const Account = accounts.map((account) => ({
    AccountId: account.accountId,
    Status: account.isBlocked ? 'Disabled' : 'Enabled',
    Currency: 'GBP',
    ...words[version].type(account.isPersonal),
    ...(hasDetail && {
      Account: [{ SchemeName: account.schemeName, Identification: account.identification, Name: account.name }],
    }),
  }));
  return documentOf({ Account }, self);
}

/** OBReadBalance1: the booked balance, and what is available of it. */
function balancesDocument(account: BankAccount, now: Date, { version, self }: AnswerContext): object {
  const { available, booked } = words[version];
  const balance = (Type: string, pence: bigint) => ({
    AccountId: account.accountId,
    // A balance of zero is a credit (OBCreditDebitCode_2).
    CreditDebitIndicator: pence < 0n ? 'Debit' : 'Credit',
    Type,
    DateTime: now.toISOString(),
    Amount: { Amount: formatPence(pence < 0n ? -pence : pence), Currency: 'GBP' },
  });
  return documentOf(
    { Balance: [balance(available, account.availablePence), balance(booked, account.balancePence)] },
    self,
  );
}

const documentOf = (Data: object, Self: string): object => ({ Data, Links: { Self }, Meta: { TotalPages: 1 } });
