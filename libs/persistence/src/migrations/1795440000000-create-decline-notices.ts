import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the bank has still to be told of customers who declined and said why. The statement of the decline writes a row; the worker removes it
 * when the bank has taken it.
 */
export class CreateDeclineNotices1795440000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE decline_notices (
        decline_notice_id uuid CONSTRAINT decline_notices_pkey PRIMARY KEY,
        report jsonb NOT NULL,
        interaction_id text,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX decline_notices_next_attempt_at_idx ON decline_notices (next_attempt_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE decline_notices`);
  }
}
