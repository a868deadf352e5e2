import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BankAnswerError, BankFencedError, BankRefusedError, BankUnavailableError, PaymentScheme } from '#libs/bank';
import { Clock } from '#libs/config';
import {
  endStop,
  findBegunStoppedFilePayments,
  findStoppedFilePayments,
  findStops,
  isStopTarget,
  openLists,
  orderStop,
  type PaymentStop,
  putAsideStopped,
  putBackAllReleased,
  releaseFilePayment,
  type StoppedPayment,
  type StopTarget,
} from '#libs/file-payment';
import { Database, recordAuditEvent, type StatementRunner, walk } from '#libs/persistence';
import { OperatorError } from './operator-error.js';
import type { StopOrder } from './command.js';

/** File payments of which the bank is told at the same time. */
const groupSize = 10;

/** What a stop came to. */
export interface StopOutcome {
  readonly scope: StopTarget['scope'];
  readonly target: string;
  readonly done: 'stop';
  /** file payments that were taken out of the queue now; later ones are when they are due */
  readonly stopped: number;
  /** file payments of which the bank refuses older attempts from now on */
  readonly fenced: number;
  /** those of which it does not offer that: what a worker has sent in its last seconds may still arrive */
  readonly unfenced: number;
  /** those of which it could not be told: order the same again */
  readonly unreachable: number;
}

/** Stops what has not left the bank yet, and lets it go again. */
@Injectable()
export class PaymentStops {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #scheme: PaymentScheme;

  constructor(database: Database, clock: Clock, scheme: PaymentScheme) {
    this.#database = database;
    this.#clock = clock;
    this.#scheme = scheme;
  }

  /** Reading leaves no trace. */
  findStops(): Promise<PaymentStop[]> {
    return findStops(this.#database);
  }

  findStopped(): Promise<StoppedPayment[]> {
    return findStoppedFilePayments(this.#database);
  }

  /**
   * From the commit on no worker takes what is stopped, and who has it loses it; then the bank is told to refuse what
   * may still be on its way. Ordered again, it tells the bank once more.
   * @throws OperatorError when there is no such file payment or client
   */
  async stop({ target, mandate }: StopOrder): Promise<StopOutcome> {
    const { actor, reason } = mandate;
    const now = this.#clock.now();
    await this.#database.transaction(async (runner) => {
      if (!(await isStopTarget(runner, target))) throw noTarget(target);
      const isNew = await orderStop(runner, target, { actor, reason, now });
      if (isNew) await this.#record(runner, 'payments.stop', { target, mandate });
    });
    const stopped = await this.#putAside(now);
    return { ...target, done: 'stop', stopped, ...(await this.#fenceAll()) };
  }

  /**
   * Takes an order back. A file payment of a client that is shut out goes on when it is named itself.
   * @throws OperatorError when nothing of the kind is stopped
   */
  async resume({ target, mandate }: StopOrder): Promise<StopTarget & { done: 'resume'; resumed: number }> {
    const now = this.#clock.now();
    await this.#database.transaction(async (runner) => {
      const isEnded = await endStop(runner, target, now);
      const isReleased = target.scope === 'FilePayment' && (await this.#release(runner, target.target, now));
      if (!isEnded && !isReleased) throw nothingStopped(target);
      await this.#record(runner, 'payments.resume', { target, mandate });
    });
    const resumed = await putBackAllReleased(this.#database, now);
    return { ...target, done: 'resume', resumed };
  }

  async #release(runner: StatementRunner, filePaymentId: string, now: Date): Promise<boolean> {
    return (await releaseFilePayment(runner, { filePaymentId, now })) !== undefined;
  }

  /** In small steps: requests and workers have their turn between them. Ended half way, the same order goes on with what is left. */
  async #putAside(now: Date): Promise<number> {
    let total = 0;
    for (const list of openLists) total += await walk((after) => putAsideStopped(this.#database, { list, now }, after));
    return total;
  }

  async #fenceAll(): Promise<Pick<StopOutcome, 'fenced' | 'unfenced' | 'unreachable'>> {
    const counts = { fenced: 0, unfenced: 0, unreachable: 0 };
    let page = await findBegunStoppedFilePayments(this.#database);
    while (page.length > 0) {
      for (let start = 0; start < page.length; start += groupSize) {
        const outcomes = await Promise.all(page.slice(start, start + groupSize).map((each) => this.#fence(each)));
        for (const outcome of outcomes) counts[outcome] += 1;
      }
      page = await findBegunStoppedFilePayments(this.#database, page.at(-1));
    }
    return counts;
  }

  async #fence({
    filePaymentId,
    handOverAttempt: attempt,
  }: StoppedPayment): Promise<'fenced' | 'unfenced' | 'unreachable'> {
    try {
      const call = { interactionId: randomUUID() };
      const outcome = await this.#scheme.fenceBatch({ filePaymentId, attempt, call });
      return outcome === 'Fenced' ? 'fenced' : 'unfenced';
    } catch (error) {
      // A later attempt is known there.
      if (error instanceof BankFencedError) return 'fenced';
      const isOfBank = [BankUnavailableError, BankAnswerError, BankRefusedError].some((kind) => error instanceof kind);
      if (isOfBank) return 'unreachable';
      throw error;
    }
  }

  async #record(runner: StatementRunner, action: string, { target, mandate }: StopOrder): Promise<void> {
    const { actor, reason } = mandate;
    await recordAuditEvent(runner, {
      actor,
      action,
      ...(target.scope === 'Client' ? { clientId: target.target } : {}),
      details: { ...target, reason },
      occurredAt: this.#clock.now(),
    });
  }
}

function nothingStopped({ scope, target }: StopTarget): OperatorError {
  const what = scope === 'All' ? 'all file payments' : `${scope} ${target}`;
  return new OperatorError(`There is no order for ${what}. "payments stops" lists the orders in force.`, 'refused');
}

function noTarget({ scope, target }: StopTarget): OperatorError {
  return new OperatorError(`There is no ${scope === 'Client' ? 'client' : 'file payment'} ${target}.`, 'refused');
}
