import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const reportMilliseconds = 3_600_000;
/** Maximum number of distinguished clients. */
const mostClients = 10_000;

/**
 * Counts client assertions that still name the token endpoint or several audiences. RFC 10070 allows only the issuer;
 * the older forms are accepted until their clients have changed. The log names those clients at their first use, then
 * hourly with the count.
 */
@Injectable()
export class OlderAudiences {
  readonly #logger = new Logger('OlderAudiences');
  readonly #clients = new LRUCache<string, { uses: number; reportedAt: number }>({ max: mostClients });

  /** Counts one use by a client that has authenticated with it. */
  count(clientId: string, now: Date): void {
    const known = this.#clients.get(clientId);
    const uses = (known?.uses ?? 0) + 1;
    const isDue = known === undefined || now.getTime() - known.reportedAt >= reportMilliseconds;
    this.#clients.set(clientId, isDue ? { uses: 0, reportedAt: now.getTime() } : { ...known, uses });
    if (isDue) this.#logger.warn({ message: 'client assertion with an older audience', clientId, uses });
  }
}
