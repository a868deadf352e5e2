import type { BankCall } from './psu-authentication.js';

/** A customer declined, and said why. */
export interface DeclineReport {
  readonly psuId: string;
  readonly reason: 'ChangedMind' | 'NotRecognised' | 'WrongDetails' | 'SuspectedFraud' | 'Other';
  /** the consent; absent where the TPP asked for access without one */
  readonly fileId?: string;
  /** of a further approver: what had been paid otherwise */
  readonly filePaymentId?: string;
  /** the TPP that asked, by the name the pages call it */
  readonly requestedBy: string;
}

/** Tells the bank why a customer declined. */
export abstract class DeclineReports {
  /**
   * @returns 'NotOffered' if the bank does not want to hear it
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError: the decline counts all the same
   */
  abstract report(of: { report: DeclineReport; call: BankCall }): Promise<'Reported' | 'NotOffered'>;
}
