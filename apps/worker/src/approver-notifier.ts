import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { ApprovalRequestQueue, type DueApprovalRequest } from '#libs/payment-order';
import { type ApprovalRequest, ApproverNotification, BankRefusedError, BankUnavailableError } from '#libs/bank';
import { Config } from '#libs/config';

/** Notifications sent simultaneously. */
const batchSize = 20;

/** Asks the bank to notify further approvers (OBMultiAuthorisation1). */
@Injectable()
export class ApproverNotifier {
  readonly #logger = new Logger('ApproverNotifier');
  #isOffered = true;

  constructor(
    private readonly queue: ApprovalRequestQueue,
    private readonly notification: ApproverNotification,
    private readonly config: Config,
  ) {}

  /**
   * Sends due notifications.
   * @returns whether there may be more
   */
  async notifyNext(): Promise<boolean> {
    const due = await this.queue.take(batchSize);
    const isDone = await Promise.all(due.map((request) => this.#notify(request)));
    const done = due.filter((_, index) => isDone[index]);
    await this.queue.remove(done.map(({ filePaymentId }) => filePaymentId));
    // An unavailable bank is not asked for the whole list.
    return due.length === batchSize && done.length > 0;
  }

  /** @returns whether it is done: notified, or not offered by this bank */
  async #notify(due: DueApprovalRequest): Promise<boolean> {
    const { filePaymentId, attempts } = due;
    try {
      const call = { interactionId: randomUUID() };
      const outcome = await this.notification.requestApprovals({ approval: this.#toApprovalRequest(due), call });
      this.#noteOffer(outcome === 'Requested');
      return true;
    } catch (error) {
      const level = error instanceof BankUnavailableError ? 'warn' : 'error';
      this.#logger[level]({ message: 'Further approvers were not notified.', filePaymentId, attempts, error });
      return error instanceof BankRefusedError;
    }
  }

  #toApprovalRequest(due: DueApprovalRequest): ApprovalRequest {
    const { clientName, approveBefore, attempts: _, ...rest } = due;
    return {
      ...rest,
      currency: 'GBP',
      // Software statements do not limit its length, but a message to a person does.
      requestedBy: clientName.slice(0, 350),
      approvalsUrl: `${this.config.authUrl}/approvals`,
      approveBefore: approveBefore.toISOString(),
    };
  }

  #noteOffer(isOffered: boolean): void {
    if (this.#isOffered && !isOffered) {
      this.#logger.warn('The bank does not notify further approvers (404): the first approver must tell them.');
    }
    this.#isOffered = isOffered;
  }
}
