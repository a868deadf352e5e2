import { LRUCache } from 'lru-cache';
import type { KeySet } from '#libs/jws';
import { KeySetError } from './directory.errors.js';
import { elapsed, restAfterFailures, waitPatiently } from './patience.js';

/** Times in milliseconds. */
export interface KeySetCacheLimits {
  /** a set younger than this is used without fetching */
  freshFor: number;
  /** after an attempt, an unknown kid causes no fetch for this time */
  reloadCooldown: number;
  /** pause after a failed attempt, longer after several */
  failureCooldown: number;
  /** if an older set has the key, the longest wait for a new set */
  patience: number;
  /** maximum number of cached addresses; the least recently used is dropped */
  maxAddresses: number;
}

/** A query to the cache. */
export interface KeySetRequest<Found> {
  uri: string;
  /** searches the set; an empty result means that the set may be out of date */
  find: (keySet: KeySet) => readonly Found[] | Promise<readonly Found[]>;
  /** a set may be used for this many milliseconds after it was read when its server does not answer */
  usableFor: number;
}

interface Entry {
  keySet?: KeySet;
  readAt: number;
  attemptedAt: number;
  /** consecutive failed attempts */
  failures: number;
  /** shared by all callers that wait for the same address */
  reading?: Promise<void>;
}

/**
 * Imported key sets by address. New keys of a TPP are found on first use; removed keys stop working when the set is
 * next fetched. An unavailable, slow or hostile server costs one attempt at a time.
 */
export class KeySetCache {
  readonly #entries: LRUCache<string, Entry>;

  /**
   * @param fetchKeySet fetches the set at an address; throws KeySetError
   * @param clock milliseconds now
   */
  constructor(
    private readonly fetchKeySet: (uri: string) => Promise<KeySet>,
    private readonly limits: KeySetCacheLimits,
    private readonly clock: () => number,
  ) {
    this.#entries = new LRUCache({ max: limits.maxAddresses });
  }

  /**
   * @returns what `find` found in the set, newly fetched if necessary; empty if nothing
   * @throws KeySetError `unavailable` if there is no usable set, `address` when there may not be one
   */
  async find<Found>({ uri, find, usableFor }: KeySetRequest<Found>): Promise<readonly Found[]> {
    const entry = this.#entryOf(uri);
    const isFresh = this.#isFresh(entry);
    const found = isFresh ? await findIn(entry, find) : [];
    if (found.length > 0 || (isFresh && this.#isCoolingDown(entry, this.limits.reloadCooldown))) return found;
    const old = this.clock() - entry.readAt < usableFor ? await findIn(entry, find) : [];
    if (old.length > 0) {
      // A slow server must not delay requests whose key is known.
      await waitPatiently(this.#read(uri, entry), this.limits.patience);
      return findIn(entry, find);
    }
    const failure = await this.#read(uri, entry);
    if (entry.keySet !== undefined && this.clock() - entry.readAt < usableFor) return findIn(entry, find);
    throw failure ?? new KeySetError('unavailable', 'The key set could not be read a moment ago.');
  }

  /** @returns what `find` finds in a fresh set, without fetching; empty if there is none */
  async findFresh<Found>({ uri, find }: Omit<KeySetRequest<Found>, 'usableFor'>): Promise<readonly Found[]> {
    const entry = this.#entries.get(uri);
    return entry !== undefined && this.#isFresh(entry) ? findIn(entry, find) : [];
  }

  /** Removes an address from the cache. */
  forget(uri: string): void {
    this.#entries.delete(uri);
  }

  #isFresh({ readAt }: Entry): boolean {
    return elapsed(readAt, this.clock()) < this.limits.freshFor;
  }

  #isCoolingDown({ attemptedAt }: Entry, cooldown: number): boolean {
    return elapsed(attemptedAt, this.clock()) < cooldown;
  }

  #entryOf(uri: string): Entry {
    const known = this.#entries.get(uri);
    if (known !== undefined) return known;
    const entry: Entry = { readAt: -Infinity, attemptedAt: -Infinity, failures: 0 };
    this.#entries.set(uri, entry);
    return entry;
  }

  /** @returns why it failed; undefined if it succeeded, or was not tried so soon after a failure */
  async #read(uri: string, entry: Entry): Promise<KeySetError | undefined> {
    const rest = entry.failures === 0 ? 0 : restAfterFailures(entry.failures, this.limits.failureCooldown);
    if (entry.reading === undefined && this.#isCoolingDown(entry, rest)) return undefined;
    entry.reading ??= this.#fetchInto(uri, entry).finally(() => {
      delete entry.reading;
    });
    try {
      await entry.reading;
      return undefined;
    } catch (error) {
      if (error instanceof KeySetError) return error;
      throw error;
    }
  }

  async #fetchInto(uri: string, entry: Entry): Promise<void> {
    try {
      entry.keySet = await this.fetchKeySet(uri);
      entry.failures = 0;
      entry.readAt = this.clock();
    } catch (error) {
      entry.failures += 1;
      throw error;
    } finally {
      entry.attemptedAt = this.clock();
    }
  }
}

async function findIn<Found>(entry: Entry, find: KeySetRequest<Found>['find']): Promise<readonly Found[]> {
  return entry.keySet === undefined ? [] : find(entry.keySet);
}
