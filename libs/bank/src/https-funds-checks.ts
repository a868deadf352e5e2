import { Injectable } from '@nestjs/common';
import { BankConnection } from './bank-connection.js';
import { FundsChecks, type FundsCheck } from './funds-checks.js';
import { parseTruth } from './parse-bank-answer.js';

/** Checks the funds for an amount through the bank's API (deploy/bank-openapi.yaml, tag funds). */
@Injectable()
export class HttpsFundsChecks extends FundsChecks {
  constructor(private readonly connection: BankConnection) {
    super();
  }

  override async isAvailable({ call, ...check }: FundsCheck): Promise<boolean> {
    const { body } = await this.connection.send({
      operation: 'checkFunds',
      method: 'POST',
      path: '/funds-checks',
      body: check,
      isRead: true,
      isShared: true,
      expected: [200],
      call,
    });
    return parseTruth(body, 'isAvailable');
  }
}
