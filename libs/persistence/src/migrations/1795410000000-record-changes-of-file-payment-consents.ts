import type { MigrationInterface, QueryRunner } from 'typeorm';

const table = 'file_payment_consents';
const isOlder = 'NEW.revision = OLD.revision';

/** By trigger: when it fires, the changes that it is for, and its function. */
const records: readonly (readonly [string, string, string, string])[] = [
  [
    `${table}_audit`,
    'UPDATE',
    `OLD.status <> NEW.status AND NEW.status IN ('Authorised', 'Rejected')`,
    'audit_consent()',
  ],
  [
    `${table}_event`,
    'UPDATE OF status',
    `OLD.status <> NEW.status AND NEW.status IN ('Authorised', 'Consumed', 'Rejected')`,
    'note_consent_event()',
  ],
  [
    `${table}_reconciliation`,
    'UPDATE OF status',
    `OLD.status <> 'Consumed' AND NEW.status = 'Consumed'`,
    'note_reconciliation()',
  ],
];

/**
 * A statement that changes the state records its own change, and counts the revision up. Only an older program's does not: for that one the
 * triggers still write the records.
 */
export class RecordChangesOfFilePaymentConsents1795410000000 implements MigrationInterface {
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
