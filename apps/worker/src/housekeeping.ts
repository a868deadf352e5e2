import { Injectable, Logger } from '@nestjs/common';
import { eraseAuditEvents } from '#libs/audit';
import { AuthorizationSessionService } from '#libs/customer-session';
import {
  endApprovalsOfClient,
  PaymentApprovalService,
  deleteExpiredOperatorRequests,
  eraseOldCustomerData,
  putBackReleased,
} from '#libs/payment-order';
import { Clock, Config } from '#libs/config';
import { AccessConsentService, eraseOldAccess } from '#libs/access-consent';
import { ConsentService } from '#libs/consent';
import { EventOutbox } from '#libs/events';
import { IdempotencyStore } from '#libs/idempotency';
import { Database, type PageOutcome, type Place, readTime } from '#libs/persistence';
import { Telemetry } from '#libs/telemetry';
import { AccessTokenStore, TokenHousekeeping } from '#libs/token-store';
import { HousekeepingMetrics } from './housekeeping-metrics.js';
import { takeTurn } from './take-turn.js';

/**
 * Rows of one table ended or removed by one statement: long lists are worked off in small steps, beside the requests.
 */
const batchSize = 2_000;
/**
 * Consents whose customer data one statement erases: each may have 150 payments, and a statement that takes too long
 * never has an effect.
 */
const customerDataErased = 200;
/** Seals whose events are erased by one statement: up to a thousand events each, and most often a few. */
const sealsErased = 20;
const dayMilliseconds = 86_400_000;

/** One kind of thing that ends. */
interface Task {
  /** the table, and what happens to its rows */
  readonly name: string;
  readonly step: (now: Date) => Promise<Step>;
}

/** The result of one step of a task. */
interface Step {
  /** rows that it ended */
  readonly ended: number;
  /** whether there may be more of them */
  readonly isMore: boolean;
}

/** Ends what has expired and removes what nothing needs any more. */
@Injectable()
export class Housekeeping {
  readonly #tasks: readonly Task[];
  readonly #metrics: HousekeepingMetrics;
  readonly #logger = new Logger('Housekeeping');

  constructor(
    private readonly consents: ConsentService,
    private readonly accessConsents: AccessConsentService,
    private readonly tokens: TokenHousekeeping,
    private readonly issued: AccessTokenStore,
    private readonly sessions: AuthorizationSessionService,
    private readonly approvals: PaymentApprovalService,
    private readonly events: EventOutbox,
    private readonly idempotency: IdempotencyStore,
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#metrics = new HousekeepingMetrics(telemetry, database, clock, config);
    this.#tasks = this.#createTasks();
  }

  /**
   * One round: runs every task until nothing is left of it, or its turn is over. A task that fails does not stop the
   * others.
   * @returns whether something is left: then the next round need not wait
   */
  async run(signal?: AbortSignal): Promise<boolean> {
    let isMore = false;
    for (const task of this.#tasks) {
      if (await this.#attempt(task.name, () => takeTurn(() => this.#step(task), signal))) isMore = true;
      if (signal?.aborted) return false;
    }
    this.#metrics.noteRound();
    return isMore;
  }

  /** @returns what the step does; undefined if it fails */
  async #attempt(task: string, step: () => Promise<boolean>): Promise<boolean | undefined> {
    try {
      return await step();
    } catch (error) {
      // The database is away, most likely; the next round tries again.
      this.#metrics.noteFailure(task);
      this.#logger.error({ message: 'A step of housekeeping failed.', task, error });
      return undefined;
    }
  }

  /** @returns whether there may be more to do */
  async #step({ name, step }: Task): Promise<boolean> {
    const { ended, isMore } = await step(await readTime(this.database, this.clock.ofDatabase()));
    this.#metrics.noteEnded(name, ended);
    return isMore;
  }

  #createTasks(): Task[] {
    const { approvalSeconds } = this.config.authorization;
    const { retentionDays } = this.config.consent;
    const { retentionDays: auditDays } = this.config.audit;
    return [
      task('consents', async () => stepOf(await this.consents.rejectExpired(batchSize))),
      task('access consents', async () => stepOf(await this.accessConsents.expire(batchSize))),
      task('access of removed clients', (now) =>
        this.accessConsents.endOfRemoved(
          batchSize,
          async (end) =>
            (await this.issued.revokeOfClient(this.database, end)) +
            // A reconciliation since a given time must see the change, so it has the time of the step.
            (await endApprovalsOfClient(this.database, { clientId: end.clientId, now })),
        ),
      ),
      task('tokens', async (now) => {
        const { isMore, ...counts } = await this.tokens.deleteExpired({ now, batchSize });
        return { ...stepOf(...Object.values(counts)), isMore };
      }),
      task('idempotency keys', async (now) => stepOf(await this.idempotency.deleteExpired({ now, batchSize }))),
      task('sessions', async (now) => stepOf(...Object.values(await this.sessions.deleteExpired({ now, batchSize })))),
      task('events', async (now) =>
        stepOf(await this.events.deleteOlderThan(daysBefore(now, this.config.events.retentionDays), batchSize)),
      ),
      pageByPage('approvals', (now, after) => this.approvals.endOverdue({ now, batchSize, approvalSeconds }, after)),
      task('operator requests', async (now) =>
        stepOf(await deleteExpiredOperatorRequests(this.database, { now, batchSize })),
      ),
      // Resuming a client or ending a stop puts back what it stopped. This finishes what was interrupted.
      pageByPage('released payments', (now, after) => putBackReleased(this.database, now, after)),
      ...(retentionDays === 0
        ? []
        : [
            pageByPage('customer data', (now, after) => {
              const endedBefore = daysBefore(now, retentionDays);
              return eraseOldCustomerData(this.database, { endedBefore, limit: customerDataErased, now }, after);
            }),
            task('accounts of access consents', async (now) => {
              const endedBefore = daysBefore(now, retentionDays);
              return stepOf(await eraseOldAccess(this.database, { endedBefore, limit: batchSize, now }));
            }),
          ]),
      ...(auditDays === 0
        ? []
        : [
            task('audit events', async (now) => {
              const occurredBefore = daysBefore(now, auditDays);
              const ended = await this.database.transaction((runner) =>
                eraseAuditEvents(runner, { occurredBefore, limit: sealsErased, now }),
              );
              // However few events a seal has, the next seals may be old enough too.
              return { ended, isMore: ended > 0 };
            }),
          ]),
    ];
  }
}

const task = (name: string, step: Task['step']): Task => ({ name, step });

/**
 * A list in which most may have to stay: each step takes the page after the last one, and the one at the end begins
 * again.
 * @param work does what is to be done on one page
 */
function pageByPage(name: string, work: (now: Date, after: Place | undefined) => Promise<PageOutcome>): Task {
  let place: Place | undefined;
  return task(name, async (now) => {
    const { changed, next } = await work(now, place);
    place = next;
    return { ended: changed, isMore: next !== undefined };
  });
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMilliseconds);
}

/** @param counts rows that each statement of the step ended; one that ended as many as it may has left some, perhaps */
function stepOf(...counts: readonly number[]): Step {
  return { ended: counts.reduce((sum, count) => sum + count, 0), isMore: counts.some((count) => count >= batchSize) };
}
