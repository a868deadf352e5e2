import type { BankCall } from './psu-authentication.js';

/** A decline for which the customer gave a reason. */
export interface DeclineReport {
  readonly psuId: string;
  readonly reason: 'ChangedMind' | 'NotRecognised' | 'WrongDetails' | 'SuspectedFraud' | 'Other';
  /** the consent; absent for access without one */
  readonly fileId?: string;
  /** of a further approver: the file payment */
  readonly filePaymentId?: string;
  /** the requesting TPP, as the pages name it */
  readonly requestedBy: string;
}

/** Reports to the bank why a customer declined. */
export abstract class DeclineReports {
  /**
   * @returns 'NotOffered' if the bank takes no such reports
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError: the decline counts all the same
   */
  abstract report(of: { report: DeclineReport; call: BankCall }): Promise<'Reported' | 'NotOffered'>;
}
