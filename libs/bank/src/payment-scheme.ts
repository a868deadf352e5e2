import type { PaymentStatus } from '#libs/obie-rules';
import type { AccountIdentification } from './payment-accounts.js';
import type { BankCall } from './psu-authentication.js';

/** The whole file, for which the bank sets money aside before the first payment goes out. */
export interface PaymentBatch {
  /** also the idempotency key: the same file payment is reserved once however often it is asked */
  readonly filePaymentId: string;
  readonly consentId: string;
  readonly psuId: string;
  readonly debtorAccount: AccountIdentification;
  /** sum of all payments, decimal text */
  readonly total: string;
  /** ISO 4217 */
  readonly currency: string;
  /** OBExternalLocalInstrument1Code, e.g. UK.OBIE.FPS */
  readonly localInstrument: string;
  /** ISO 8601 date (YYYY-MM-DD) on which the account is to be debited; absent: as soon as possible */
  readonly requestedExecutionDate?: string;
}

export type BatchDecision =
  | { readonly decision: 'Accepted' }
  | { readonly decision: 'Refused'; readonly reason: 'InsufficientFunds' | 'AccountBlocked' };

/** A creditor's account; its name is required (OBIE: optional for debtors only). */
export interface CreditorAccount extends AccountIdentification {
  readonly name: string;
  readonly secondaryIdentification?: string;
}

/** One payment of a file, as it goes to its scheme. */
export interface PaymentInstruction {
  /** also the idempotency key: one payment leaves the bank once however often it is handed over */
  readonly paymentId: string;
  readonly filePaymentId: string;
  readonly debtorAccount: AccountIdentification;
  readonly creditorAccount: CreditorAccount;
  /** decimal text */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly localInstrument: string;
  /** at most what the scheme carries */
  readonly endToEndIdentification?: string;
  /** RemittanceInformation.Reference, or the creditor's roll number where the scheme carries it in its place */
  readonly reference?: string;
  /** RemittanceInformation.Unstructured */
  readonly unstructured?: string;
  /** CreditorPostalAddress as the TPP sent it (OBPostalAddress6) */
  readonly creditorPostalAddress?: Readonly<Record<string, unknown>>;
  /** ISO 8601 date (YYYY-MM-DD) */
  readonly requestedExecutionDate?: string;
}

/** Where a payment is, and why if the scheme said so. */
export interface PaymentOutcome {
  readonly status: PaymentStatus;
  readonly statusDetail?: { readonly status: string; readonly reason?: string; readonly description?: string };
}

/** The way to the payment schemes (FPS, BACS, CHAPS, balance transfer). */
export abstract class PaymentScheme {
  /**
   * Reserves the money of a whole file. Safe to repeat: the answer for one filePaymentId never changes.
   * @throws BankUnavailableError (repeat later), BankRefusedError (never), BankAnswerError (somebody has to look)
   */
  abstract reserveBatch(request: { batch: PaymentBatch; call: BankCall }): Promise<BatchDecision>;

  /**
   * Hands one payment to its scheme. Safe to repeat: a payment known to the bank is answered with its current state.
   * @throws BankUnavailableError (repeat later), BankRefusedError (never), BankAnswerError (somebody has to look)
   */
  abstract handOverPayment(request: { payment: PaymentInstruction; call: BankCall }): Promise<PaymentOutcome>;

  /**
   * Reads where a payment is now.
   * @returns undefined if the bank never received it
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract findPayment(query: { paymentId: string; call: BankCall }): Promise<PaymentOutcome | undefined>;
}
