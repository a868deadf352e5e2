import type { BankCall } from './psu-authentication.js';

/** An account as OBIE names one (OBCashAccount): scheme with its namespace, e.g. UK.OBIE.SortCodeAccountNumber. */
export interface AccountIdentification {
  readonly schemeName: string;
  readonly identification: string;
}

/** Maximum number of accounts of one PSU: more than anybody could choose from on one page. */
export const PAYMENT_ACCOUNTS_MAX_COUNT = 500;

/** An account from which the PSU may pay. */
export interface PaymentAccount extends AccountIdentification {
  readonly name: string;
  /** roll number at a building society */
  readonly secondaryIdentification?: string;
  /** ISO 4217 */
  readonly currency: string;
  /** money available now: decimal text, at most two decimals, may be negative */
  readonly availableBalance: string;
  /** how many people must approve a payment from this account, this PSU included; at least 1 */
  readonly approvalsRequired: number;
  /** why it cannot pay at the moment; undefined if it can */
  readonly unusable?: UnusableReason;
  /** everybody who may approve a payment from it, this PSU included; undefined if the bank names nobody */
  readonly approvers?: readonly AccountApprover[];
}

/** Somebody who may approve payments from an account, as shown to the other approvers. */
export interface AccountApprover {
  readonly psuId: string;
  readonly displayName: string;
}

export type UnusableReason = 'Blocked' | 'NoPermission' | 'InsufficientFunds';

/** The bank's account directory. */
export abstract class PaymentAccounts {
  /**
   * @returns every account from which the PSU may pay or, with a reason, may not, in the order in which the bank shows
   * them; may be empty
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract findPaymentAccounts(query: { psuId: string; call: BankCall }): Promise<readonly PaymentAccount[]>;
}
