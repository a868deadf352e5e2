import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One row per effect: written by the same statement as the effect. `operation` carries the path parameters, because the
 * official flow uses one key for consent, upload and payment in turn (Read/Write profile, idempotency).
 */
export class CreateIdempotencyKeys1795222804000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        client_id uuid NOT NULL,
        operation text NOT NULL,
        idempotency_key text NOT NULL,
        request_hash bytea NOT NULL,
        resource_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (client_id, operation, idempotency_key)
      )`);
    await queryRunner.query(`CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE idempotency_keys`);
  }
}
