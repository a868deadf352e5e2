import { type KeySet, keyThumbprint, type VerificationKey } from '#libs/jws';
import { KeySetError } from './directory.errors.js';
import { KeySetCache } from './key-set-cache.js';
import { waitPatiently } from './patience.js';

const second = 1_000;
const hour = 3_600 * second;

/** An outage of a week does not bring a revoked key back. */
const usableFor = 168 * hour;

/** How long a request waits for a set of revoked keys that was never fetched. Only registration has the time. */
export const revokedKeysPatience = { registration: 5 * second, request: 250 } as const;

/**
 * The keys that a directory has revoked (`software_jwks_revoked_endpoint`). The key set also loses them; this is a
 * second check, in case a key set was cached or replayed. An unreadable set revokes nothing.
 */
export class RevokedKeys {
  readonly #cache: KeySetCache;

  /**
   * @param fetchKeySet gets an address; throws KeySetError
   * @param freshSeconds a set younger than this is not read again
   * @param clock milliseconds now
   * @param onUnavailable called for each failed attempt
   */
  constructor(
    fetchKeySet: (uri: string) => Promise<KeySet>,
    freshSeconds: number,
    clock: () => number,
    onUnavailable: (uri: string, error: unknown) => void,
  ) {
    const limits = {
      freshFor: freshSeconds * second,
      reloadCooldown: 30 * second,
      failureCooldown: 30 * second,
      patience: 0,
      maxAddresses: 2_000,
    };
    const fetch = async (uri: string): Promise<KeySet> => {
      try {
        return await fetchKeySet(uri);
      } catch (error) {
        // Once for each attempt, not for each request without an answer.
        onUnavailable(uri, error);
        throw error;
      }
    };
    this.#cache = new KeySetCache(fetch, limits, clock);
  }

  /**
   * @param uri of the set of revoked keys
   * @param patience milliseconds to wait for a set that was never fetched; it is renewed in the background
   * @returns the keys without those that the directory has revoked, compared by the keys themselves: a `kid` is only a
   * name
   */
  async without(
    keys: readonly VerificationKey[],
    { uri, patience }: { uri: string; patience: number },
  ): Promise<readonly VerificationKey[]> {
    if (keys.length === 0) return keys;
    const [fresh] = await this.#cache.findFresh({ uri, find: (set) => [set.thumbprints] });
    const revoked = fresh ?? (await this.#find(uri, patience));
    if (revoked === undefined || revoked.size === 0) return keys;
    const thumbprints = await Promise.all(keys.map(keyThumbprint));
    return keys.filter((_key, index) => !revoked.has(thumbprints[index] ?? ''));
  }

  async #find(uri: string, patience: number): Promise<ReadonlySet<string> | undefined> {
    const found: { revoked?: ReadonlySet<string> | undefined } = {};
    await waitPatiently(this.#readInto(found, uri), patience);
    return found.revoked;
  }

  async #readInto(found: { revoked?: ReadonlySet<string> | undefined }, uri: string): Promise<void> {
    try {
      const request = { uri, find: (set: KeySet) => [set.thumbprints], usableFor };
      [found.revoked] = await this.#cache.find(request);
    } catch (error) {
      // An unavailable set revokes nothing.
      if (!(error instanceof KeySetError)) throw error;
    }
  }
}
