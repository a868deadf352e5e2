import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What of a client's row counts as a change of its registration. */
const registration = (row: string) => `
  (${row}.redirect_uris, ${row}.grant_types, ${row}.response_types, ${row}.scope, ${row}.token_endpoint_auth_method,
   ${row}.tls_client_auth_subject_dn, ${row}.jwks_uri, ${row}.metadata)`;
const isChanged = `(OLD.status <> NEW.status OR OLD.secret_hash <> NEW.secret_hash
  OR ${registration('OLD')} IS DISTINCT FROM ${registration('NEW')})`;

/** As for consents: the triggers write the records of an older program's changes only. */
export class RecordChangesOfClients1795410003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE clients ADD COLUMN revision integer NOT NULL DEFAULT 0`);
    await this.#replace(queryRunner, {
      ofInsert: 'WHEN (NEW.revision = 0)',
      ofUpdate: `WHEN (NEW.revision = OLD.revision AND ${isChanged})`,
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await this.#replace(queryRunner, { ofInsert: '', ofUpdate: `WHEN ${isChanged}` });
    await queryRunner.query(`ALTER TABLE clients DROP COLUMN revision`);
  }

  async #replace(
    queryRunner: QueryRunner,
    { ofInsert, ofUpdate }: { ofInsert: string; ofUpdate: string },
  ): Promise<void> {
    await queryRunner.query(`DROP TRIGGER clients_audit_insert ON clients`);
    await queryRunner.query(`DROP TRIGGER clients_audit_update ON clients`);
    await queryRunner.query(`
      CREATE TRIGGER clients_audit_insert AFTER INSERT ON clients FOR EACH ROW ${ofInsert} EXECUTE FUNCTION audit_client()`);
    await queryRunner.query(`
      CREATE TRIGGER clients_audit_update AFTER UPDATE ON clients FOR EACH ROW ${ofUpdate} EXECUTE FUNCTION audit_client()`);
  }
}
