import { accountsDocument, balancesDocument, type AnswerContext } from './account-documents.js';
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
