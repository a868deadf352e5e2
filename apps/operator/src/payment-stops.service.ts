import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BankAnswerError, BankFencedError, BankRefusedError, BankUnavailableError, PaymentScheme } from '#libs/bank';
import { Clock } from '#libs/config';
import {
  endStop,
  findBegunStoppedOrders,
  findStoppedOrders,
  findStops,
  isStopTarget,
  openLists,
  orderStop,
  type PaymentStop,
  putAsideStopped,
  putBackAllReleased,
  releaseOrder,
  type StoppedPayment,
  type StoppedPaymentOfKind,
  type StopTarget,
} from '#libs/payment-order';
import { Database, DatabaseReader, readTime, recordAuditEvent, type StatementRunner, walk } from '#libs/persistence';
import { OperatorError } from './operator-error.js';
import type { StopOrder } from './command.js';

/** Payment orders to fence at the bank simultaneously. */
const groupSize = 10;

/** The result of a stop. */
export interface StopOutcome {
  readonly scope: StopTarget['scope'];
  readonly target: string;
  readonly done: 'stop';
  /** payment orders removed from the queue now; later ones when they are due */
  readonly stopped: number;
  /** payment orders whose older attempts the bank now refuses */
  readonly fenced: number;
  /** those for which the bank offers no fence: a worker's last requests may still arrive */
  readonly unfenced: number;
  /** those for which the bank was unavailable: repeat the order */
  readonly unreachable: number;
}

/** Stops payment orders that have not been handed over, and resumes them. */
@Injectable()
export class PaymentStops {
  constructor(
    private readonly database: Database,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly scheme: PaymentScheme,
  ) {}

  /** Reads write no audit event. */
  findStops(): Promise<PaymentStop[]> {
    return findStops(this.reader);
  }

  findStopped(): Promise<StoppedPaymentOfKind[]> {
    return findStoppedOrders(this.reader);
  }

  /**
   * After the commit no worker takes what is stopped, and a worker that has it loses it. Then the bank is told to
   * refuse requests in flight. Repeating the order tells the bank again.
   * @throws OperatorError if there is no such payment order or client
   */
  async stop({ target, mandate }: StopOrder): Promise<StopOutcome> {
    const { actor, reason } = mandate;
    const now = await readTime(this.database, this.clock.ofDatabase());
    await this.database.transaction(async (runner) => {
      await mandate.confirm?.(runner);
      if (!(await isStopTarget(runner, target))) throw noTarget(target);
      const isNew = await orderStop(runner, target, { actor, reason, now });
      if (isNew) await this.#record(runner, 'payments.stop', { target, mandate });
    });
    const stopped = await this.#putAside(now);
    return { ...target, done: 'stop', stopped, ...(await this.#fenceAll()) };
  }

  /**
   * Ends an order. A payment order of a suspended or removed client continues only if it is named.
   * @throws OperatorError when nothing of the kind is stopped
   */
  async resume({ target, mandate }: StopOrder): Promise<StopTarget & { done: 'resume'; resumed: number }> {
    const now = await readTime(this.database, this.clock.ofDatabase());
    await this.database.transaction(async (runner) => {
      await mandate.confirm?.(runner);
      const isEnded = await endStop(runner, target, now);
      const isReleased =
        target.scope === 'PaymentOrder' &&
        (await releaseOrder(runner, { filePaymentId: target.target, now })) !== undefined;
      if (!isEnded && !isReleased) throw nothingStopped(target);
      await this.#record(runner, 'payments.resume', { target, mandate });
    });
    const resumed = await putBackAllReleased(this.database, now);
    return { ...target, done: 'resume', resumed };
  }

  /**
   * In small steps, so that requests and workers can run in between. After an interruption, the same order continues
   * with the rest.
   */
  async #putAside(now: Date): Promise<number> {
    let total = 0;
    for (const list of openLists) total += await walk((after) => putAsideStopped(this.database, { list, now }, after));
    return total;
  }

  async #fenceAll(): Promise<Pick<StopOutcome, 'fenced' | 'unfenced' | 'unreachable'>> {
    const counts = { fenced: 0, unfenced: 0, unreachable: 0 };
    let page = await findBegunStoppedOrders(this.database);
    while (page.length > 0) {
      for (let start = 0; start < page.length; start += groupSize) {
        const outcomes = await Promise.all(page.slice(start, start + groupSize).map((each) => this.#fence(each)));
        for (const outcome of outcomes) counts[outcome] += 1;
      }
      page = await findBegunStoppedOrders(this.database, page.at(-1));
    }
    return counts;
  }

  async #fence({
    filePaymentId,
    handOverAttempt: attempt,
  }: StoppedPayment): Promise<'fenced' | 'unfenced' | 'unreachable'> {
    try {
      const call = { interactionId: randomUUID() };
      const outcome = await this.scheme.fenceBatch({ filePaymentId, attempt, call });
      return outcome === 'Fenced' ? 'fenced' : 'unfenced';
    } catch (error) {
      // The bank knows a later attempt.
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
      occurredAt: await readTime(runner, this.clock.ofDatabase()),
    });
  }
}

function nothingStopped({ scope, target }: StopTarget): OperatorError {
  const what = scope === 'All' ? 'all payment orders' : `${scope} ${target}`;
  return new OperatorError(`There is no order for ${what}. "payments stops" lists the orders in force.`, 'refused');
}

function noTarget({ scope, target }: StopTarget): OperatorError {
  return new OperatorError(`There is no ${scope === 'Client' ? 'client' : 'payment order'} ${target}.`, 'refused');
}
