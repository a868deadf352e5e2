import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which file payments are to be compared with their files and with the bank's book, by their consents: a consent that is Consumed has a row even
 * where the file payment was lost. Triggers write it in the statement that changes a state, whatever version of the program sent it. `due_at`
 * null: nothing has changed since it was compared. `differences` null: none.
 */
export class CreateReconciliations1795242000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE reconciliations (
        consent_id uuid CONSTRAINT reconciliations_pkey PRIMARY KEY,
        changed_at timestamptz NOT NULL,
        due_at timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        reconciled_at timestamptz,
        differences jsonb,
        different_since timestamptz,
        acknowledged_at timestamptz
      )`);
    await queryRunner.query(`
      CREATE INDEX reconciliations_due_at_idx ON reconciliations (due_at) WHERE due_at IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX reconciliations_changed_at_idx ON reconciliations (changed_at, consent_id)`);
    await queryRunner.query(`
      CREATE INDEX reconciliations_open_idx ON reconciliations (different_since)
        WHERE differences IS NOT NULL AND acknowledged_at IS NULL`);
    await this.#watchRows(queryRunner);
    await this.#watchPayments(queryRunner);
  }

  /** Most changes find the row waiting for its turn already, and leave it as it is. */
  async #watchRows(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION note_reconciliation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO reconciliations AS known (consent_id, changed_at, due_at)
        VALUES (NEW.consent_id, NEW.status_updated_at, NEW.status_updated_at)
        ${orPutForward};
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER file_payment_consents_reconciliation AFTER UPDATE OF status ON file_payment_consents FOR EACH ROW
        WHEN (OLD.status <> 'Consumed' AND NEW.status = 'Consumed') EXECUTE FUNCTION note_reconciliation()`);
    await queryRunner.query(`
      CREATE TRIGGER file_payments_reconciliation AFTER UPDATE OF status, held_at ON file_payments FOR EACH ROW
        WHEN (OLD.status <> NEW.status OR (OLD.held_at IS NULL AND NEW.held_at IS NOT NULL))
        EXECUTE FUNCTION note_reconciliation()`);
  }

  /** One row for each file of a statement, in one order: two statements about the same files do not wait for each other. */
  async #watchPayments(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION note_reconciliation_of_payments() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO reconciliations AS known (consent_id, changed_at, due_at)
        SELECT file.consent_id, news.changed_at, news.changed_at
          FROM (
            SELECT changed.file_payment_id, max(changed.status_updated_at) AS changed_at
              FROM changed JOIN former USING (payment_id)
             WHERE changed.status <> former.status GROUP BY changed.file_payment_id) AS news
         CROSS JOIN LATERAL (
            SELECT consent_id FROM file_payments WHERE file_payment_id = news.file_payment_id LIMIT 1) AS file
         ORDER BY file.consent_id
        ${orPutForward};
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER payments_reconciliation AFTER UPDATE ON payments
        REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT
        EXECUTE FUNCTION note_reconciliation_of_payments()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['payments', 'file_payments', 'file_payment_consents']) {
      await queryRunner.query(`DROP TRIGGER ${table}_reconciliation ON ${table}`);
    }
    await queryRunner.query(`DROP FUNCTION note_reconciliation_of_payments()`);
    await queryRunner.query(`DROP FUNCTION note_reconciliation()`);
    await queryRunner.query(`DROP TABLE reconciliations`);
  }
}

const orPutForward = `
  ON CONFLICT (consent_id) DO UPDATE
     SET changed_at = greatest(known.changed_at, excluded.changed_at), due_at = least(known.due_at, excluded.due_at)
   WHERE known.due_at IS NULL OR known.due_at > excluded.due_at
      OR known.changed_at < excluded.changed_at - interval '1 minute'`;
