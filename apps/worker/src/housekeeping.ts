import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { eraseAuditEvents } from '#libs/audit';
import { AuthorizationSessionService, PaymentApprovalService } from '#libs/authorization-session';
import { Clock, Config } from '#libs/config';
import { ConsentService } from '#libs/consent';
import { EventOutbox } from '#libs/events';
import { eraseOldCustomerData } from '#libs/file-payment';
import { IdempotencyStore } from '#libs/idempotency';
import { Database } from '#libs/persistence';
import { Telemetry } from '#libs/telemetry';
import { TokenHousekeeping } from '#libs/token-store';
import { HousekeepingMetrics } from './housekeeping-metrics.js';

/** Rows of one table ended or removed by one statement: long lists are worked off in small steps, beside the requests. */
const batchSize = 500;
/** Pause between two steps of one task, in milliseconds: the requests come first. */
const breathMilliseconds = 20;
/** Steps of one task in one round; the others get their turn then. */
const mostSteps = 200;
/** Seals whose events are erased by one statement: up to a thousand events each, and most often a few. */
const sealsErased = 20;
const dayMilliseconds = 86_400_000;

/** One kind of thing that ends. */
interface Task {
  /** the table, and what happens to its rows */
  readonly name: string;
  readonly step: (now: Date) => Promise<Step>;
}

/** What one step of a task did. */
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
  readonly #clock: Clock;
  readonly #metrics: HousekeepingMetrics;
  readonly #logger = new Logger('Housekeeping');

  constructor(
    consents: ConsentService,
    tokens: TokenHousekeeping,
    sessions: AuthorizationSessionService,
    approvals: PaymentApprovalService,
    events: EventOutbox,
    idempotency: IdempotencyStore,
    database: Database,
    config: Config,
    clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#clock = clock;
    this.#metrics = new HousekeepingMetrics(telemetry, database, clock);
    this.#tasks = createTasks({ consents, tokens, sessions, approvals, events, idempotency, database, config });
  }

  /** One round: every task until nothing is left of it, or it has had its share. One that fails does not keep the others. */
  async run(signal?: AbortSignal): Promise<void> {
    for (const task of this.#tasks) {
      try {
        await this.#work(task, signal);
      } catch (error) {
        // The database is away, most likely; the next round tries again.
        this.#logger.error({ message: 'A step of housekeeping failed.', task: task.name, error });
      }
      if (signal?.aborted) return;
    }
    this.#metrics.noteRound();
  }

  async #work({ name, step }: Task, signal: AbortSignal | undefined): Promise<void> {
    for (let steps = 0; steps < mostSteps; steps += 1) {
      const { ended, isMore } = await step(this.#clock.now());
      this.#metrics.noteEnded(name, ended);
      if (!isMore || signal?.aborted) return;
      await pause(breathMilliseconds);
    }
  }
}

interface Parts {
  consents: ConsentService;
  tokens: TokenHousekeeping;
  sessions: AuthorizationSessionService;
  approvals: PaymentApprovalService;
  events: EventOutbox;
  idempotency: IdempotencyStore;
  database: Database;
  config: Config;
}

function createTasks({ consents, tokens, sessions, approvals, events, idempotency, database, config }: Parts): Task[] {
  const { approvalSeconds } = config.authorization;
  const { retentionDays } = config.filePayment;
  const { retentionDays: auditDays } = config.audit;
  return [
    { name: 'consents', step: async () => stepOf(await consents.rejectExpired(batchSize)) },
    { name: 'tokens', step: async (now) => stepOf(...Object.values(await tokens.deleteExpired({ now, batchSize }))) },
    { name: 'idempotency keys', step: async (now) => stepOf(await idempotency.deleteExpired({ now, batchSize })) },
    {
      name: 'sessions',
      step: async (now) => stepOf(...Object.values(await sessions.deleteExpired({ now, batchSize }))),
    },
    {
      name: 'events',
      step: async (now) =>
        stepOf(await events.deleteOlderThan(daysBefore(now, config.events.retentionDays), batchSize)),
    },
    {
      name: 'approvals',
      step: async (now) => ({
        ended: await approvals.endOverdue({ now, batchSize, approvalSeconds }),
        isMore: false,
      }),
    },
    ...(retentionDays === 0
      ? []
      : [
          {
            name: 'customer data',
            step: async (now: Date) => {
              const endedBefore = daysBefore(now, retentionDays);
              return stepOf(await eraseOldCustomerData(database, { endedBefore, limit: batchSize, now }));
            },
          },
        ]),
    ...(auditDays === 0
      ? []
      : [
          {
            name: 'audit events',
            step: async (now: Date) => {
              const occurredBefore = daysBefore(now, auditDays);
              const ended = await database.transaction((runner) =>
                eraseAuditEvents(runner, { occurredBefore, limit: sealsErased, now }),
              );
              // However few events a seal has, the next seals may be old enough, too.
              return { ended, isMore: ended > 0 };
            },
          },
        ]),
  ];
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMilliseconds);
}

/** @param counts rows that each statement of the step ended; one that ended as many as it may has left some, perhaps */
function stepOf(...counts: readonly number[]): Step {
  return { ended: counts.reduce((sum, count) => sum + count, 0), isMore: counts.some((count) => count >= batchSize) };
}
