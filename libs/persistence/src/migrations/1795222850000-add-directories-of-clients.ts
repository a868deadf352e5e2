import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which of several directories a client comes from, and where that publishes the client's revoked keys. Null for clients that
 * registered before, and for those that a process of the former version registers: they are of the first directory.
 */
export class AddDirectoriesOfClients1795222850000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE clients ADD COLUMN directory_issuer text, ADD COLUMN jwks_revoked_uri text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE clients DROP COLUMN directory_issuer, DROP COLUMN jwks_revoked_uri`);
  }
}
