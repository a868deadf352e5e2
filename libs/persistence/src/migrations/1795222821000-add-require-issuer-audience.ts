import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether a client's assertions must name the issuer alone (RFC 10070). With a default, so that the version that runs meanwhile can go on
 * registering clients; PostgreSQL does not rewrite the table for it.
 */
export class AddRequireIssuerAudience1795222821000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE clients ADD COLUMN require_issuer_audience boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE clients DROP COLUMN require_issuer_audience`);
  }
}
