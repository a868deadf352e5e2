import type { Clock, Config } from '#libs/config';
import { type Database, readTime } from '#libs/persistence';
import { metricsOf, type Telemetry } from '#libs/telemetry';
import { countHeldSql, countStoppedSql } from '#libs/payment-order';
import {
  backlogQueries,
  countRecentChangesSql,
  countUndeliveredSql,
  eventQueue,
  expiringTables,
  lateQueries,
} from './expiring-tables.js';

/** Rows counted at most: beyond it "many" is all that matters, and the count stays cheap. */
const mostCounted = 10_000;
/** A backlog is counted afresh no more often than this, in milliseconds, however many ask. */
const countedForMilliseconds = 10_000;

interface Backlog {
  readonly expired: ReadonlyMap<string, number>;
  readonly queue: ReadonlyMap<string, { count: number; oldestSeconds: number }>;
  readonly held: { readonly handOver: number; readonly settlement: number };
  readonly changes: readonly StateChanges[];
  readonly stopped: { readonly operator: number; readonly client: number };
  /** by queue: what is due later than it can be */
  readonly late: ReadonlyMap<string, number>;
  readonly undelivered: { readonly count: number; readonly oldestSeconds: number } | undefined;
}

/** Recent changes of consents and payment orders. */
interface StateChanges {
  readonly event: string;
  readonly status: string;
  readonly count: number;
}

/** Milliseconds for which a change of state counts as recent. */
const recentMilliseconds = 300_000;

/** Metrics of the work that housekeeping has done and has left, and of the worker's queues. */
export class HousekeepingMetrics {
  readonly #ended = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #hasReceiver: boolean;
  readonly #queues: readonly [name: string, sql: string][];
  #lastRound: Date | undefined;
  #counted: { at: number; backlog: Promise<Backlog> } | undefined;

  // oxlint-disable-next-line max-lines-per-function -- a list of metrics
  constructor(
    { registry }: Telemetry,
    private readonly database: Database,
    private readonly clock: Clock,
    { events }: Pick<Config, 'events'>,
  ) {
    // Without a receiver events are no work: they are only kept until their retention ends.
    this.#hasReceiver = events.webhook !== undefined;
    this.#queues = Object.entries(backlogQueries).filter(([name]) => name !== eventQueue || this.#hasReceiver);
    const { gauge, counter } = metricsOf(registry);
    counter('open_banking_housekeeping_ended_rows_total', 'Rows ended or removed.', ['task'], (add) => {
      for (const [task, count] of this.#ended) add({ task }, count);
    });
    counter('open_banking_housekeeping_failures_total', 'Steps of housekeeping that failed.', ['task'], (add) => {
      for (const [task, count] of this.#failures) add({ task }, count);
    });
    gauge(
      'open_banking_housekeeping_last_round_timestamp_seconds',
      'End of the last round of housekeeping.',
      [],
      (set) => {
        if (this.#lastRound !== undefined) set({}, this.#lastRound.getTime() / 1_000);
      },
    );
    gauge(
      'open_banking_housekeeping_backlog_rows',
      `Expired rows not yet removed, counted up to ${mostCounted}.`,
      ['table'],
      async (set) => {
        for (const [table, count] of (await this.#backlog()).expired) set({ table }, count);
      },
    );
    gauge(
      'open_banking_queue_depth',
      `Work that is due for the worker, counted up to ${mostCounted}.`,
      ['queue'],
      async (set) => {
        for (const [queue, { count }] of (await this.#backlog()).queue) set({ queue }, count);
      },
    );
    gauge(
      'open_banking_queue_oldest_seconds',
      'How long the oldest item of a queue has been due.',
      ['queue'],
      async (set) => {
        for (const [queue, { oldestSeconds }] of (await this.#backlog()).queue) set({ queue }, oldestSeconds);
      },
    );
    this.#showStuck(gauge);
    gauge(
      'open_banking_held_payment_orders',
      'Payment orders that wait for a person: before their hand-over, or because their settlement is overdue.',
      ['open'],
      async (set) => {
        const { held } = await this.#backlog();
        set({ open: 'hand-over' }, held.handOver);
        set({ open: 'settlement' }, held.settlement);
      },
    );
    gauge(
      'open_banking_recent_state_changes',
      `Changes of consents and payment orders within five minutes, counted up to ${mostCounted}.`,
      ['event', 'status'],
      async (set) => {
        for (const { event, status, count } of (await this.#backlog()).changes) set({ event, status }, count);
      },
    );
    gauge(
      'open_banking_stopped_payment_orders',
      'Stopped payment orders: by an order of an operator, or because their client is suspended or removed.',
      ['cause'],
      async (set) => {
        const { stopped } = await this.#backlog();
        set({ cause: 'operator' }, stopped.operator);
        set({ cause: 'client' }, stopped.client);
      },
    );
  }

  /** Metrics of work that is in no queue that is due. */
  #showStuck(gauge: ReturnType<typeof metricsOf>['gauge']): void {
    gauge(
      'open_banking_queue_due_too_late',
      `Work that is due later than the service makes anything due, counted up to ${mostCounted}.`,
      ['queue'],
      async (set) => {
        for (const [queue, count] of (await this.#backlog()).late) set({ queue }, count);
      },
    );
    gauge(
      'open_banking_undelivered_events',
      `Events that wait for another attempt to deliver them, counted up to ${mostCounted}.`,
      [],
      async (set) => {
        const { undelivered } = await this.#backlog();
        if (undelivered !== undefined) set({}, undelivered.count);
      },
    );
    gauge(
      'open_banking_undelivered_events_oldest_seconds',
      'Age of the oldest event that waits for another attempt to deliver it.',
      [],
      async (set) => {
        const { undelivered } = await this.#backlog();
        if (undelivered !== undefined) set({}, undelivered.oldestSeconds);
      },
    );
  }

  noteEnded(task: string, count: number): void {
    this.#ended.set(task, (this.#ended.get(task) ?? 0) + count);
  }

  noteFailure(task: string): void {
    this.#failures.set(task, (this.#failures.get(task) ?? 0) + 1);
  }

  noteRound(): void {
    this.#lastRound = this.clock.now();
  }

  #backlog(): Promise<Backlog> {
    const now = performance.now();
    if (this.#counted === undefined || now - this.#counted.at > countedForMilliseconds) {
      const backlog = this.#count();
      this.#counted = { at: now, backlog };
      // The next one who asks tries again.
      backlog.catch(() => (this.#counted = undefined));
    }
    return this.#counted.backlog;
  }

  async #count(): Promise<Backlog> {
    const now = await readTime(this.database, this.clock.ofDatabase());
    const expired = new Map<string, number>();
    for (const [table, { expired: condition }] of Object.entries(expiringTables)) {
      const { rows } = await this.database.query<{ count: number }>(
        `count-expired-${table}`,
        `SELECT count(*)::int AS count FROM (SELECT FROM ${table} WHERE ${condition} LIMIT $2) AS expired`,
        [now, mostCounted],
      );
      expired.set(table, rows[0]?.count ?? 0);
    }
    const late = new Map<string, number>();
    for (const [name, sql] of Object.entries(lateQueries)) {
      if (name === eventQueue && !this.#hasReceiver) continue;
      const { rows } = await this.database.query<{ count: number }>(`count-late-${name}`, sql, [now, mostCounted]);
      late.set(name, rows[0]?.count ?? 0);
    }
    const queue = new Map<string, { count: number; oldestSeconds: number }>();
    for (const [name, sql] of this.#queues) {
      const { rows } = await this.database.query<{ count: number; oldest: Date | null }>(`count-${name}`, sql, [
        now,
        mostCounted,
      ]);
      const oldest = rows[0]?.oldest ?? now;
      queue.set(name, { count: rows[0]?.count ?? 0, oldestSeconds: (now.getTime() - oldest.getTime()) / 1_000 });
    }
    const { rows: held } = await this.database.query<Backlog['held']>('count-held-file-payments', countHeldSql, []);
    const { rows: changes } = await this.database.query<StateChanges>(
      'count-recent-state-changes',
      countRecentChangesSql,
      [new Date(now.getTime() - recentMilliseconds), mostCounted],
    );
    const stopped = await this.database.query<{ operator: number; client: number }>(
      'count-stopped-file-payments',
      countStoppedSql,
      [],
    );
    const undelivered = this.#hasReceiver
      ? await this.database.query<{ count: number; oldestSeconds: number }>(
          'count-undelivered-events',
          countUndeliveredSql,
          [now, mostCounted],
        )
      : undefined;
    return {
      expired,
      queue,
      // One row, or in a distributed database one for each client.
      held: {
        handOver: held.reduce((sum, { handOver }) => sum + handOver, 0),
        settlement: held.reduce((sum, { settlement }) => sum + settlement, 0),
      },
      changes,
      stopped: stopped.rows[0] ?? { operator: 0, client: 0 },
      late,
      undelivered: undelivered?.rows[0],
    };
  }
}
