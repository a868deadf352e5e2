import type { X509Certificate } from 'node:crypto';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from '#libs/config';
import { lastHoliday } from './bank-holidays.js';
import { assertCertificatesValid, datedCertificates, daysLeft, toDated } from './certificate-expiry.js';
import { countOutgoingCalls } from './outgoing-calls.js';
import { metricsOf, RequestMetrics } from './request-metrics.js';
import { Readiness } from './readiness.js';

/** Connections of one pool to the database. */
export interface PoolState {
  readonly inUse: number;
  readonly idle: number;
  /** requests that wait for one */
  readonly waiting: number;
  readonly limit: number;
  /** servers of the database that accept writes but must not */
  readonly outdatedServers: number;
  /** what the server shows; undefined without TLS */
  readonly serverCertificate?: X509Certificate | undefined;
  /** whether the read replica answers; undefined if there is none */
  readonly isReplicaUsed?: boolean | undefined;
}

/** Uses of client certificates whose revocation status is unknown. */
export interface UnknownRevocation {
  readonly taken: number;
  readonly refused: number;
}

/**
 * Metrics and readiness of one process. A process with several applications (the sandbox) has one for all of them.
 * Values are collected on demand, so an unobserved process does almost nothing.
 */
export class Telemetry {
  readonly registry = new Registry();
  readonly readiness = new Readiness();
  readonly requests = new RequestMetrics(this.registry);
  droppedLogLines = 0;
  readonly #pools = new Map<string, () => PoolState>();
  readonly #revocations = new Map<string, () => UnknownRevocation>();
  readonly #olderAudiences = new Map<string, ReadonlyMap<string, number>>();
  readonly #certificates: ReturnType<typeof datedCertificates>;

  /** @param now the clock of certificates */
  // oxlint-disable-next-line max-lines-per-function -- a list of metrics
  constructor(config: Config, now: () => Date = () => new Date()) {
    this.#certificates = datedCertificates(config);
    this.readiness.add('keys', () => assertCertificatesValid(this.#certificates, now()));
    const { gauge, counter } = metricsOf(this.registry);
    gauge('open_banking_certificate_expiry_days', 'Days until the certificate expires.', ['setting', 'name'], (set) => {
      const at = now();
      const shown = [...this.#pools.values()].flatMap((state) => state().serverCertificate ?? []);
      const dated = [...this.#certificates, ...shown.map((each) => toDated('DATABASE_URL', each))];
      for (const each of dated) set({ setting: each.setting, name: each.name }, daysLeft(each, at));
    });
    gauge('open_banking_clock_seconds', 'The time of this process, in seconds since 1970.', [], (set) => {
      set({}, now().getTime() / 1_000);
    });
    gauge('open_banking_database_connections', 'Connections of the pool.', ['app', 'state'], (set) => {
      for (const [app, state] of this.#pools) {
        const { inUse, idle } = state();
        set({ app, state: 'in use' }, inUse);
        set({ app, state: 'idle' }, idle);
      }
    });
    gauge('open_banking_database_connections_limit', 'Maximum number of connections of the pool.', ['app'], (set) => {
      for (const [app, state] of this.#pools) set({ app }, state().limit);
    });
    gauge('open_banking_database_waiting_requests', 'Statements that wait for a connection.', ['app'], (set) => {
      for (const [app, state] of this.#pools) set({ app }, state().waiting);
    });
    gauge('open_banking_database_outdated_servers', 'Servers that accept writes but must not.', ['app'], (set) => {
      for (const [app, state] of this.#pools) set({ app }, state().outdatedServers);
    });
    gauge(
      'open_banking_database_replica_used',
      '1 while the read replica answers; else the primary does.',
      ['app'],
      (set) => {
        for (const [app, state] of this.#pools) {
          const { isReplicaUsed } = state();
          if (isReplicaUsed !== undefined) set({ app }, isReplicaUsed ? 1 : 0);
        }
      },
    );
    counter(
      'open_banking_certificate_revocation_unknown_total',
      'Uses of client certificates whose revocation status is unknown.',
      ['app', 'outcome'],
      (add) => {
        for (const [app, unknown] of this.#revocations) {
          const { taken, refused } = unknown();
          add({ app, outcome: 'taken' }, taken);
          add({ app, outcome: 'refused' }, refused);
        }
      },
    );
    counter(
      'open_banking_older_audiences_total',
      'Client assertions whose audience is not the issuer alone.',
      ['app', 'client_id'],
      (add) => {
        for (const [app, uses] of this.#olderAudiences) {
          for (const [clientId, count] of uses) add({ app, client_id: clientId }, count);
        }
      },
    );
    counter('open_banking_log_lines_dropped_total', 'Lines that the log could not take.', [], (add) => {
      add({}, this.droppedLogLines);
    });
    gauge('open_banking_weakened', '1 for each setting that weakens the security profile.', ['setting'], (set) => {
      for (const setting of config.weakenings) set({ setting }, 1);
    });
    gauge('open_banking_bank_holidays_days', 'Days until the last of BANK_HOLIDAYS.', ['last'], (set) => {
      const holiday = lastHoliday(config, now());
      if (holiday !== undefined) set({ last: holiday.last }, holiday.days);
    });
    gauge('open_banking_ready', '1 for each check of /health/ready that passes.', ['check'], async (set) => {
      const { checks } = await this.readiness.report();
      for (const [check, outcome] of Object.entries(checks)) set({ check }, outcome === 'ok' ? 1 : 0);
    });
  }

  /**
   * Adds memory, processor time and event loop lag of this process, and the answers to its outgoing calls. Only once in
   * a process.
   */
  watchProcess(): void {
    countOutgoingCalls(this.registry);
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 20 });
  }

  /** @returns a function that removes the pool */
  watchPool(app: string, state: () => PoolState): () => void {
    return watch(this.#pools, app, state);
  }

  /** @returns a function that removes the counts */
  watchRevocation(app: string, unknown: () => UnknownRevocation): () => void {
    return watch(this.#revocations, app, unknown);
  }

  /**
   * @param uses by the id of the client
   * @returns a function that removes the counts
   */
  watchOlderAudiences(app: string, uses: ReadonlyMap<string, number>): () => void {
    return watch(this.#olderAudiences, app, uses);
  }
}

function watch<Value>(watched: Map<string, Value>, app: string, value: Value): () => void {
  watched.set(app, value);
  return () => {
    if (watched.get(app) === value) watched.delete(app);
  };
}
