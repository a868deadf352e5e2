import { Injectable } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import { noteEventsOf } from '#libs/events';
import {
  Database,
  lockedRowByKey,
  readTime,
  recordAuditEvent,
  secondsAfter as secondsAfterInSql,
  type StatementRunner,
} from '#libs/persistence';
import type { Comparison } from './compare-books.js';
import type { Difference } from './difference.js';
import { stopPatienceMilliseconds } from './find-differences.js';

/** What a worker has taken, and the time until which no other worker takes it. */
export interface TakenReconciliations {
  readonly consentIds: readonly string[];
  readonly leaseEnd: Date;
}

/** Above the time that the bank may take for all that is taken at once, in seconds. */
const leaseSeconds = 300;
/** Pauses until a file payment is looked at again of which the bank's book could not be read, or that differs. */
const pauses = { unread: { first: 60, longest: 900 }, different: { first: 300, longest: 21_600 } } as const;
/**
 * A payment that was Rejected without having been handed over is looked for at the bank once more, so many seconds
 * later.
 */
const secondLookSeconds = 3_600;
/**
 * A payment that has ended here, but not in the bank's book, is looked at again, each time after as long as it has been
 * so, within these bounds; no longer than the bank is sure to have its book.
 */
const openAtBank = { shortestSeconds: 3_600, longestSeconds: 7 * 86_400, endSeconds: 90 * 86_400 } as const;

const takeSql = `
  UPDATE reconciliations SET due_at = $3, attempts = attempts + 1
   WHERE consent_id = ANY (ARRAY(
     SELECT consent_id FROM reconciliations WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
  RETURNING consent_id`;

/**
 * SQL: those of the consents $1 that the worker still holds, by the end of its lease $2; in one order, so that
 * statements never deadlock.
 */
const stillTaken = `
  SELECT given.consent_id, given.next_due_at, known.differences AS former
    FROM unnest($1::uuid[], $3::timestamptz[]) AS given (consent_id, next_due_at)
   CROSS JOIN ${lockedRowByKey('reconciliations', 'consent_id = given.consent_id')} AS known
   WHERE known.due_at = $2`;

const noteEqualSql = `
  WITH taken AS MATERIALIZED (${stillTaken})
  UPDATE reconciliations AS done
     SET due_at = taken.next_due_at, reconciled_at = $4, attempts = 0, differences = NULL, different_since = NULL,
         acknowledged_at = NULL
    FROM taken WHERE done.consent_id = taken.consent_id AND done.consent_id = ANY ($1)
  RETURNING done.consent_id, taken.former IS NOT NULL AS was_different`;

const secondsLater = (seconds: string) => secondsAfterInSql('$4::timestamptz', seconds);

const postponeSql = `
  WITH taken AS MATERIALIZED (${stillTaken})
  UPDATE reconciliations AS done SET due_at = ${secondsLater(
    `least(${pauses.unread.first} * power(2, least(done.attempts - 1, 10)), ${pauses.unread.longest})`,
  )}
    FROM taken WHERE done.consent_id = taken.consent_id AND done.consent_id = ANY ($1)`;

/**
 * $4 now, $5 differences. Acknowledged differences are not compared again while they stay the same and nothing changes.
 */
const noteDifferentSql = `
  WITH taken AS MATERIALIZED (${stillTaken})
  UPDATE reconciliations AS done
     SET reconciled_at = $4, differences = $5::jsonb, different_since = coalesce(done.different_since, $4),
         acknowledged_at = CASE WHEN taken.former = $5::jsonb THEN done.acknowledged_at END,
         attempts = CASE WHEN taken.former = $5::jsonb THEN done.attempts ELSE 0 END,
         due_at = CASE WHEN taken.former IS DISTINCT FROM $5::jsonb OR done.acknowledged_at IS NULL THEN
           ${secondsLater(`least(
             ${pauses.different.first} * power(2, least(CASE WHEN taken.former = $5::jsonb THEN done.attempts ELSE 0 END, 10)),
             ${pauses.different.longest})`)} END
    FROM taken WHERE done.consent_id = taken.consent_id AND done.consent_id = ANY ($1)
  RETURNING taken.former IS DISTINCT FROM $5::jsonb AS is_news`;

/**
 * File payments that are to be compared: some time after the last change of their state, later if the bank is away, and
 * again as long as something differs. Several workers may take from it; what changes while it is compared is compared
 * again.
 */
@Injectable()
export class ReconciliationQueue {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Takes what is due, the longest waiting first. */
  async take(limit: number): Promise<TakenReconciliations> {
    const now = await readTime(this.database, this.clock.ofDatabase());
    const leaseEnd = secondsAfter(now, leaseSeconds);
    const restedSince = secondsAfter(now, -this.config.reconciliation.delaySeconds);
    const { rows } = await this.database.query<{ consent_id: string }>('take-reconciliations', takeSql, [
      restedSince,
      limit,
      leaseEnd,
    ]);
    return { consentIds: rows.map((row) => row.consent_id).sort(), leaseEnd };
  }

  /**
   * They are as they should be, and due again when something changes.
   * @returns consents of those that differed before
   */
  async noteEqual(equal: readonly Comparison[], leaseEnd: Date): Promise<string[]> {
    if (equal.length === 0) return [];
    const now = await readTime(this.database, this.clock.ofDatabase());
    const { rows } = await this.database.query<{ consent_id: string; was_different: boolean }>(
      'note-equal-books',
      noteEqualSql,
      [idsOf(equal), leaseEnd, equal.map((each) => nextLook(each, now)), now],
    );
    return rows.filter((row) => row.was_different).map((row) => row.consent_id);
  }

  /** The bank's book could not be read: they are due again after a pause. */
  async postpone(unread: readonly Comparison[], leaseEnd: Date): Promise<void> {
    if (unread.length === 0) return;
    const parameters = [idsOf(unread), leaseEnd, unread.map(() => null), this.clock.ofDatabase()];
    await this.database.query('postpone-reconciliations', postponeSql, parameters);
  }

  /**
   * It differs: an event and an audit event say so where that is news, and it is due again after a pause that grows.
   * @returns whether it is news
   */
  async noteDifferent(comparison: Comparison, leaseEnd: Date): Promise<boolean> {
    const { own, differences } = comparison;
    const now = await readTime(this.database, this.clock.ofDatabase());
    return this.database.transaction(async (runner) => {
      const { rows } = await runner.query<{ is_news: boolean }>('note-different-books', noteDifferentSql, [
        [own.consentId],
        leaseEnd,
        [null],
        now,
        JSON.stringify(differences),
      ]);
      const isNews = rows[0]?.is_news === true;
      if (isNews) await tell(runner, comparison, now);
      return isNews;
    });
  }
}

/** @returns differences as they may be told anywhere: kinds and ids, no amounts */
export function summarise(differences: readonly Difference[]): { kind: string; paymentIds?: string[] }[] {
  const kinds = [...new Set(differences.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const paymentIds = differences.flatMap((each) => (each.kind === kind && each.paymentId ? [each.paymentId] : []));
    return paymentIds.length === 0 ? { kind } : { kind, paymentIds };
  });
}

/** $1 kind of event, $2 kind of resource, $3 its id, $4 client, $5 state, $6 now, $7 consent */
const noteDifferenceSql = noteEventsOf(
  `(
    SELECT $4::uuid AS client_id, $5::text AS status,
      coalesce((SELECT api_version FROM payment_consents WHERE consent_id = $7::uuid), '3.1') AS api_version) AS difference`,
  { type: '$1::text', resourceType: '$2::text', resourceId: '$3::uuid', at: '$6::timestamptz' },
);

async function tell(runner: StatementRunner, { own, differences }: Comparison, now: Date): Promise<void> {
  const { consentId, clientId, kind, filePayment } = own;
  const [type, resource, id, status] = filePayment
    ? [`${kind}.difference`, kind, filePayment.filePaymentId, filePayment.status]
    : ['consent.difference', `${kind}-consent`, consentId, own.consentStatus];
  await runner.query('note-difference-event', noteDifferenceSql, [
    type,
    resource,
    id,
    clientId,
    status,
    now,
    consentId,
  ]);
  const details = {
    consentId,
    ...(filePayment && { filePaymentId: filePayment.filePaymentId }),
    differences: summarise(differences),
  };
  await recordAuditEvent(runner, { actor: 'worker', action: type ?? '', clientId, details, occurredAt: now });
}

const idsOf = (comparisons: readonly Comparison[]): string[] => comparisons.map(({ own }) => own.consentId);

/** @returns when to compare what agrees once more although nothing changes; null for never */
function nextLook(comparison: Comparison, now: Date): Date | null {
  return secondLook(comparison, now) ?? lookForEnd(comparison, now);
}

function lookForEnd({ own: { filePayment }, isOpenAtBank }: Comparison, now: Date): Date | null {
  if (filePayment === undefined || !isOpenAtBank) return null;
  const { shortestSeconds, longestSeconds, endSeconds } = openAtBank;
  const ageSeconds = (now.getTime() - filePayment.statusUpdatedAt.getTime()) / 1_000;
  const pauseSeconds = Math.min(Math.max(ageSeconds, shortestSeconds), longestSeconds);
  return ageSeconds + pauseSeconds <= endSeconds ? secondsAfter(now, pauseSeconds) : null;
}

/** A worker that did not know of the end or the stop of a file may continue with it for a while. */
function secondLook({ own: { filePayment, payments } }: Comparison, now: Date): Date | null {
  if (filePayment === undefined || payments.every(({ handedOverAt }) => handedOverAt !== undefined)) return null;
  const { status, stoppedAt, statusUpdatedAt } = filePayment;
  if (status === 'InitiationPending' && stoppedAt === undefined) return null;
  const at = stoppedAt
    ? new Date(stoppedAt.getTime() + stopPatienceMilliseconds)
    : secondsAfter(statusUpdatedAt, secondLookSeconds);
  return at > now ? at : null;
}

function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1_000);
}
