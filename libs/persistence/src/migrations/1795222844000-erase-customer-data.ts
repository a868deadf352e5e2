import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Erasure goes by the end of a consent and covers what the consent itself says of people, with or without a file. The index
 * holds consents that have ended only, so that staging one does not touch it.
 */
export class EraseCustomerData1795222844000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE file_payment_consents ADD COLUMN erased_at timestamptz`);
    await queryRunner.query(`
      CREATE INDEX file_payment_consents_retention_idx ON file_payment_consents (status_updated_at)
        WHERE erased_at IS NULL AND status IN ('Consumed', 'Rejected')`);
    await queryRunner.query(`DROP INDEX payment_files_uploaded_at_idx`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX payment_files_uploaded_at_idx ON payment_files (uploaded_at) WHERE erased_at IS NULL`,
    );
    await queryRunner.query(`DROP INDEX file_payment_consents_retention_idx`);
    await queryRunner.query(`ALTER TABLE file_payment_consents DROP COLUMN erased_at`);
  }
}
