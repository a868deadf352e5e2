import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a customer approves is what the bank is given: the list of a file's payments as they will be handed over is made when the file is taken,
 * and its SHA-256 ties the approval to it. The version before fills none of it, so that all of it may be absent.
 */
export class CreateInstructionLists1795240000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE file_payment_consents ADD COLUMN approval_hash bytea, ADD COLUMN approved_hash bytea`);
    await queryRunner.query(`ALTER TABLE payments ADD COLUMN amount numeric`);
    await queryRunner.query(`
      CREATE TABLE instruction_lists (
        consent_id uuid CONSTRAINT instruction_lists_pkey PRIMARY KEY,
        instructions text NOT NULL,
        amounts numeric[] NOT NULL,
        erased_at timestamptz
      )`);
    // As for the files themselves: a server without lz4 compresses by its own method.
    await queryRunner.query(`
      DO $$ BEGIN
        ALTER TABLE instruction_lists ALTER COLUMN instructions SET COMPRESSION lz4;
      EXCEPTION WHEN feature_not_supported THEN
        RAISE NOTICE 'This PostgreSQL has no lz4.';
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE instruction_lists`);
    await queryRunner.query(`ALTER TABLE payments DROP COLUMN amount`);
    await queryRunner.query(`
      ALTER TABLE file_payment_consents DROP COLUMN approved_hash, DROP COLUMN approval_hash`);
  }
}
