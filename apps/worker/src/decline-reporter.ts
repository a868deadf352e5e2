import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DeclineNoticeQueue, type DueDeclineNotice } from '#libs/authorization-session';
import { BankRefusedError, BankUnavailableError, DeclineReports } from '#libs/bank';

/** Notices sent at the same time. */
const batchSize = 20;

/** With pauses of up to an hour, more than a week: whom the bank wanted to ask has long called, or has not. */
const mostAttempts = 200;

/** Tells the bank why customers decline. The decline counts without it, and the audit trail has the reason. */
@Injectable()
export class DeclineReporter {
  readonly #queue: DeclineNoticeQueue;
  readonly #reports: DeclineReports;
  readonly #logger = new Logger('DeclineReporter');

  constructor(queue: DeclineNoticeQueue, reports: DeclineReports) {
    this.#queue = queue;
    this.#reports = reports;
  }

  /**
   * Tells of what is due.
   * @returns whether there may be more
   */
  async reportNext(): Promise<boolean> {
    const due = await this.#queue.take(batchSize);
    const isDone = await Promise.all(due.map((notice) => this.#report(notice)));
    const done = due.filter((_, index) => isDone[index]);
    await this.#queue.remove(done.map(({ declineNoticeId }) => declineNoticeId));
    // A bank that is away is not asked for the whole list.
    return due.length === batchSize && done.length > 0;
  }

  /** @returns whether nothing is left to do: told, or never to be told */
  async #report({ report, interactionId = randomUUID(), attempts }: DueDeclineNotice): Promise<boolean> {
    try {
      await this.#reports.report({ report, call: { interactionId } });
      return true;
    } catch (error) {
      const isOver = error instanceof BankRefusedError || attempts >= mostAttempts;
      this.#logger[error instanceof BankUnavailableError && !isOver ? 'warn' : 'error']({
        message: `The bank could not be told why a customer declined.${isOver ? ' It will not be told.' : ''}`,
        interactionId,
        attempts,
        error,
      });
      return isOver;
    }
  }
}
