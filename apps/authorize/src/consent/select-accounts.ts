import type { PaymentAccount } from '#libs/bank';
import { isSameAccount } from '#libs/obie-rules';
import { toObieAccount } from './account-value.js';
import type { PaymentsToApprove } from './payments-to-approve.js';

/** The accounts that the PSU may choose from, or why there is none. */
export type AccountSelection =
  | { readonly outcome: 'Selectable'; readonly accounts: readonly PaymentAccount[] }
  /** the TPP named an account that this PSU cannot pay from, or the PSU has none */
  | { readonly outcome: 'NoAccount' }
  /** AuthorisationType Single, but every account needs several approvers (OBIE file payments, AuthorisationType) */
  | { readonly outcome: 'SingleNotPossible' };

/**
 * @param accounts all accounts of the PSU
 * @returns only the named account if the TPP named one; otherwise every account that fits the file
 */
export function selectAccounts(accounts: readonly PaymentAccount[], file: PaymentsToApprove): AccountSelection {
  const { requestedAccount, currency, authorisation } = file;
  const fitting = accounts.filter(
    (account) =>
      account.currency === currency &&
      (requestedAccount === undefined || isSameAccount(toObieAccount(account), requestedAccount)),
  );
  if (fitting.length === 0) return { outcome: 'NoAccount' };
  if (authorisation?.AuthorisationType !== 'Single') return { outcome: 'Selectable', accounts: fitting };
  const single = fitting.filter(({ approvalsRequired }) => approvalsRequired === 1);
  return single.length === 0 ? { outcome: 'SingleNotPossible' } : { outcome: 'Selectable', accounts: single };
}
