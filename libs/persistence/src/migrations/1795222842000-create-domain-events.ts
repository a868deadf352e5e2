import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What has become of consents and file payments, for whoever has to be told. Triggers write it, in the statement that
 * changes a state: no code that changes one can forget it, and it costs no round trip. A change of the states of many
 * payments at once is one event of their file.
 */
export class CreateDomainEvents1795222842000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE domain_events (
        event_id uuid CONSTRAINT domain_events_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        event_type text NOT NULL,
        resource_type text NOT NULL CONSTRAINT domain_events_resource_type_check
          CHECK (resource_type IN ('file-payment-consent', 'file-payment')),
        resource_id uuid NOT NULL,
        client_id uuid NOT NULL,
        status text NOT NULL,
        occurred_at timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz,
        delivered_at timestamptz
      )`);
    await queryRunner.query(`
      CREATE INDEX domain_events_next_attempt_at_idx ON domain_events (next_attempt_at) WHERE next_attempt_at IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX domain_events_occurred_at_idx ON domain_events (occurred_at)`);
    await queryRunner.query(`
      CREATE FUNCTION note_domain_event(type text, resource_type text, resource_id uuid, client_id uuid, status text,
        occurred_at timestamptz) RETURNS void LANGUAGE sql AS $$
        INSERT INTO domain_events (event_type, resource_type, resource_id, client_id, status, occurred_at, next_attempt_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6) $$`);
    await this.#watchConsents(queryRunner);
    await this.#watchFilePayments(queryRunner);
    await this.#watchPayments(queryRunner);
  }

  async #watchConsents(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION note_consent_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_domain_event('consent.status', 'file-payment-consent', NEW.consent_id, NEW.client_id, NEW.status,
          NEW.status_updated_at);
        RETURN NULL;
      END $$`);
    // What the TPP has just done itself, the upload, is no news to anybody.
    await queryRunner.query(`
      CREATE TRIGGER file_payment_consents_event AFTER UPDATE OF status ON file_payment_consents FOR EACH ROW
        WHEN (OLD.status <> NEW.status AND NEW.status IN ('Authorised', 'Consumed', 'Rejected'))
        EXECUTE FUNCTION note_consent_event()`);
  }

  async #watchFilePayments(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION note_file_payment_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_domain_event(
          CASE WHEN OLD.status <> NEW.status THEN 'file-payment.status'
               WHEN OLD.held_at IS DISTINCT FROM NEW.held_at THEN 'file-payment.held'
               ELSE 'file-payment.approval' END,
          'file-payment', NEW.file_payment_id, NEW.client_id, NEW.status,
          greatest(NEW.status_updated_at, NEW.approvals_updated_at, NEW.held_at));
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER file_payments_event AFTER UPDATE OF status, approvals_received, held_at ON file_payments FOR EACH ROW
        WHEN (OLD.status <> NEW.status OR OLD.approvals_received <> NEW.approvals_received
          OR (OLD.held_at IS NULL AND NEW.held_at IS NOT NULL))
        EXECUTE FUNCTION note_file_payment_event()`);
  }

  async #watchPayments(queryRunner: QueryRunner): Promise<void> {
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
      CREATE TRIGGER payments_event AFTER UPDATE ON payments
        REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_payments_event()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, name] of [
      ['payments', 'payments'],
      ['file_payments', 'file_payment'],
      ['file_payment_consents', 'consent'],
    ]) {
      await queryRunner.query(`DROP TRIGGER ${table}_event ON ${table}`);
      await queryRunner.query(`DROP FUNCTION note_${name}_event()`);
    }
    await queryRunner.query(`DROP FUNCTION note_domain_event(text, text, uuid, uuid, text, timestamptz)`);
    await queryRunner.query(`DROP TABLE domain_events`);
  }
}
