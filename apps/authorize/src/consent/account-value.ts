import type { PaymentAccount } from '#libs/bank';
import type { AccountIdentification } from '#libs/obie-rules';
import { createPageValue } from '../psu-session/page-value.js';

type NamedAccount = Pick<PaymentAccount, 'schemeName' | 'identification'>;

/** @returns the form value of an account, so that the page contains no account number besides the displayed one */
export function createAccountValue(account: NamedAccount, sessionValue: string): string {
  return createPageValue(sessionValue, 'account', nameOf(account));
}

/** @returns the accounts by their possible form values: a script may send the account itself */
export function accountsByName<Account extends NamedAccount>(
  accounts: readonly Account[],
  sessionValue: string,
): ReadonlyMap<string, Account> {
  return new Map(
    accounts.flatMap((account) => [
      [createAccountValue(account, sessionValue), account],
      [nameOf(account), account],
    ]),
  );
}

/** @returns whether a text may be in an address, which others may see */
export function isAccountValue(text: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(text);
}

/** Identifies an account among those of one customer. */
export function nameOf({ schemeName, identification }: NamedAccount): string {
  return `${schemeName}:${identification}`;
}

/** As {@link nameOf}, for an account in the names of OBCashAccount. */
export function nameOfChosen({ SchemeName, Identification }: AccountIdentification): string {
  return nameOf({ schemeName: SchemeName, identification: Identification });
}

/** @returns the account in the names of OBCashAccount */
export function toObieAccount({ schemeName, identification }: NamedAccount): AccountIdentification {
  return { SchemeName: schemeName, Identification: identification };
}
