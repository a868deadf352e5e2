import { Injectable } from '@nestjs/common';
import { type BankCall, BankConnection } from './bank-connection.js';
import {
  parseList,
  parseObject,
  parseOptionalText,
  parsePattern,
  parseText,
  parseWholeNumber,
  parseWord,
} from './parse-bank-answer.js';

/** An account as OBIE names one (OBCashAccount): scheme with its namespace, e.g. UK.OBIE.SortCodeAccountNumber. */
export interface AccountIdentification {
  readonly schemeName: string;
  readonly identification: string;
}

/** Maximum number of accounts of one PSU: more than anybody could choose from on one page. */
export const PAYMENT_ACCOUNTS_MAX_COUNT = 500;

/** An account from which the PSU may pay. */
export interface PaymentAccount extends AccountIdentification {
  readonly name: string;
  /** roll number at a building society */
  readonly secondaryIdentification?: string;
  /** ISO 4217 */
  readonly currency: string;
  /** money available now: decimal text, at most two decimals, may be negative */
  readonly availableBalance: string;
  /** how many people must approve a payment from this account, this PSU included; at least 1 */
  readonly approvalsRequired: number;
  /** why it cannot pay at the moment; undefined if it can */
  readonly unusable?: UnusableReason;
  /** everybody who may approve a payment from it, this PSU included; undefined if the bank names nobody */
  readonly approvers?: readonly AccountApprover[];
}

/** Somebody who may approve payments from an account, as shown to the other approvers. */
export interface AccountApprover {
  readonly psuId: string;
  readonly displayName: string;
}

export type UnusableReason = 'Blocked' | 'NoPermission' | 'InsufficientFunds';

const reasons: readonly UnusableReason[] = ['Blocked', 'NoPermission', 'InsufficientFunds'];
const maxApprovers = 100;

/** The bank's account directory (deploy/bank-openapi.yaml, tag payment-accounts). */
@Injectable()
export class PaymentAccounts {
  constructor(private readonly connection: BankConnection) {}

  /**
   * @returns every account from which the PSU may pay or, with a reason, may not, in the order in which the bank shows
   * them; may be empty
   * @throws BankUnavailableError, BankAnswerError
   */
  async findPaymentAccounts(query: { psuId: string; call: BankCall }): Promise<readonly PaymentAccount[]> {
    const { body } = await this.connection.send({
      operation: 'findPaymentAccounts',
      method: 'GET',
      path: `/psus/${encodeURIComponent(query.psuId)}/payment-accounts`,
      call: query.call,
      expected: [200],
    });
    return parseList(body, 'accounts', PAYMENT_ACCOUNTS_MAX_COUNT).map(parsePaymentAccount);
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
    ...(account['approvers'] !== undefined && {
      approvers: parseList(account, 'approvers', maxApprovers).map(parseApprover),
    }),
  };
}

function parseApprover(value: unknown): AccountApprover {
  const approver = parseObject(value, 'approver');
  return { psuId: parseText(approver, 'psuId', 128), displayName: parseText(approver, 'displayName', 140) };
}
