import type { AccountIdentification } from './payment-accounts.js';
import type { BankCall } from './psu-authentication.js';

/** A file payment that waits for further people whose approval the account needs. */
export interface ApprovalRequest {
  /** also the idempotency key: the people are told of one file payment once however often it is asked */
  readonly filePaymentId: string;
  /** who approved first, and needs not be told */
  readonly psuId: string;
  readonly debtorAccount: AccountIdentification;
  /** sum of all payments, decimal text */
  readonly total: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly numberOfPayments: number;
  /** the TPP that asks for the payments, by the name the pages call it */
  readonly requestedBy: string;
  readonly approvalsRequired: number;
  /** the first person's among them */
  readonly approvalsReceived: number;
  /** where these people sign in and decide */
  readonly approvalsUrl: string;
  /** afterwards the payments are not made; ISO 8601 with offset */
  readonly approveBefore: string;
}

/** Tells the further people. Only the bank knows who they are and how to reach them. */
export abstract class ApproverNotification {
  /**
   * Safe to repeat.
   * @returns 'NotOffered' if the bank tells nobody: then only the person who approved first can
   * @throws BankUnavailableError (repeat later), BankRefusedError (never), BankAnswerError (somebody has to look)
   */
  abstract requestApprovals(request: {
    approval: ApprovalRequest;
    call: BankCall;
  }): Promise<'Requested' | 'NotOffered'>;
}
