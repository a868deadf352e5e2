import type { SigningKey } from '#libs/jws';
import { firstPlace, recordAuditEvent, type StatementRunner } from '#libs/persistence';
import { hashEvent, hashOfHashes, hashSeal } from './hash-event.js';
import { createSeal } from './seal.js';
import type { TrailEntry, TrailEvent } from './trail-entry.js';
import {
  eraseEventsSql,
  findErasableSealsSql,
  findLastSealSql,
  findUnsealedSql,
  insertSealSql,
  noteSealedSql,
  readOrphanedEventsSql,
  readSealedEventsSql,
  readSealsSql,
  tryLockSql,
  type EventRow,
} from './trail-sql.js';

/** Seals read at once. */
const pageSize = 50;

/** Unsealed events read at once. */
const mostUnsealed = 1_000;

/** A seal that was made now. */
export interface NewSeal {
  readonly number: number;
  readonly hash: string;
  readonly count: number;
}

/**
 * Seals events that are not sealed yet, up to a limit. Writers of events do not wait; what they commit later belongs to
 * a later seal.
 * @param runner a transaction
 * @returns undefined if there is nothing to seal, or another worker seals
 */
export async function sealAuditEvents(
  runner: StatementRunner,
  { key, limit, now }: { key: SigningKey; limit: number; now: Date },
): Promise<NewSeal | undefined> {
  const lock = await runner.query('try-sealing-lock', tryLockSql, []);
  if (lock.rowCount === 0) return undefined;
  const { rows } = await runner.query<EventRow>('find-unsealed-events', findUnsealedSql, [
    limit,
    firstPlace.at,
    firstPlace.id,
  ]);
  if (rows.length === 0) return undefined;
  const last = await runner.query<{ seal_number: string; seal: string }>('find-last-seal', findLastSealSql, []);
  const before = last.rows[0];
  const hashes = rows.map((row) => hashEvent(toEvent(row)));
  const number = Number(before?.seal_number ?? 0) + 1;
  const seal = await createSeal(
    {
      number,
      sealedAt: now.toISOString(),
      count: rows.length,
      eventsHash: hashOfHashes(hashes),
      previous: before === undefined ? null : hashSeal(before.seal),
    },
    key,
  );
  await runner.query('note-sealed-events', noteSealedSql, [number, rows.map(({ event_id }) => event_id), hashes]);
  await runner.query('insert-seal', insertSealSql, [number, now, seal]);
  return { number, hash: hashSeal(seal), count: rows.length };
}

/**
 * Erases the events of the oldest seals once all of them are old enough, and records that. The seals stay.
 * @param runner a transaction
 * @param occurredBefore end of the time whose events are erased; the database refuses anything younger than a year
 * @param limit maximum number of seals at once
 * @returns how many events were erased
 */
export async function eraseAuditEvents(
  runner: StatementRunner,
  { occurredBefore, limit, now }: { occurredBefore: Date; limit: number; now: Date },
): Promise<number> {
  const parameters = [occurredBefore, limit - 1];
  const { rows } = await runner.query<{ through: string | null }>(
    'find-erasable-seals',
    findErasableSealsSql,
    parameters,
  );
  const through = rows[0]?.through ?? null;
  if (through === null) return 0;
  const { rowCount } = await runner.query('erase-audit-events', eraseEventsSql, [through]);
  const count = rowCount ?? 0;
  if (count === 0) return 0;
  const details = { throughSeal: Number(through), count, occurredBefore: occurredBefore.toISOString() };
  await recordAuditEvent(runner, { actor: 'worker', action: 'audit.erase', details, occurredAt: now });
  return count;
}

/** Reads the whole trail in its order, page by page. */
export async function* readAuditTrail(runner: StatementRunner): AsyncGenerator<TrailEntry> {
  let last = 0;
  for (;;) {
    const { rows } = await runner.query<{ seal_number: string; seal: string }>('read-seals', readSealsSql, [
      last,
      pageSize,
    ]);
    if (rows.length === 0) break;
    const numbers = rows.map((row) => Number(row.seal_number));
    const until = numbers.at(-1) ?? last;
    const events = await runner.query<EventRow>('read-sealed-events', readSealedEventsSql, [last + 1, until]);
    let next = 0;
    for (const [index, { seal }] of rows.entries()) {
      const number = numbers[index] ?? 0;
      yield { kind: 'seal', number, seal };
      for (; Number(events.rows[next]?.seal_number) <= number; next += 1) yield toEntry(events.rows[next] as EventRow);
    }
    last = until;
  }
  const orphans = await runner.query<EventRow>('read-orphaned-events', readOrphanedEventsSql, [last]);
  for (const row of orphans.rows) yield toEntry(row);
  yield* readUnsealed(runner);
}

async function* readUnsealed(runner: StatementRunner): AsyncGenerator<TrailEntry> {
  let { at, id } = firstPlace;
  for (;;) {
    const { rows } = await runner.query<EventRow>('find-unsealed-events', findUnsealedSql, [mostUnsealed, at, id]);
    for (const row of rows) yield toEntry(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < mostUnsealed) return;
    [at, id] = [last.occurred_at, last.event_id];
  }
}

function toEntry(row: EventRow): TrailEntry {
  const { seal_number: number, seal_position: position, event_hash: hash } = row;
  const isSealed = number !== undefined && position !== undefined && hash !== undefined;
  return {
    kind: 'event',
    event: toEvent(row),
    place: isSealed ? { sealNumber: Number(number), position, hash: hash.toString('base64url') } : null,
  };
}

function toEvent(row: EventRow): TrailEvent {
  return {
    eventId: row.event_id,
    occurredAt: row.occurred_at,
    actor: row.actor,
    action: row.action,
    clientId: row.client_id,
    interactionId: row.interaction_id,
    details: row.details,
  };
}
