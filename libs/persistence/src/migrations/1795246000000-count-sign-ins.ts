import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often a password was sent in a session. The version before counts nothing. */
export class CountSignIns1795246000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE authorization_sessions ADD COLUMN sign_ins integer NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE authorization_sessions DROP COLUMN sign_ins`);
  }
}
