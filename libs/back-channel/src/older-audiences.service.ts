import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const reportMilliseconds = 3_600_000;
/** Clients that are told apart at a time. */
const mostClients = 10_000;

/**
 * Who still names the token endpoint, or several audiences, in client assertions. RFC 10070 leaves the issuer alone; the older forms are
 * taken until their clients have changed, and the log says which have not: at the first use, then once an hour with their number.
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
