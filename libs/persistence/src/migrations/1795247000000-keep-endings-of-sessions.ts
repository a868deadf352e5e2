import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How a session has ended, for the page that its customer comes back to. The version before says only that it has. */
export class KeepEndingsOfSessions1795247000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE authorization_sessions ADD COLUMN ending text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE authorization_sessions DROP COLUMN ending`);
  }
}
