import { Injectable } from '@nestjs/common';
import { ApproverNotification, type ApprovalRequest } from './approver-notification.js';
import { BankConnection } from './bank-connection.js';
import type { BankCall } from './psu-authentication.js';

/** Tells further approvers through the bank's API (deploy/bank-openapi.yaml, tag approvals). */
@Injectable()
export class HttpsApproverNotification extends ApproverNotification {
  constructor(private readonly connection: BankConnection) {
    super();
  }

  override async requestApprovals(request: {
    approval: ApprovalRequest;
    call: BankCall;
  }): Promise<'Requested' | 'NotOffered'> {
    const { approval, call } = request;
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
