import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes are found by when they are due, which `authorization_codes_due_idx` has: nothing reads their expiry any more, and every code paid for it. */
export class DropExpiryIndexOfCodes1795440002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX authorization_codes_expires_at_idx`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX authorization_codes_expires_at_idx ON authorization_codes (expires_at)`);
  }
}
