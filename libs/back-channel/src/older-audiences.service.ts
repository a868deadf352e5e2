import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '#libs/persistence';
import { Telemetry } from '#libs/telemetry';

const reportMilliseconds = 3_600_000;
/** Maximum number of distinguished clients. */
const mostClients = 10_000;
/** Maximum number of clients that the metric names, and the name of all others together. */
const mostNamed = 200;
const others = 'other';

/**
 * Counts client assertions that still name the token endpoint or several audiences. RFC 10070 allows only the issuer;
 * the older forms are accepted until their clients have changed. The log names those clients at their first use, then
 * hourly with the count; a metric counts the uses of each client.
 */
@Injectable()
export class OlderAudiences implements OnModuleInit, OnApplicationShutdown {
  readonly #logger = new Logger('OlderAudiences');
  readonly #clients = new LRUCache<string, { uses: number; reportedAt: number }>({ max: mostClients });
  readonly #totals = new Map<string, number>();
  #stop: () => void = () => undefined;

  constructor(
    private readonly telemetry: Telemetry,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.#stop = this.telemetry.watchOlderAudiences(this.database.applicationName, this.#totals);
  }

  onApplicationShutdown(): void {
    this.#stop();
  }

  /** Counts one use by a client that has authenticated with it. */
  count(clientId: string, now: Date): void {
    this.#addToTotal(clientId);
    const known = this.#clients.get(clientId);
    const uses = (known?.uses ?? 0) + 1;
    const isDue = known === undefined || now.getTime() - known.reportedAt >= reportMilliseconds;
    this.#clients.set(clientId, isDue ? { uses: 0, reportedAt: now.getTime() } : { ...known, uses });
    if (isDue) this.#logger.warn({ message: 'client assertion with an older audience', clientId, uses });
  }

  /** Never forgets a client, because a counter must not fall. */
  #addToTotal(clientId: string): void {
    const name = this.#totals.has(clientId) || this.#totals.size < mostNamed ? clientId : others;
    this.#totals.set(name, (this.#totals.get(name) ?? 0) + 1);
  }
}
