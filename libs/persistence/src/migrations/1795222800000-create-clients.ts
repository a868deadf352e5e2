import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registered TPPs (RFC 7591). A deleted client stays as a tombstone, so that its id is never used again. */
export class CreateClients1795222800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE clients (
        client_id uuid CONSTRAINT clients_pkey PRIMARY KEY,
        status text NOT NULL CONSTRAINT clients_status_check CHECK (status IN ('Active', 'Suspended', 'Deleted')),
        org_id text NOT NULL,
        org_name text NOT NULL,
        software_id text NOT NULL,
        client_name text NOT NULL,
        organisation_identifier text,
        redirect_uris text[] NOT NULL,
        grant_types text[] NOT NULL,
        response_types text[] NOT NULL,
        scope text NOT NULL,
        token_endpoint_auth_method text NOT NULL,
        token_endpoint_auth_signing_alg text,
        id_token_signed_response_alg text NOT NULL,
        request_object_signing_alg text NOT NULL,
        tls_client_auth_subject_dn text,
        jwks_uri text NOT NULL,
        secret_hash bytea NOT NULL,
        secret_encrypted text,
        metadata jsonb NOT NULL,
        client_id_issued_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        deleted_at timestamptz
      )`);
    await queryRunner.query(`CREATE INDEX clients_software_id_idx ON clients (software_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE clients`);
  }
}
