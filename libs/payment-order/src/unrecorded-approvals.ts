import { approvalEventId } from '#libs/audit';
import type { StatementRunner } from '#libs/persistence';

/** An approval, with the id that its audit event has. */
interface Approval extends Record<string, unknown> {
  /** consent, or file payment of a further approver */
  readonly id: string;
  readonly psu_id: string;
  readonly event_id: string;
  /** the audit trail keeps the events of a year */
  readonly is_kept: boolean;
}

const pageSize = 1_000;
const lowestId = '00000000-0000-0000-0000-000000000000';

/** SQL: a page of approvals by their key, whatever the state. */
const pageOf = (table: string, { key, after, at }: { key: string; after: string; at: string }): string => {
  const [id = ''] = key.split(',');
  return `
  SELECT ${id} AS id, psu_id, ${approvalEventId(id, 'challenge_id')} AS event_id,
    ${at} IS NOT NULL AND ${at} > now() - interval '1 year' AS is_kept
  FROM (SELECT * FROM ${table} WHERE (${key}) > (${after}) ORDER BY ${key} LIMIT ${pageSize}) AS page ORDER BY ${key}`;
};
const ofConsent = { key: 'consent_id', after: '$1::uuid', at: 'authorised_at' };
const ofApprover = {
  key: 'payment_order_id, psu_id',
  after: '$1::uuid, $2::text',
  at: `CASE decision WHEN 'Approved' THEN decided_at END`,
};
const paymentsSql = pageOf('payment_consents', ofConsent);
const accessSql = pageOf('access_consents', ofConsent);
const furtherSql = pageOf('payment_approvals', ofApprover);

/** $1 ids of events. No join: where rows are distributed, an event may be on another node. */
const eventsSql = `
  SELECT event_id, details ->> 'psuId' AS psu_id FROM audit_events
  WHERE event_id = ANY ($1::uuid[]) AND action IN ('consent.authorised', 'payment.approved')`;

/** Consents of every kind, and file payments of further approvers, with an approval of which the audit trail does not tell. */
export async function* findUnrecordedApprovals(runner: StatementRunner): AsyncGenerator<string> {
  yield* find(runner, ({ id }) => runner.query<Approval>('page-approvals-of-payments', paymentsSql, [id]));
  yield* find(runner, ({ id }) => runner.query<Approval>('page-approvals-of-access', accessSql, [id]));
  yield* find(runner, (last) => {
    return runner.query<Approval>('page-further-approvals', furtherSql, [last.id, last.psu_id]);
  });
}

type Last = Pick<Approval, 'id' | 'psu_id'>;

async function* find(
  runner: StatementRunner,
  read: (last: Last) => Promise<{ rows: readonly Approval[] }>,
): AsyncGenerator<string> {
  let last: Last | undefined = { id: lowestId, psu_id: '' };
  while (last !== undefined) {
    const { rows }: { rows: readonly Approval[] } = await read(last);
    const kept = rows.filter((row) => row.is_kept);
    const ids = kept.map((row) => row.event_id);
    const found = await runner.query<Approval>('find-events-of-approvals', eventsSql, [ids]);
    const told = new Map(found.rows.map((event) => [event.event_id, event.psu_id]));
    for (const { id, event_id: event, psu_id: psuId } of kept) if (told.get(event) !== psuId) yield id;
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  }
}
