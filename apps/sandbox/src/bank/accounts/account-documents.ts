import { formatPence } from '../money.js';
import type { BankAccount } from './bank-accounts.js';
import type { AccountsVersion } from './refusal.js';

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
export interface AnswerContext {
  readonly version: AccountsVersion;
  /** address of the requested resource */
  readonly self: string;
}

/**
 * OBReadAccount6.
 * @param hasDetail ReadAccountsDetail; ReadAccountsBasic leaves out what identifies the account
 */
export function accountsDocument(
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
export function balancesDocument(account: BankAccount, now: Date, { version, self }: AnswerContext): object {
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
