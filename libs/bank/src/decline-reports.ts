import { Injectable } from '@nestjs/common';
import { type BankCall, BankConnection } from './bank-connection.js';

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

/** Reports to the bank why a customer declined (deploy/bank-openapi.yaml, tag approvals). */
@Injectable()
export class DeclineReports {
  constructor(private readonly connection: BankConnection) {}

  /**
   * @returns 'NotOffered' if the bank takes no such reports
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError: the decline counts all the same
   */
  async report(declined: { report: DeclineReport; call: BankCall }): Promise<'Reported' | 'NotOffered'> {
    const { status } = await this.connection.send({
      operation: 'reportDecline',
      method: 'POST',
      path: '/decline-reports',
      body: declined.report,
      expected: [204, 404],
      call: declined.call,
    });
    return status === 404 ? 'NotOffered' : 'Reported';
  }
}
