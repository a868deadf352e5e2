import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['file_payments', 'payments', 'file_payment_approvals'];

interface Bridge {
  readonly name: string;
  readonly table: string;
  readonly event: string;
  /** whose changes it records, as before; null: a trigger of the whole statement */
  readonly condition: string | null;
  readonly call: string;
}

const before: readonly Bridge[] = [
  {
    name: 'file_payments_approval_request',
    table: 'file_payments',
    event: 'INSERT',
    condition: `NEW.status = 'InitiationPending' AND NEW.approvals_received < NEW.approvals_required`,
    call: 'note_approval_request()',
  },
  {
    name: 'file_payments_event',
    table: 'file_payments',
    event: 'UPDATE OF status, approvals_received, held_at',
    condition: `(OLD.status <> NEW.status OR OLD.approvals_received <> NEW.approvals_received
      OR (OLD.held_at IS NULL AND NEW.held_at IS NOT NULL))`,
    call: 'note_file_payment_event()',
  },
  {
    name: 'file_payments_reconciliation',
    table: 'file_payments',
    event: 'UPDATE OF status, held_at, stopped_at',
    condition: `(OLD.status <> NEW.status OR (OLD.held_at IS NULL AND NEW.held_at IS NOT NULL)
      OR (OLD.stopped_at IS NULL AND NEW.stopped_at IS NOT NULL))`,
    call: 'note_reconciliation()',
  },
  {
    name: 'file_payment_approvals_audit',
    table: 'file_payment_approvals',
    event: 'INSERT',
    condition: 'true',
    call: 'audit_approval()',
  },
  { name: 'payments_event', table: 'payments', event: 'UPDATE', condition: null, call: 'note_payments_event()' },
  {
    name: 'payments_reconciliation',
    table: 'payments',
    event: 'UPDATE',
    condition: null,
    call: 'note_reconciliation_of_payments()',
  },
];

/** Of a trigger that looks at all rows of a statement each statement pays: what was its work is one row's, once for each file. */
const after: readonly Bridge[] = [
  ...before.flatMap((each) => (each.condition === null ? [] : [{ ...each, condition: withRevision(each) }])),
  {
    name: 'payments_event',
    table: 'payments',
    event: 'UPDATE OF status',
    condition: 'NEW.revision = OLD.revision AND OLD.status <> NEW.status',
    call: 'note_changed_payment()',
  },
];

function withRevision({ event, condition }: Bridge): string {
  return `${event === 'INSERT' ? 'NEW.revision = 0' : 'NEW.revision = OLD.revision'} AND ${condition}`;
}

/** As for consents: the triggers write the records of an older program's changes only. */
export class RecordChangesOfFilePayments1795410002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN revision integer NOT NULL DEFAULT 0`);
    }
    // The files that a statement has told of are kept until the end of its transaction.
    await queryRunner.query(`
      CREATE FUNCTION note_changed_payment() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        told text := coalesce(current_setting('open_banking.told_payments', true), '');
        change text := NEW.file_payment_id || ' ' || NEW.status_updated_at || ';';
      BEGIN
        IF strpos(told, change) > 0 THEN RETURN NULL; END IF;
        PERFORM set_config('open_banking.told_payments', told || change, true);
        PERFORM note_domain_event('file-payment.payments', 'file-payment', file_payment_id, client_id, status, NEW.status_updated_at)
          FROM file_payments WHERE file_payment_id = NEW.file_payment_id;
        INSERT INTO reconciliations AS known (consent_id, changed_at, due_at)
        SELECT consent_id, NEW.status_updated_at, NEW.status_updated_at FROM file_payments
         WHERE file_payment_id = NEW.file_payment_id
        ON CONFLICT (consent_id) DO UPDATE
           SET changed_at = greatest(known.changed_at, excluded.changed_at), due_at = least(known.due_at, excluded.due_at)
         WHERE known.due_at IS NULL OR known.due_at > excluded.due_at
            OR known.changed_at < excluded.changed_at - interval '1 minute';
        RETURN NULL;
      END $$`);
    await this.#replace(queryRunner, before, after);
    await queryRunner.query(`DROP FUNCTION note_payments_event()`);
    await queryRunner.query(`DROP FUNCTION note_reconciliation_of_payments()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION note_payments_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_domain_event('file-payment.payments', 'file-payment', file_payment_id, client_id, status, changed_at)
          FROM (
            SELECT changed.file_payment_id, max(changed.status_updated_at) AS changed_at
              FROM changed JOIN former USING (payment_id)
             WHERE changed.status <> former.status GROUP BY changed.file_payment_id) AS news
          JOIN file_payments USING (file_payment_id);
        RETURN NULL;
      END $$`);
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
        ON CONFLICT (consent_id) DO UPDATE
           SET changed_at = greatest(known.changed_at, excluded.changed_at), due_at = least(known.due_at, excluded.due_at)
         WHERE known.due_at IS NULL OR known.due_at > excluded.due_at
            OR known.changed_at < excluded.changed_at - interval '1 minute';
        RETURN NULL;
      END $$`);
    await this.#replace(queryRunner, after, before);
    await queryRunner.query(`DROP FUNCTION note_changed_payment()`);
    for (const table of tables) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN revision`);
  }

  async #replace(queryRunner: QueryRunner, old: readonly Bridge[], now: readonly Bridge[]): Promise<void> {
    for (const { name, table } of old) await queryRunner.query(`DROP TRIGGER ${name} ON ${table}`);
    for (const { name, table, event, condition, call } of now) {
      const rows =
        condition === null
          ? 'REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT'
          : `FOR EACH ROW WHEN (${condition})`;
      await queryRunner.query(`CREATE TRIGGER ${name} AFTER ${event} ON ${table} ${rows} EXECUTE FUNCTION ${call}`);
    }
  }
}
