import { Injectable } from '@nestjs/common';
import { Clock, Config, type StatementTime } from '#libs/config';
import { noteEventsOf } from '#libs/events';
import {
  Database,
  lockedRowByKey,
  readTime,
  recordAuditEvent,
  secondsAfter as secondsAfterInSql,
  statement,
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

/** Seconds; more than the bank may take for everything that is taken at once. */
const leaseSeconds = 300;
/** Pauses in seconds before another comparison, if the bank's book could not be read, or differs. */
const pauses = { unread: { first: 60, longest: 900 }, different: { first: 300, longest: 21_600 } } as const;
/** Seconds until a payment that was Rejected without a hand-over is looked for at the bank once more. */
const secondLookSeconds = 3_600;
/**
 * A payment that has ended here, but not in the bank's book, is compared again. Each pause is as long as the time since
 * its end, within these bounds. The bank keeps its book for at least `endSeconds`.
 */
const openAtBank = { shortestSeconds: 3_600, longestSeconds: 7 * 86_400, endSeconds: 90 * 86_400 } as const;

const takeDue = statement<{ restedSince: Date; limit: number; leaseEnd: Date }>('take-reconciliations', [
  'restedSince',
])`
  UPDATE reconciliations SET due_at = :leaseEnd, attempts = attempts + 1
   WHERE consent_id = ANY (ARRAY(
     SELECT consent_id FROM reconciliations WHERE due_at <= :restedSince ORDER BY due_at LIMIT :limit
       FOR UPDATE SKIP LOCKED))
  RETURNING consent_id`;

/**
 * SQL: the consents that the worker still holds, by the end of its lease, in one order, so that statements never
 * deadlock.
 */
const stillTaken = `
  SELECT given.consent_id, given.next_due_at, known.differences AS former
    FROM unnest(:consentIds::uuid[], :nextDueAt::timestamptz[]) AS given (consent_id, next_due_at)
   CROSS JOIN ${lockedRowByKey('reconciliations', 'consent_id = given.consent_id')} AS known
   WHERE known.due_at = :leaseEnd`;

/** What a worker records about the consents that it has taken. */
interface Taken {
  readonly consentIds: readonly string[];
  readonly leaseEnd: Date;
  readonly nextDueAt: readonly (Date | null)[];
  readonly now: StatementTime;
}

const ofTaken = <Step extends object = object>(name: string) =>
  statement<Taken & Step>(name, ['consentIds', 'leaseEnd']);

const noteEqualBooks = ofTaken('note-equal-books')`
  WITH taken AS MATERIALIZED (${stillTaken})
  UPDATE reconciliations AS done
     SET due_at = taken.next_due_at, reconciled_at = :now, attempts = 0, differences = NULL, different_since = NULL,
         acknowledged_at = NULL
    FROM taken WHERE done.consent_id = taken.consent_id AND done.consent_id = ANY (:consentIds)
  RETURNING done.consent_id, taken.former IS NOT NULL AS was_different`;

const secondsLater = (seconds: string) => secondsAfterInSql(':now::timestamptz', seconds);

const postponeTaken = ofTaken('postpone-reconciliations')`
  WITH taken AS MATERIALIZED (${stillTaken})
  UPDATE reconciliations AS done SET due_at = ${secondsLater(
    `least(${pauses.unread.first} * power(2, least(done.attempts - 1, 10)), ${pauses.unread.longest})`,
  )}
    FROM taken WHERE done.consent_id = taken.consent_id AND done.consent_id = ANY (:consentIds)`;

/** Acknowledged differences are compared again only after a change. */
const noteDifferentBooks = ofTaken<{ differences: string }>('note-different-books')`
  WITH taken AS MATERIALIZED (${stillTaken})
  UPDATE reconciliations AS done
     SET reconciled_at = :now, differences = :differences::jsonb, different_since = coalesce(done.different_since,
       :now),
         acknowledged_at = CASE WHEN taken.former = :differences::jsonb THEN done.acknowledged_at END,
         attempts = CASE WHEN taken.former = :differences::jsonb THEN done.attempts ELSE 0 END,
         due_at = CASE WHEN taken.former IS DISTINCT FROM :differences::jsonb OR done.acknowledged_at IS NULL THEN
           ${secondsLater(`least(
             ${pauses.different.first} * power(2, least(CASE WHEN taken.former = :differences::jsonb THEN done.attempts
               ELSE 0 END, 10)),
             ${pauses.different.longest})`)} END
    FROM taken WHERE done.consent_id = taken.consent_id AND done.consent_id = ANY (:consentIds)
  RETURNING taken.former IS DISTINCT FROM :differences::jsonb AS is_news`;

/**
 * File payments to compare: some time after the last change of their state, later if the bank is unavailable, and again
 * as long as something differs. Several workers may take from the queue. A file payment that changes during its
 * comparison is compared again.
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
    const { rows } = await this.database.query<{ consent_id: string }>(
      ...takeDue.with({ restedSince, limit, leaseEnd }),
    );
    return { consentIds: rows.map((row) => row.consent_id).sort(), leaseEnd };
  }

  /**
   * They agree, and are due again when something changes.
   * @returns ids of the consents that differed before
   */
  async noteEqual(equal: readonly Comparison[], leaseEnd: Date): Promise<string[]> {
    if (equal.length === 0) return [];
    const now = await readTime(this.database, this.clock.ofDatabase());
    const { rows } = await this.database.query<{ consent_id: string; was_different: boolean }>(
      ...noteEqualBooks.with({
        consentIds: idsOf(equal),
        leaseEnd,
        nextDueAt: equal.map((each) => nextLook(each, now)),
        now,
      }),
    );
    return rows.filter((row) => row.was_different).map((row) => row.consent_id);
  }

  /** The bank's book could not be read: they are due again after a pause. */
  async postpone(unread: readonly Comparison[], leaseEnd: Date): Promise<void> {
    if (unread.length === 0) return;
    const values = {
      consentIds: idsOf(unread),
      leaseEnd,
      nextDueAt: unread.map(() => null),
      now: this.clock.ofDatabase(),
    };
    await this.database.query(...postponeTaken.with(values));
  }

  /**
   * It differs: if that is news, an event and an audit event say so. It is due again after a pause that grows.
   * @returns whether it is news
   */
  async noteDifferent(comparison: Comparison, leaseEnd: Date): Promise<boolean> {
    const { own, differences } = comparison;
    const now = await readTime(this.database, this.clock.ofDatabase());
    return this.database.transaction(async (runner) => {
      const { rows } = await runner.query<{ is_news: boolean }>(
        ...noteDifferentBooks.with({
          consentIds: [own.consentId],
          leaseEnd,
          nextDueAt: [null],
          now,
          differences: JSON.stringify(differences),
        }),
      );
      const isNews = rows[0]?.is_news === true;
      if (isNews) await tell(runner, comparison, now);
      return isNews;
    });
  }
}

/** @returns differences in a form that may be shown anywhere: kinds and ids, no amounts */
export function summarise(differences: readonly Difference[]): { kind: string; paymentIds?: string[] }[] {
  const kinds = [...new Set(differences.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const paymentIds = differences.flatMap((each) => (each.kind === kind && each.paymentId ? [each.paymentId] : []));
    return paymentIds.length === 0 ? { kind } : { kind, paymentIds };
  });
}

const noteDifferenceEvent = statement<{
  type: string;
  resource: string;
  id: string;
  clientId: string;
  status: string;
  now: Date;
  consentId: string;
}>('note-difference-event', ['type', 'resource', 'id', 'clientId'])`${noteEventsOf(
  `(
    SELECT :clientId::uuid AS client_id, :status::text AS status,
      coalesce((SELECT api_version FROM payment_consents WHERE consent_id = :consentId::uuid),
        '3.1') AS api_version) AS difference`,
  { type: ':type::text', resourceType: ':resource::text', resourceId: ':id::uuid', at: ':now::timestamptz' },
)}`;

async function tell(runner: StatementRunner, { own, differences }: Comparison, now: Date): Promise<void> {
  const { consentId, clientId, kind, filePayment } = own;
  const [type, resource, id, status] = filePayment
    ? [`${kind}.difference`, kind, filePayment.filePaymentId, filePayment.status]
    : ['consent.difference', `${kind}-consent`, consentId, own.consentStatus];
  await runner.query(...noteDifferenceEvent.with({ type, resource, id, clientId, status, now, consentId }));
  const details = {
    consentId,
    ...(filePayment && { filePaymentId: filePayment.filePaymentId }),
    differences: summarise(differences),
  };
  await recordAuditEvent(runner, { actor: 'worker', action: type ?? '', clientId, details, occurredAt: now });
}

const idsOf = (comparisons: readonly Comparison[]): string[] => comparisons.map(({ own }) => own.consentId);

/** @returns when to compare equal books again although nothing changes; null for never */
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

/** A worker that does not know that a file was ended or stopped may continue with it for a while. */
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
