import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As for clients. A row of an older program's statement has an event each: its trigger looks at rows, no longer at all of a statement. */
export class RecordChangesOfAccessTokens1795410004000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE access_tokens ADD COLUMN revision integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`DROP TRIGGER access_tokens_audit ON access_tokens`);
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION audit_access_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM record_audit_event('token.revoke', NEW.client_id, jsonb_build_object('count', 1));
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER access_tokens_audit AFTER UPDATE ON access_tokens FOR EACH ROW
        WHEN (NEW.revision = OLD.revision AND OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
        EXECUTE FUNCTION audit_access_tokens()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER access_tokens_audit ON access_tokens`);
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION audit_access_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM record_audit_event('token.revoke', changed.client_id, jsonb_build_object('count', count(*)))
          FROM new_rows AS changed JOIN old_rows AS before USING (token_hash)
          WHERE before.revoked_at IS NULL AND changed.revoked_at IS NOT NULL GROUP BY changed.client_id;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER access_tokens_audit AFTER UPDATE ON access_tokens REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION audit_access_tokens()`);
    await queryRunner.query(`ALTER TABLE access_tokens DROP COLUMN revision`);
  }
}
