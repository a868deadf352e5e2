import { isIban } from './iban.js';
import type { LocalInstrument } from './local-instrument.js';

/** An account as the standard writes it (OBCashAccount). */
export interface AccountIdentification {
  readonly SchemeName: string;
  readonly Identification: string;
  /** roll number of a building society */
  readonly SecondaryIdentification?: string;
}

const sortCodeAndNumber = /^\d{14}$/;
const bban = /^[A-Z0-9]{1,30}$/;
/**
 * ISO 13616: country, check digits, four letters of the bank, then sort code and account number. Jersey, Guernsey and
 * the Isle of Man have GB too.
 */
const ukIban = /^GB\d{2}[A-Z]{4}(\d{14})$/;
const cardNumber = /^\d{12,19}$/;
const wallet = 'UK.OBIE.Wallet';
const bareNames = new Set(['SortCodeAccountNumber', 'IBAN', 'BBAN', 'PAN', 'Paym']);

/** Format of the identification under each scheme (OBExternalAccountIdentification4Code). */
const formats: ReadonlyMap<string, { isValid: (identification: string) => boolean; rule: string }> = new Map([
  [
    'UK.OBIE.SortCodeAccountNumber',
    {
      isValid: (identification: string) => sortCodeAndNumber.test(identification),
      rule: 'must be the six digits of the sort code and the eight digits of the account number',
    },
  ],
  ['UK.OBIE.IBAN', { isValid: isIban, rule: 'must be an IBAN with correct check digits (ISO 13616)' }],
  [
    'UK.OBIE.BBAN',
    {
      isValid: (identification: string) => bban.test(identification),
      rule: 'must be 1 to 30 capital letters and digits',
    },
  ],
  [
    'UK.OBIE.PAN',
    {
      isValid: (identification: string) => cardNumber.test(identification),
      rule: 'must be a card number of 12 to 19 digits (ISO 7812)',
    },
  ],
  // 3.1.11 and later; the standard has no form for the identification of a wallet.
  [wallet, { isValid: () => true, rule: '' }],
]);

/** TPPs may send the bare names of earlier versions; answers carry the full ones. */
export function normaliseSchemeName(schemeName: string): string {
  // A file has hundreds of names, nearly all full ones, so these skip the look-up.
  if (schemeName.startsWith('UK.')) return schemeName;
  return bareNames.has(schemeName) ? `UK.OBIE.${schemeName}` : schemeName;
}

/** The fault of an account: its scheme, or its identification under that scheme. */
export interface AccountFault {
  readonly member: 'SchemeName' | 'Identification' | 'SecondaryIdentification';
  readonly rule: string;
}

/**
 * @param account as sent
 * @param localInstrument a card number is an account only for a balance transfer
 * @param isWalletTaken whether a wallet may be used
 * @returns undefined if the account can be used
 */
export function findAccountFault(
  account: AccountIdentification,
  localInstrument: LocalInstrument | undefined,
  isWalletTaken = false,
): AccountFault | undefined {
  const schemeName = normaliseSchemeName(account.SchemeName);
  const isCard = schemeName === 'UK.OBIE.PAN';
  const isWallet = schemeName === wallet;
  const format = formats.get(schemeName);
  if (
    format === undefined ||
    (isWallet && !isWalletTaken) ||
    (isCard && localInstrument !== 'UK.OBIE.BalanceTransfer')
  ) {
    return {
      member: 'SchemeName',
      rule: isCard
        ? 'may be UK.OBIE.PAN only in a balance transfer'
        : 'must be UK.OBIE.SortCodeAccountNumber, UK.OBIE.IBAN or UK.OBIE.BBAN',
    };
  }
  if (!format.isValid(account.Identification)) return { member: 'Identification', rule: format.rule };
  // A roll number says whose account at a building society is meant; cards and wallets have none, and nothing would
  // carry it.
  if ((isCard || isWallet) && account.SecondaryIdentification !== undefined) {
    const what = isCard ? 'card number' : 'wallet';
    return { member: 'SecondaryIdentification', rule: `must be omitted if the account is a ${what}` };
  }
  return undefined;
}

/**
 * Two schemes can name one account: an IBAN of the United Kingdom holds the sort code and the account number. A BBAN
 * names no country, and Irish ones look the same, so it is compared only with BBANs.
 * @returns whether both name one account, whichever way the scheme is spelt
 */
export function isSameAccount(one: AccountIdentification, other: AccountIdentification): boolean {
  if (normaliseSchemeName(one.SchemeName) === normaliseSchemeName(other.SchemeName)) {
    return one.Identification === other.Identification;
  }
  const number = findSortCodeAndNumber(one);
  return number !== undefined && number === findSortCodeAndNumber(other);
}

/** @returns a key for the account, the same whether its IBAN or its sort code and number name it */
export function accountKey(account: AccountIdentification): string {
  const { SchemeName, Identification } = account;
  return findSortCodeAndNumber(account) ?? `${normaliseSchemeName(SchemeName)}:${Identification}`;
}

function findSortCodeAndNumber({ SchemeName, Identification }: AccountIdentification): string | undefined {
  switch (normaliseSchemeName(SchemeName)) {
    case 'UK.OBIE.SortCodeAccountNumber':
      return Identification;
    case 'UK.OBIE.IBAN':
      return isIban(Identification) ? ukIban.exec(Identification)?.[1] : undefined;
    default:
      return undefined;
  }
}
