import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The `jti` values already redeemed, until they expire (RFC 7523 s3 item 7). The purpose is part of the key: a value
 * used in one kind of document says nothing about another kind.
 */
export class CreateUsedJwtIds1795222801000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE used_jwt_ids (
        purpose text NOT NULL
          CONSTRAINT used_jwt_ids_purpose_check CHECK (purpose IN ('client-assertion', 'registration', 'request-object')),
        issuer text NOT NULL,
        jti text NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT used_jwt_ids_pkey PRIMARY KEY (purpose, issuer, jti)
      )`);
    await queryRunner.query(`CREATE INDEX used_jwt_ids_expires_at_idx ON used_jwt_ids (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE used_jwt_ids`);
  }
}
