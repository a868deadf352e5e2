import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Removed clients whose consents to access have still to be ended, one by one: a client may have more than one statement can end. The removal
 * writes a row, and from then on nothing of the client counts; the worker removes it when the last consent has ended.
 */
export class CreateAccessConsentEnds1795440001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE access_consent_ends (
        client_id uuid CONSTRAINT access_consent_ends_pkey PRIMARY KEY,
        ended_at timestamptz NOT NULL,
        interaction_id text,
        actor text NOT NULL
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE access_consent_ends`);
  }
}
