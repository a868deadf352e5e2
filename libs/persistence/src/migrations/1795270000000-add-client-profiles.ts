import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a client registers about its authorization requests and their answers: the signature of JWT answers (JARM s3), the FAPI profile, and
 * whether it pushes all its requests (RFC 9126 s6). With defaults, so that the version that runs meanwhile can go on registering clients;
 * PostgreSQL does not rewrite the table for them.
 */
export class AddClientProfiles1795270000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE clients
        ADD COLUMN authorization_signed_response_alg text,
        ADD COLUMN fapi_profile text NOT NULL DEFAULT 'fapi1-advanced'
          CONSTRAINT clients_fapi_profile_check
          CHECK (fapi_profile IN ('fapi1-advanced', 'fapi2-security', 'fapi2-message-signing')),
        ADD COLUMN require_pushed_authorization_requests boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE clients
        DROP COLUMN authorization_signed_response_alg,
        DROP COLUMN fapi_profile,
        DROP COLUMN require_pushed_authorization_requests`);
  }
}
