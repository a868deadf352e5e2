import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DeclineNoticeQueue, type DueDeclineNotice } from '#libs/customer-session';
import { BankRefusedError, BankUnavailableError, DeclineReports } from '#libs/bank';

/** Notices sent simultaneously. */
const batchSize = 20;

/** With pauses of up to an hour, more than a week; a later report is of no use. */
const mostAttempts = 200;

/**
 * Reports to the bank why customers decline. The decline is valid without the report, and the audit trail has the
 * reason.
 */
@Injectable()
export class DeclineReporter {
  readonly #logger = new Logger('DeclineReporter');

  constructor(
    private readonly queue: DeclineNoticeQueue,
    private readonly reports: DeclineReports,
  ) {}

  /**
   * Sends due reports.
   * @returns whether there may be more
   */
  async reportNext(): Promise<boolean> {
    const due = await this.queue.take(batchSize);
    const isDone = await Promise.all(due.map((notice) => this.#report(notice)));
    const done = due.filter((_, index) => isDone[index]);
    await this.queue.remove(done.map(({ declineNoticeId }) => declineNoticeId));
    // An unavailable bank is not asked for the whole list.
    return due.length === batchSize && done.length > 0;
  }

  /** @returns whether it is done: reported, or never to be reported */
  async #report({ report, interactionId = randomUUID(), attempts }: DueDeclineNotice): Promise<boolean> {
    try {
      await this.reports.report({ report, call: { interactionId } });
      return true;
    } catch (error) {
      const isOver = error instanceof BankRefusedError || attempts >= mostAttempts;
      this.#logger[error instanceof BankUnavailableError && !isOver ? 'warn' : 'error']({
        message:
          "A customer's reason for declining could not be reported to the bank." +
          (isOver ? ' It will not be reported.' : ''),
        interactionId,
        attempts,
        error,
      });
      return isOver;
    }
  }
}
