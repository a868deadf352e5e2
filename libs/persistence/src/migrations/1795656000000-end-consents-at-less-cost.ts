import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each change of a consent paid for, and nothing needs. No client is ever deleted, so no audit event can lose its
 * client; to check that cost half as much as to write the event, and locked the client's row. And nothing looks for the
 * file payment consents of a client.
 */
export class EndConsentsAtLessCost1795656000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE audit_events DROP CONSTRAINT IF EXISTS audit_events_client_id_fkey`);
    await queryRunner.query(`DROP INDEX IF EXISTS file_payment_consents_client_id_idx`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX file_payment_consents_client_id_idx ON file_payment_consents (client_id)`);
    await queryRunner.query(`
      ALTER TABLE audit_events ADD CONSTRAINT audit_events_client_id_fkey
        FOREIGN KEY (client_id) REFERENCES clients (client_id)`);
  }
}
