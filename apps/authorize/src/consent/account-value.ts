import type { PaymentAccount } from '#libs/bank';
import { createPageValue } from '../psu-session/page-value.js';

type NamedAccount = Pick<PaymentAccount, 'schemeName' | 'identification'>;

/** @returns what the form sends back for an account: on the page stands no account number but the one that is shown */
export function createAccountValue(account: NamedAccount, sessionValue: string): string {
  return createPageValue(sessionValue, 'account', nameOf(account));
}

/**
 * @returns the accounts by what a form or an address may call them. A page of the version before, and a script that knows the account, name it
 * as it is.
 */
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

/** @returns whether a text may stand in an address, which others may see */
export function isAccountValue(text: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(text);
}

/** What names an account among those of one customer. */
export function nameOf({ schemeName, identification }: NamedAccount): string {
  return `${schemeName}:${identification}`;
}
