import type { MigrationInterface, QueryRunner } from 'typeorm';

const table = 'access_consents';
const isOlder = 'NEW.revision = OLD.revision';

/** By trigger: when it fires, the changes that it is for, and its function. */
const records: readonly (readonly [string, string, string, string])[] = [
  [
    `${table}_audit`,
    'UPDATE',
    '(OLD.status <> NEW.status OR OLD.authorised_at <> NEW.authorised_at)',
    'audit_consent()',
  ],
  [`${table}_event`, 'UPDATE OF status', 'OLD.status <> NEW.status', 'note_access_consent_event()'],
];

/** As for file payment consents: the triggers write the records of an older program's changes only. */
export class RecordChangesOfAccessConsents1795410001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN revision integer NOT NULL DEFAULT 0`);
    for (const [name, event, condition, call] of records) {
      await queryRunner.query(`DROP TRIGGER ${name} ON ${table}`);
      await queryRunner.query(
        `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW WHEN (${isOlder} AND ${condition}) EXECUTE FUNCTION ${call}`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name, event, condition, call] of records) {
      await queryRunner.query(`DROP TRIGGER ${name} ON ${table}`);
      await queryRunner.query(
        `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${call}`,
      );
    }
    await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN revision`);
  }
}
