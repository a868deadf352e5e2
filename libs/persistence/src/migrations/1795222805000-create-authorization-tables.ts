import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An authorization request on its way through the PSU's pages, the codes it ends in and the tokens they buy. Every
 * bearer value (session, code, token) is stored as a SHA-256 hash, so that a copy of the database lets nobody in.
 */
export class CreateAuthorizationTables1795222805000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE authorization_sessions (
        authorization_session_id uuid CONSTRAINT authorization_sessions_pkey PRIMARY KEY,
        session_hash bytea NOT NULL,
        client_id uuid NOT NULL CONSTRAINT authorization_sessions_client_id_fkey REFERENCES clients (client_id),
        consent_id uuid CONSTRAINT authorization_sessions_consent_id_fkey REFERENCES file_payment_consents (consent_id),
        request jsonb NOT NULL,
        stage text NOT NULL CONSTRAINT authorization_sessions_stage_check
          CHECK (stage IN ('SignIn', 'SecondFactor', 'Consent', 'Completed')),
        psu_id text,
        psu_name text,
        acr text,
        authenticated_at timestamptz,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await queryRunner.query(
      `CREATE INDEX authorization_sessions_expires_at_idx ON authorization_sessions (expires_at)`,
    );
    await queryRunner.query(`
      CREATE TABLE authorization_codes (
        code_hash bytea CONSTRAINT authorization_codes_pkey PRIMARY KEY,
        client_id uuid NOT NULL CONSTRAINT authorization_codes_client_id_fkey REFERENCES clients (client_id),
        consent_id uuid,
        redirect_uri text NOT NULL,
        scope text NOT NULL,
        psu_id text NOT NULL,
        subject text NOT NULL,
        nonce text,
        acr text NOT NULL,
        authenticated_at timestamptz NOT NULL,
        consented_at timestamptz NOT NULL,
        code_challenge text,
        expires_at timestamptz NOT NULL,
        redeemed_at timestamptz
      )`);
    await queryRunner.query(`CREATE INDEX authorization_codes_expires_at_idx ON authorization_codes (expires_at)`);
    await queryRunner.query(`CREATE INDEX authorization_codes_client_id_idx ON authorization_codes (client_id)`);
    await queryRunner.query(`
      CREATE TABLE access_tokens (
        token_hash bytea CONSTRAINT access_tokens_pkey PRIMARY KEY,
        client_id uuid NOT NULL CONSTRAINT access_tokens_client_id_fkey REFERENCES clients (client_id),
        grant_type text NOT NULL
          CONSTRAINT access_tokens_grant_type_check CHECK (grant_type IN ('client_credentials', 'authorization_code')),
        scope text NOT NULL,
        certificate_thumbprint text NOT NULL,
        consent_id uuid,
        psu_id text,
        code_hash bytea,
        issued_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz
      )`);
    await queryRunner.query(`CREATE INDEX access_tokens_expires_at_idx ON access_tokens (expires_at)`);
    await queryRunner.query(`CREATE INDEX access_tokens_client_id_idx ON access_tokens (client_id)`);
    await queryRunner.query(
      `CREATE INDEX access_tokens_code_hash_idx ON access_tokens (code_hash) WHERE code_hash IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE access_tokens`);
    await queryRunner.query(`DROP TABLE authorization_codes`);
    await queryRunner.query(`DROP TABLE authorization_sessions`);
  }
}
