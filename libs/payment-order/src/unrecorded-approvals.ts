import { approvalEventId } from '#libs/audit';
import { firstPlace, type StatementRunner } from '#libs/persistence';

/** An approval with the id of its audit event. */
interface Approval extends Record<string, unknown> {
  /** id of the consent, or of the file payment of a further approver */
  readonly id: string;
  readonly psu_id: string;
  readonly event_id: string;
  /** the audit trail keeps the events of a year */
  readonly is_kept: boolean;
  readonly approved_at: Date | null;
  readonly client_id: string | null;
  readonly is_ordered: boolean;
}

/** An approval that the audit trail lacks. */
export interface UnrecordedApproval {
  /** id of the consent, or of the file payment of a further approver */
  readonly id: string;
  readonly clientId: string | null;
  /** whether there is a file payment, whose comparison shows it too */
  readonly isOrdered: boolean;
}

const pageSize = 1_000;

/** SQL: a page of approvals by their key, in any state. */
const pageOf = (
  table: string,
  {
    key,
    after,
    at,
    client = 'client_id',
    isOrdered = 'false',
  }: Record<'key' | 'after' | 'at', string> & { client?: string; isOrdered?: string },
): string => {
  const [id = ''] = key.split(',');
  return `
  SELECT ${id} AS id, psu_id, ${approvalEventId(id, 'challenge_id')} AS event_id, ${at} AS approved_at,
    ${client} AS client_id,
    ${isOrdered} AS is_ordered, ${at} IS NOT NULL AND ${at} > now() - interval '1 year' AS is_kept
  FROM (SELECT * FROM ${table} WHERE (${key}) > (${after}) ORDER BY ${key} LIMIT ${pageSize}) AS page ORDER BY ${key}`;
};
const ofConsent = { key: 'consent_id', after: '$1::uuid', at: 'authorised_at' };
const ofApprover = {
  key: 'payment_order_id, psu_id',
  after: '$1::uuid, $2::text',
  at: `CASE decision WHEN 'Approved' THEN decided_at END`,
  client: 'NULL::uuid',
  isOrdered: 'true',
};
const paymentsSql = pageOf('payment_consents', { ...ofConsent, isOrdered: `status = 'Consumed'` });
const accessSql = pageOf('access_consents', ofConsent);
const furtherSql = pageOf('payment_approvals', ofApprover);

/** $1 ids of events. No join: where rows are distributed, an event may be on another node. */
const eventsSql = `
  SELECT event_id, details ->> 'psuId' AS psu_id FROM audit_events
  WHERE event_id = ANY ($1::uuid[]) AND action IN ('consent.authorised', 'payment.approved')`;

/** Approvals of consents of every kind, and of file payments by further approvers. */
export async function* findUnrecordedApprovals(
  runner: StatementRunner,
  since = new Date(0),
): AsyncGenerator<UnrecordedApproval> {
  const find = (read: (last: Last) => Promise<{ rows: readonly Approval[] }>): AsyncGenerator<UnrecordedApproval> =>
    findUnrecorded(runner, read, since);
  yield* find(({ id }) => runner.query<Approval>('page-approvals-of-payments', paymentsSql, [id]));
  yield* find(({ id }) => runner.query<Approval>('page-approvals-of-access', accessSql, [id]));
  yield* find((last) => {
    return runner.query<Approval>('page-further-approvals', furtherSql, [last.id, last.psu_id]);
  });
}

type Last = Pick<Approval, 'id' | 'psu_id'>;

async function* findUnrecorded(
  runner: StatementRunner,
  read: (last: Last) => Promise<{ rows: readonly Approval[] }>,
  since: Date,
): AsyncGenerator<UnrecordedApproval> {
  let last: Last | undefined = { id: firstPlace.id, psu_id: '' };
  while (last !== undefined) {
    const { rows }: { rows: readonly Approval[] } = await read(last);
    const kept = rows.filter((row) => row.is_kept && row.approved_at !== null && row.approved_at >= since);
    const ids = kept.map((row) => row.event_id);
    const found = await runner.query<Approval>('find-events-of-approvals', eventsSql, [ids]);
    const told = new Map(found.rows.map((event) => [event.event_id, event.psu_id]));
    for (const { id, event_id: event, psu_id: psuId, client_id: clientId, is_ordered: isOrdered } of kept) {
      if (told.get(event) !== psuId) yield { id, clientId, isOrdered };
    }
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  }
}
