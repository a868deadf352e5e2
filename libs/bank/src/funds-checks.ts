import { Injectable } from '@nestjs/common';
import { type BankCall, BankConnection } from './bank-connection.js';
import { parseTruth } from './parse-bank-answer.js';
import type { AccountIdentification } from './payment-accounts.js';

/** The question to the bank: one amount in one account of a customer who has agreed to it. */
export interface FundsCheck {
  readonly consentId: string;
  readonly psuId: string;
  /** as the bank itself names it */
  readonly account: AccountIdentification;
  /** decimal text */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly call: BankCall;
}

/** Whether an amount is available (deploy/bank-openapi.yaml, tag funds). */
@Injectable()
export class FundsChecks {
  constructor(private readonly connection: BankConnection) {}

  /**
   * Nothing is reserved, and nothing changes at the bank.
   * @returns false also for an account that is blocked or closed, or no longer the customer's
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError
   */
  async isAvailable({ call, ...check }: FundsCheck): Promise<boolean> {
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
