import type { BankCall } from './psu-authentication.js';

/** An account as OBIE names one (OBCashAccount): scheme with its namespace, e.g. UK.OBIE.SortCodeAccountNumber. */
export interface AccountIdentification {
  readonly schemeName: string;
  readonly identification: string;
}

/** Accounts of one PSU: more than anybody could choose from on one page. */
export const PAYMENT_ACCOUNTS_MAX_COUNT = 500;

/** An account from which the PSU may pay. */
export interface PaymentAccount extends AccountIdentification {
  readonly name: string;
  /** ISO 4217 */
  readonly currency: string;
  /** decimal text, at most two decimals, may be negative; what can be spent now */
  readonly availableBalance: string;
  /** how many people have to approve a payment from this account, this PSU included; at least 1 */
  readonly approvalsRequired: number;
  /** why nothing can be paid from it at the moment; undefined: it can */
  readonly unusable?: UnusableReason;
  /** everybody who may approve a payment from it, this PSU included; undefined: the bank names nobody */
  readonly approvers?: readonly AccountApprover[];
}

/** Somebody who may approve the payments from an account, as others who may are told. */
export interface AccountApprover {
  readonly psuId: string;
  readonly displayName: string;
}

export type UnusableReason = 'Blocked' | 'NoPermission' | 'InsufficientFunds';

/** The bank's account directory. */
export abstract class PaymentAccounts {
  /**
   * @returns every account from which the PSU may pay or, with a reason, may not, in the order in which the bank shows them; may be empty
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract findPaymentAccounts(query: { psuId: string; call: BankCall }): Promise<readonly PaymentAccount[]>;
}
