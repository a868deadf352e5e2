import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A customer's approval that lasts, and the refresh tokens that were issued for it one after the other. The grant has the hash of
 * the authorization code it began with, as its access tokens have. A used token is kept as long as its grant: its second use is
 * how a thief is noticed (RFC 9700 s4.14.2).
 */
export class CreateRefreshTokens1795222806000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE refresh_grants (
        code_hash bytea CONSTRAINT refresh_grants_pkey PRIMARY KEY,
        client_id uuid NOT NULL CONSTRAINT refresh_grants_client_id_fkey REFERENCES clients (client_id),
        scope text NOT NULL,
        certificate_subject text NOT NULL,
        psu_id text NOT NULL,
        consented_at timestamptz NOT NULL,
        issued_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz
      )`);
    await queryRunner.query(`CREATE INDEX refresh_grants_expires_at_idx ON refresh_grants (expires_at)`);
    await queryRunner.query(`CREATE INDEX refresh_grants_client_id_idx ON refresh_grants (client_id)`);
    await queryRunner.query(`
      CREATE TABLE refresh_tokens (
        token_hash bytea CONSTRAINT refresh_tokens_pkey PRIMARY KEY,
        code_hash bytea NOT NULL
          CONSTRAINT refresh_tokens_code_hash_fkey REFERENCES refresh_grants (code_hash) ON DELETE CASCADE,
        issued_at timestamptz NOT NULL,
        used_at timestamptz
      )`);
    await queryRunner.query(`CREATE INDEX refresh_tokens_code_hash_idx ON refresh_tokens (code_hash)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE refresh_tokens`);
    await queryRunner.query(`DROP TABLE refresh_grants`);
  }
}
