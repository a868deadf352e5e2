import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when the bank is being asked for a challenge of a session: of two clicks one asks it. The version before asks without it. */
export class ReserveChallenges1795290000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['authorization_sessions', 'approval_sessions']) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN challenge_requested_at timestamptz`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['authorization_sessions', 'approval_sessions']) {
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN challenge_requested_at`);
    }
  }
}
