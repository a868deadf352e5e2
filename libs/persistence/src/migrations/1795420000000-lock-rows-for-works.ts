import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Works of which one runs at a time lock their row: an advisory lock is known to the one server that gave it. And the guard of the seals
 * becomes two triggers: a distributed database makes none that is for rows and for TRUNCATE, and says nothing of it.
 */
export class LockRowsForWorks1795420000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE IF NOT EXISTS works (name text CONSTRAINT works_pkey PRIMARY KEY)`);
    await queryRunner.query(`INSERT INTO works (name) VALUES ('migrations'), ('audit-seals') ON CONFLICT DO NOTHING`);
    await queryRunner.query(`DROP TRIGGER audit_seals_append_only ON audit_seals`);
    await queryRunner.query(`
      CREATE TRIGGER audit_seals_guard BEFORE UPDATE OR DELETE ON audit_seals
        FOR EACH ROW EXECUTE FUNCTION refuse_audit_event_change()`);
    await queryRunner.query(`
      CREATE TRIGGER audit_seals_append_only BEFORE TRUNCATE ON audit_seals
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER audit_seals_append_only ON audit_seals`);
    await queryRunner.query(`DROP TRIGGER audit_seals_guard ON audit_seals`);
    await queryRunner.query(`
      CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change()`);
    await queryRunner.query(`DROP TABLE works`);
  }
}
