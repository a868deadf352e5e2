import { JwsError } from '#libs/jws';
import { hashEvent, hashOfHashes, hashSeal } from './hash-event.js';
import { readSeal, type ReadSeal } from './seal.js';
import type { TrailEntry, TrailEvent } from './trail-entry.js';

/** An event that is older and not sealed does not wait for the worker: something is wrong. In milliseconds. */
const longestUnsealed = 15 * 60_000;

/** Facts about the trail from outside it. */
export interface TrailExpectations {
  /** RFC 7638 thumbprints of the keys that may have made the last seal */
  readonly trustedKeys: ReadonlySet<string>;
  /** a seal noted earlier, which must still be there */
  readonly head?: { readonly number: number; readonly hash: string };
  readonly now: Date;
}

export type TrailVerdict =
  | {
      readonly verdict: 'intact';
      readonly seals: number;
      readonly events: number;
      readonly unsealed: number;
      /** events of the seals up to this one were erased by retention; 0: none */
      readonly erasedThrough: number;
      /** the last seal: noted outside the database, it shows a later check that the trail was cut short */
      readonly head?: { readonly number: number; readonly hash: string };
    }
  | { readonly verdict: 'broken'; readonly place: string; readonly reason: string };

/** Where the trail does not hold. */
class BrokenTrail extends Error {
  constructor(
    readonly place: string,
    reason: string,
  ) {
    super(reason);
    this.name = 'BrokenTrail';
  }
}

/**
 * Checks every event against its seal and every seal against the one before it. Reads the trail once, and holds one
 * seal's events at a time.
 * @param entries in the order of the trail, from the database or an export
 * @returns the first place that does not hold, or the counts of an intact trail
 */
export async function verifyAuditTrail(
  entries: AsyncIterable<TrailEntry>,
  expectations: TrailExpectations,
): Promise<TrailVerdict> {
  const trail = new TrailReader(expectations);
  try {
    for await (const entry of entries) await trail.read(entry);
    return trail.end();
  } catch (error) {
    if (!(error instanceof BrokenTrail)) throw error;
    return { verdict: 'broken', place: error.place, reason: error.message };
  }
}

class TrailReader {
  #seal: (ReadSeal & { hash: string }) | undefined;
  #hashes: Buffer[] = [];
  #seals = 0;
  #events = 0;
  #unsealed = 0;
  /** seals without a single event left */
  #firstErased = 0;
  #lastErased = 0;
  /** the last seal whose erasure an event of the trail records */
  #erasureTold = 0;

  constructor(private readonly expected: TrailExpectations) {}

  async read(entry: TrailEntry): Promise<void> {
    if (entry.kind === 'seal') {
      this.#closeSeal();
      await this.#openSeal(entry.number, entry.seal);
    } else if (entry.place === null) {
      this.#readUnsealed(entry.event);
    } else {
      this.#readEvent(entry.event, entry.place);
    }
  }

  end(): TrailVerdict {
    this.#closeSeal();
    const { trustedKeys, head } = this.expected;
    if (this.#lastErased > this.#erasureTold) {
      throw new BrokenTrail(
        `seal ${Math.max(this.#firstErased, this.#erasureTold + 1)}`,
        'all of its events are missing',
      );
    }
    if (head !== undefined && head.number > this.#seals) {
      throw new BrokenTrail(`seal ${this.#seals + 1}`, `it is gone: seal ${head.number} was noted earlier`);
    }
    const last = this.#seal;
    if (last !== undefined && !trustedKeys.has(last.keyThumbprint)) {
      throw new BrokenTrail(
        `seal ${last.content.number}`,
        `it was made with a key that is not trusted (${last.keyThumbprint})`,
      );
    }
    return {
      verdict: 'intact',
      seals: this.#seals,
      events: this.#events,
      unsealed: this.#unsealed,
      erasedThrough: this.#lastErased,
      ...(last === undefined ? {} : { head: { number: last.content.number, hash: last.hash } }),
    };
  }

  async #openSeal(number: number, text: string): Promise<void> {
    const place = `seal ${this.#seals + 1}`;
    if (number !== this.#seals + 1) throw new BrokenTrail(place, `it is missing: seal ${number} comes next`);
    const seal = await readOrBreak(place, text);
    if (seal.content.number !== number) throw new BrokenTrail(place, `it was made as seal ${seal.content.number}`);
    if (seal.content.previous !== (this.#seal?.hash ?? null)) {
      throw new BrokenTrail(place, 'it does not follow the seal before it');
    }
    const hash = hashSeal(text);
    const { head } = this.expected;
    if (head?.number === number && head.hash !== hash) throw new BrokenTrail(place, 'it is not the one noted earlier');
    this.#seal = { ...seal, hash };
    this.#seals = number;
  }

  #readEvent(event: TrailEvent, place: { sealNumber: number; position: number; hash: string }): void {
    const shown = `event ${event.eventId} (seal ${place.sealNumber}, position ${place.position})`;
    if (place.sealNumber !== this.#seal?.content.number) throw new BrokenTrail(shown, 'its seal is missing');
    if (place.position !== this.#hashes.length + 1) {
      throw new BrokenTrail(`seal ${place.sealNumber}, position ${this.#hashes.length + 1}`, 'the event is missing');
    }
    const hash = hashEvent(event);
    if (hash.toString('base64url') !== place.hash) throw new BrokenTrail(shown, 'it differs from what was sealed');
    this.#hashes.push(hash);
    this.#events += 1;
    if (event.action === 'audit.erase') this.#erasureTold = Math.max(this.#erasureTold, throughSeal(event));
  }

  #closeSeal(): void {
    const { content } = this.#seal ?? {};
    if (content === undefined) return;
    if (this.#hashes.length === 0 && content.count > 0) {
      this.#firstErased ||= content.number;
      this.#lastErased = content.number;
    } else if (this.#hashes.length !== content.count) {
      throw new BrokenTrail(`seal ${content.number}, position ${this.#hashes.length + 1}`, 'the event is missing');
    } else if (hashOfHashes(this.#hashes) !== content.eventsHash) {
      throw new BrokenTrail(`seal ${content.number}`, 'one of its events was replaced');
    }
    this.#hashes = [];
  }

  #readUnsealed(event: TrailEvent): void {
    if (this.expected.now.getTime() - Date.parse(event.occurredAt) > longestUnsealed) {
      throw new BrokenTrail(
        `event ${event.eventId}`,
        `it was written at ${event.occurredAt} and is not sealed: the worker does not run, or seals were removed`,
      );
    }
    this.#unsealed += 1;
  }
}

async function readOrBreak(place: string, text: string): Promise<ReadSeal> {
  try {
    return await readSeal(text);
  } catch (error) {
    if (!(error instanceof JwsError)) throw error;
    throw new BrokenTrail(place, `its signature is not valid (${error.message})`);
  }
}

function throughSeal({ details }: TrailEvent): number {
  const through: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, 'throughSeal') : 0;
  return typeof through === 'number' ? through : 0;
}
