import { firstPlace, type StatementRunner } from '#libs/persistence';

/** Where the last page ended. */
interface Position extends Record<string, unknown> {
  /** the time as text: a Date would lose its microseconds */
  readonly at: string;
  readonly consent_id: string;
}

const pageSize = 100;

/**
 * $1 since, $2 and $3 end of the page before, $4 how many. Uses the index of retention, which has consents that were
 * not erased.
 */
const consumedSql = `
  SELECT status_updated_at::text AS at, consent_id FROM payment_consents
   WHERE status = 'Consumed' AND erased_at IS NULL AND status_updated_at >= $1
     AND (status_updated_at, consent_id) > ($2::timestamptz, $3::uuid)
   ORDER BY status_updated_at, consent_id LIMIT $4`;

/** $1 since, $2 and $3 end of the page before, $4 how many: what changed since. Changes are recorded to the minute. */
const changedSql = `
  SELECT changed_at::text AS at, consent_id FROM reconciliations
   WHERE changed_at >= $1::timestamptz - interval '1 minute' AND (changed_at, consent_id) > ($2::timestamptz, $3::uuid)
   ORDER BY changed_at, consent_id LIMIT $4`;

/** $1 consents, $2 since: those that the first pages had. */
const readBeforeSql = `
  SELECT consent_id FROM payment_consents
   WHERE consent_id = ANY ($1::uuid[]) AND status = 'Consumed' AND erased_at IS NULL AND status_updated_at >= $2`;

/**
 * The consents consumed since a time, and those whose file payment or payments changed since, page by page. A page may
 * be empty. A consent that changes meanwhile may come twice.
 */
export async function* findChangedConsents(runner: StatementRunner, since: Date): AsyncGenerator<string[]> {
  const parameters = (after: Position) => [since, after.at, after.consent_id, pageSize];
  yield* readPages(async (after) => runner.query<Position>('page-consumed-consents', consumedSql, parameters(after)));
  const changed = readPages(async (after) =>
    runner.query<Position>('page-changed-consents', changedSql, parameters(after)),
  );
  for await (const consentIds of changed) {
    const { rows } = await runner.query<Position>('find-consumed-consents', readBeforeSql, [consentIds, since]);
    const before = new Set(rows.map((row) => row.consent_id));
    yield consentIds.filter((consentId) => !before.has(consentId));
  }
}

async function* readPages(read: (after: Position) => Promise<{ rows: readonly Position[] }>): AsyncGenerator<string[]> {
  let last: Position | undefined = { at: firstPlace.at, consent_id: firstPlace.id };
  while (last !== undefined) {
    const { rows }: { rows: readonly Position[] } = await read(last);
    yield rows.map((row) => row.consent_id);
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  }
}

/** @returns the consent of a file payment */
export async function findConsentOf(runner: StatementRunner, filePaymentId: string): Promise<string | undefined> {
  const { rows } = await runner.query<{ consent_id: string }>(
    'find-consent-of-file-payment',
    'SELECT consent_id FROM payment_orders WHERE payment_order_id = $1',
    [filePaymentId],
  );
  return rows[0]?.consent_id;
}
