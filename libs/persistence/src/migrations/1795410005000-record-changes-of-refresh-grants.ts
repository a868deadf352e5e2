import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As for access tokens. A row of an older program's statement has an event each: its trigger looks at rows, no longer at all of a statement. */
export class RecordChangesOfRefreshGrants1795410005000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE refresh_grants ADD COLUMN revision integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`DROP TRIGGER refresh_grants_audit ON refresh_grants`);
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION audit_refresh_grants() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM record_audit_event('refresh-grant.revoke', NEW.client_id, jsonb_build_object('count', 1));
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER refresh_grants_audit AFTER UPDATE ON refresh_grants FOR EACH ROW
        WHEN (NEW.revision = OLD.revision AND OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
        EXECUTE FUNCTION audit_refresh_grants()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER refresh_grants_audit ON refresh_grants`);
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION audit_refresh_grants() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM record_audit_event('refresh-grant.revoke', changed.client_id, jsonb_build_object('count', count(*)))
          FROM new_rows AS changed JOIN old_rows AS before USING (code_hash)
          WHERE before.revoked_at IS NULL AND changed.revoked_at IS NOT NULL GROUP BY changed.client_id;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER refresh_grants_audit AFTER UPDATE ON refresh_grants REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION audit_refresh_grants()`);
    await queryRunner.query(`ALTER TABLE refresh_grants DROP COLUMN revision`);
  }
}
