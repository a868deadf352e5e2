import type { AccountProxy, Party, PaymentStatus, RegulatoryReport, StructuredRemittance } from '#libs/obie-rules';
import type { AccountIdentification } from './payment-accounts.js';
import type { BankCall } from './psu-authentication.js';

/** The whole file, whose money the bank reserves before the first payment. */
export interface PaymentBatch {
  /** also the idempotency key: a file payment is reserved once, however often the call is repeated */
  readonly filePaymentId: string;
  readonly consentId: string;
  readonly psuId: string;
  readonly debtorAccount: AccountIdentification;
  /** sum of all payments, decimal text */
  readonly total: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly numberOfPayments: number;
  /** SHA-256 over all payees and amounts, base64url, as in the binding of the challenges */
  readonly payeesHash: string;
  /** of each approval the challenge that authenticated it: the bank compares its binding with this */
  readonly challengeIds: readonly string[];
  /** OBExternalLocalInstrument1Code, e.g. UK.OBIE.FPS */
  readonly localInstrument: string;
  /** ISO 8601 date (YYYY-MM-DD) on which the account is to be debited; absent: as soon as possible */
  readonly requestedExecutionDate?: string;
  /** as the TPP sent it, of kinds that have it */
  readonly risk?: object;
}

/** Why the bank reserves nothing. NotApproved: it has no challenges of its customers for this file. */
export const batchRefusals = ['InsufficientFunds', 'AccountBlocked', 'NotApproved'] as const;
export type BatchRefusal = (typeof batchRefusals)[number];

export type BatchDecision =
  { readonly decision: 'Accepted' } | { readonly decision: 'Refused'; readonly reason: BatchRefusal };

/** A creditor's account; its name is required (OBIE: optional for debtors only). */
export interface CreditorAccount extends AccountIdentification {
  readonly name: string;
  readonly secondaryIdentification?: string;
  readonly proxy?: AccountProxy;
}

/** A postal address in the members of the standard (OBPostalAddress6, and the members that OBPostalAddress7 adds). */
export type BankPostalAddress = Readonly<Record<string, unknown>>;

/** The creditor's bank, or the ultimate creditor or debtor. */
export interface BankParty extends Omit<Party, 'scheme' | 'postalAddress'> {
  /** e.g. UK.OBIE.BICFI */
  readonly schemeName?: string;
  readonly postalAddress?: BankPostalAddress;
}

/** One payment of a file, as handed to its scheme. */
export interface BankPayment {
  /** also the idempotency key: a payment is made once, however often it is handed over */
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
  /** the creditor's reference from the TPP, or the roll number if the scheme carries it instead */
  readonly reference?: string;
  /** the message to the creditor */
  readonly unstructured?: string;
  readonly creditorPostalAddress?: BankPostalAddress;
  readonly creditorAgent?: BankParty;
  readonly ultimateCreditor?: BankParty;
  readonly ultimateDebtor?: BankParty;
  readonly structuredRemittance?: readonly StructuredRemittance[];
  readonly regulatoryReporting?: readonly RegulatoryReport[];
  /** ISO 8601 date (YYYY-MM-DD) */
  readonly requestedExecutionDate?: string;
}

/** The status of a payment, and its reason if the scheme gave one. */
export interface PaymentOutcome {
  readonly status: PaymentStatus;
  readonly statusDetail?: { readonly status: string; readonly reason?: string; readonly description?: string };
}

/** One payment of a file in the bank's own book. */
export interface PaymentAtBank extends PaymentOutcome {
  readonly paymentId: string;
  /** decimal text */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
}

/** All that the bank has of a file payment. */
export interface FileAtBank {
  /** reservation of the money; Unknown: never requested */
  readonly decision: BatchDecision['decision'] | 'Unknown';
  /** in any order; a payment made twice appears twice */
  readonly payments: readonly PaymentAtBank[];
}

/** A request within one attempt at a file payment. */
export interface AttemptCall {
  readonly call: BankCall;
  /** number of the attempt, which only grows; the bank refuses older ones (fencing) */
  readonly attempt: number;
}

/** The payment schemes (FPS, BACS, CHAPS, balance transfer). */
export abstract class PaymentScheme {
  /**
   * Reserves the money of a whole file. Safe to repeat: the answer for one filePaymentId never changes.
   * @throws BankUnavailableError (repeat later), BankRefusedError (never), BankFencedError (it is somebody else's now),
   *   BankAnswerError (somebody has to look)
   */
  abstract reserveBatch(request: AttemptCall & { batch: PaymentBatch }): Promise<BatchDecision>;

  /**
   * Hands one payment to its scheme. Safe to repeat: a payment known to the bank is answered with its current state.
   * @throws BankUnavailableError (repeat later), BankRefusedError (never), BankFencedError (it is somebody else's now),
   *   BankAnswerError (somebody has to look)
   */
  abstract handOverPayment(request: AttemptCall & { payment: BankPayment }): Promise<PaymentOutcome>;

  /**
   * Once the bank has answered, it refuses all requests for the file payment with a lower attempt number, whenever they
   * were sent.
   * @returns 'NotOffered' if the bank has no such operation
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract fenceBatch(request: AttemptCall & { filePaymentId: string }): Promise<'Fenced' | 'NotOffered'>;

  /**
   * Reads the status of a payment.
   * @returns undefined if the bank never received it
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract findPayment(query: { paymentId: string; call: BankCall }): Promise<PaymentOutcome | undefined>;

  /**
   * Reads which payments of a file the bank has: what reconciliation compares with.
   * @returns 'NotOffered' if the bank has no such operation
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract findPaymentsOfFile(query: { filePaymentId: string; call: BankCall }): Promise<FileAtBank | 'NotOffered'>;
}
