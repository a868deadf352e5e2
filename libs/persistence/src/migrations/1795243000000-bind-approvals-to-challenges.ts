import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A decision is authenticated by a challenge of its own (SCA-RTS art. 5): the session holds the one that is open, and what it is for. The
 * version before goes on: it never enters the new stage, and leads somebody who is in it to the start.
 */
export class BindApprovalsToChallenges1795243000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE authorization_sessions
        ADD COLUMN challenge jsonb,
        ADD COLUMN challenge_checked_at timestamptz,
        ADD COLUMN challenges_started integer NOT NULL DEFAULT 0,
        DROP CONSTRAINT authorization_sessions_stage_check,
        ADD CONSTRAINT authorization_sessions_stage_check
          CHECK (stage IN ('SignIn', 'SecondFactor', 'Consent', 'Challenge', 'Completed'))`);
    await queryRunner.query(`
      ALTER TABLE approval_sessions
        ADD COLUMN challenge jsonb,
        ADD COLUMN challenge_checked_at timestamptz,
        ADD COLUMN challenges_started integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`CREATE INDEX approval_sessions_psu_id_idx ON approval_sessions (psu_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX approval_sessions_psu_id_idx`);
    await queryRunner.query(`
      ALTER TABLE approval_sessions
        DROP COLUMN challenge, DROP COLUMN challenge_checked_at, DROP COLUMN challenges_started`);
    await queryRunner.query(`DELETE FROM authorization_sessions WHERE stage = 'Challenge'`);
    await queryRunner.query(`
      ALTER TABLE authorization_sessions
        DROP COLUMN challenge, DROP COLUMN challenge_checked_at, DROP COLUMN challenges_started,
        DROP CONSTRAINT authorization_sessions_stage_check,
        ADD CONSTRAINT authorization_sessions_stage_check
          CHECK (stage IN ('SignIn', 'SecondFactor', 'Consent', 'Completed'))`);
  }
}
