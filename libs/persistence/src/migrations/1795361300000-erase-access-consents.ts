import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a consent to access that has ended says of a customer's accounts is erased after a time. */
export class EraseAccessConsents1795361300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE access_consents ADD COLUMN erased_at timestamptz`);
    await queryRunner.query(`
      CREATE INDEX access_consents_retention_idx ON access_consents (status_updated_at)
        WHERE erased_at IS NULL AND status IN ('Rejected', 'Revoked', 'Expired')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE access_consents DROP COLUMN erased_at`);
  }
}
