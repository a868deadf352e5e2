import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was consumed before the triggers were there is compared as well, as far back as a bank need keep its book. A transaction of its own:
 * nobody waits for its end.
 */
export class ReconcileEarlierFiles1795242001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      INSERT INTO reconciliations (consent_id, changed_at, due_at)
      SELECT consent_id, status_updated_at, status_updated_at FROM file_payment_consents
       WHERE status = 'Consumed' AND erased_at IS NULL AND status_updated_at > now() - interval '90 days'
      ON CONFLICT DO NOTHING`);
  }

  async down(): Promise<void> {
    // The rows go with their table.
  }
}
