import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Consents looked at by one statement. */
const batchSize = 2_000;

/**
 * What was consumed before the triggers were there is compared as well, as far back as a bank need keep its book. Each batch is a transaction
 * of its own: the triggers wait for a row that is written here, and with it whoever changes that file payment.
 */
export class ReconcileEarlierFiles1795242001000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    let last: string | undefined = '00000000-0000-0000-0000-000000000000';
    while (last !== undefined) {
      const rows = (await queryRunner.query(
        `WITH page AS MATERIALIZED (
           SELECT consent_id, status, status_updated_at, erased_at FROM file_payment_consents
            WHERE consent_id > $1 ORDER BY consent_id LIMIT ${batchSize}),
         added AS (
           INSERT INTO reconciliations (consent_id, changed_at, due_at)
           SELECT consent_id, status_updated_at, status_updated_at FROM page
            WHERE status = 'Consumed' AND erased_at IS NULL AND status_updated_at > now() - interval '90 days'
           ON CONFLICT DO NOTHING)
         SELECT consent_id AS last FROM page ORDER BY consent_id DESC LIMIT 1`,
        [last],
      )) as { last: string }[];
      last = rows[0]?.last;
    }
  }

  async down(): Promise<void> {
    // The rows go with their table.
  }
}
