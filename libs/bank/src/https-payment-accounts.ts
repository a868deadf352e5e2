import { Injectable } from '@nestjs/common';
import { BankConnection } from './bank-connection.js';
import { BankAnswerError } from './bank.errors.js';
import {
  parseObject,
  parseOptionalText,
  parsePattern,
  parseText,
  parseWholeNumber,
  parseWord,
} from './parse-bank-answer.js';
import {
  PAYMENT_ACCOUNTS_MAX_COUNT,
  PaymentAccounts,
  type AccountApprover,
  type PaymentAccount,
  type UnusableReason,
} from './payment-accounts.js';
import type { BankCall } from './psu-authentication.js';

const reasons: readonly UnusableReason[] = ['Blocked', 'NoPermission', 'InsufficientFunds'];
const maxApprovers = 100;

/** The account directory through the bank's API (deploy/bank-openapi.yaml, tag payment-accounts). */
@Injectable()
export class HttpsPaymentAccounts extends PaymentAccounts {
  constructor(private readonly connection: BankConnection) {
    super();
  }

  override async findPaymentAccounts(query: { psuId: string; call: BankCall }): Promise<readonly PaymentAccount[]> {
    const { body } = await this.connection.send({
      operation: 'findPaymentAccounts',
      method: 'GET',
      path: `/psus/${encodeURIComponent(query.psuId)}/payment-accounts`,
      call: query.call,
      expected: [200],
    });
    const accounts = body['accounts'];
    if (!Array.isArray(accounts) || accounts.length > PAYMENT_ACCOUNTS_MAX_COUNT) {
      throw new BankAnswerError("The bank's answer has no usable accounts.");
    }
    return accounts.map(parsePaymentAccount);
  }
}

function parsePaymentAccount(value: unknown): PaymentAccount {
  const account = parseObject(value, 'account');
  const secondaryIdentification = parseOptionalText(account, 'secondaryIdentification', 34);
  return {
    schemeName: parseText(account, 'schemeName', 40),
    identification: parseText(account, 'identification', 256),
    name: parseText(account, 'name', 140),
    ...(secondaryIdentification !== undefined && { secondaryIdentification }),
    currency: parsePattern(account, 'currency', /^[A-Z]{3}$/),
    availableBalance: parsePattern(account, 'availableBalance', /^-?\d{1,13}(\.\d{1,2})?$/),
    approvalsRequired: parseWholeNumber(account, 'approvalsRequired', 1, 100),
    ...(account['unusable'] !== undefined && { unusable: parseWord(account, 'unusable', reasons) }),
    ...(account['approvers'] !== undefined && { approvers: parseApprovers(account['approvers']) }),
  };
}

function parseApprovers(value: unknown): AccountApprover[] {
  if (!Array.isArray(value) || value.length > maxApprovers) {
    throw new BankAnswerError("The bank's answer has no usable approvers.");
  }
  return value.map((one) => {
    const approver = parseObject(one, 'approver');
    return { psuId: parseText(approver, 'psuId', 128), displayName: parseText(approver, 'displayName', 140) };
  });
}
