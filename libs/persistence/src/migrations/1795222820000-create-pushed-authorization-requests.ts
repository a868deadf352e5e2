import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Request objects that clients have pushed (RFC 9126). The reference given out is stored as a SHA-256 hash; the row goes when it is used, so
 * that it is used once. A new table: nothing that runs reads or writes it yet.
 */
export class CreatePushedAuthorizationRequests1795222820000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE pushed_authorization_requests (
        request_uri_hash bytea CONSTRAINT pushed_authorization_requests_pkey PRIMARY KEY,
        client_id uuid NOT NULL CONSTRAINT pushed_authorization_requests_client_id_fkey REFERENCES clients (client_id),
        request text NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await queryRunner.query(
      `CREATE INDEX pushed_authorization_requests_expires_at_idx ON pushed_authorization_requests (expires_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE pushed_authorization_requests`);
  }
}
