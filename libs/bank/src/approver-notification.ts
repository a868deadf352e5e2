import { Injectable } from '@nestjs/common';
import { type BankCall, BankConnection } from './bank-connection.js';
import type { AccountIdentification } from './payment-accounts.js';

/** A file payment that awaits further approvers. */
export interface ApprovalRequest {
  /** also the idempotency key: approvers are notified once about a file payment, however often the call is repeated */
  readonly filePaymentId: string;
  /** the first approver, who needs no notification */
  readonly psuId: string;
  readonly debtorAccount: AccountIdentification;
  /** sum of all payments, decimal text */
  readonly total: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly numberOfPayments: number;
  /** the requesting TPP, as the pages name it */
  readonly requestedBy: string;
  readonly approvalsRequired: number;
  /** including the first approver's */
  readonly approvalsReceived: number;
  /** where these approvers sign in and decide */
  readonly approvalsUrl: string;
  /** after it the payments are not made; ISO 8601 with offset */
  readonly approveBefore: string;
}

interface ApprovalCall {
  readonly approval: ApprovalRequest;
  readonly call: BankCall;
}

/**
 * Notifies further approvers. Only the bank knows who they are and how to reach them (deploy/bank-openapi.yaml, tag
 * approvals).
 */
@Injectable()
export class ApproverNotification {
  constructor(private readonly connection: BankConnection) {}

  /**
   * Safe to repeat.
   * @returns 'NotOffered' if the bank notifies nobody; the first approver must do so
   * @throws BankUnavailableError (repeat later), BankRefusedError (never), BankAnswerError (somebody has to look)
   */
  async requestApprovals({ approval, call }: ApprovalCall): Promise<'Requested' | 'NotOffered'> {
    const { status } = await this.connection.send({
      operation: 'requestApprovals',
      method: 'POST',
      path: '/approval-requests',
      body: approval,
      idempotencyKey: approval.filePaymentId,
      expected: [204, 404],
      call,
    });
    return status === 404 ? 'NotOffered' : 'Requested';
  }
}
