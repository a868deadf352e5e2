import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A code stays as long as its tokens. Housekeeping looked at each such code again at every step; now it notes until when there is nothing
 * to look for.
 */
export class LookAtKeptCodesOnce1795244000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE authorization_codes ADD COLUMN kept_until timestamptz`);
    await queryRunner.query(`
      CREATE INDEX authorization_codes_due_idx ON authorization_codes ((COALESCE(kept_until, expires_at)))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX authorization_codes_due_idx`);
    await queryRunner.query(`ALTER TABLE authorization_codes DROP COLUMN kept_until`);
  }
}
