import { Injectable } from '@nestjs/common';
import { BankConnection } from './bank-connection.js';
import { DeclineReports, type DeclineReport } from './decline-reports.js';
import type { BankCall } from './psu-authentication.js';

/** Reports through the bank's API (deploy/bank-openapi.yaml, tag approvals). */
@Injectable()
export class HttpsDeclineReports extends DeclineReports {
  constructor(private readonly connection: BankConnection) {
    super();
  }

  override async report({
    report,
    call,
  }: {
    report: DeclineReport;
    call: BankCall;
  }): Promise<'Reported' | 'NotOffered'> {
    const { status } = await this.connection.send({
      operation: 'reportDecline',
      method: 'POST',
      path: '/decline-reports',
      body: report,
      expected: [204, 404],
      call,
    });
    return status === 404 ? 'NotOffered' : 'Reported';
  }
}
