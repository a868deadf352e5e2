import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What of a client's row counts as a change of its registration; times of last use and the like do not. */
const registration = (row: string) => `
  (${row}.redirect_uris, ${row}.grant_types, ${row}.response_types, ${row}.scope, ${row}.token_endpoint_auth_method,
   ${row}.tls_client_auth_subject_dn, ${row}.jwks_uri, ${row}.metadata)`;

/**
 * Security-relevant changes write their audit event themselves, in the statement that makes them: no further round trip, and nothing that
 * changes those rows, by whatever program, goes without. The actor is the program (application_name) that did it.
 */
export class RecordAuditEvents1795222871000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION record_audit_event(action text, client_id uuid, details jsonb) RETURNS void LANGUAGE sql AS $$
        INSERT INTO audit_events (event_id, occurred_at, actor, action, client_id, details)
        VALUES (gen_random_uuid(), clock_timestamp(),
          coalesce(nullif(current_setting('application_name', true), ''), session_user::text), $1, $2, $3)
      $$`);
    await this.#watchClients(queryRunner);
    await this.#watchDecisions(queryRunner);
    await this.#watchRevocations(queryRunner);
  }

  async #watchClients(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION audit_client() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          PERFORM record_audit_event('registration.create', NEW.client_id, jsonb_build_object(
            'orgId', NEW.org_id, 'softwareId', NEW.software_id, 'tokenEndpointAuthMethod', NEW.token_endpoint_auth_method));
        ELSIF NEW.status <> OLD.status THEN
          PERFORM record_audit_event('registration.status', NEW.client_id,
            jsonb_build_object('from', OLD.status, 'to', NEW.status));
        ELSE
          PERFORM record_audit_event('registration.change', NEW.client_id, jsonb_build_object(
            'secret', NEW.secret_hash <> OLD.secret_hash, 'metadata', NEW.metadata <> OLD.metadata));
        END IF;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER clients_audit_insert AFTER INSERT ON clients FOR EACH ROW EXECUTE FUNCTION audit_client()`);
    await queryRunner.query(`
      CREATE TRIGGER clients_audit_update AFTER UPDATE ON clients FOR EACH ROW
        WHEN (OLD.status <> NEW.status OR OLD.secret_hash <> NEW.secret_hash
          OR ${registration('OLD')} IS DISTINCT FROM ${registration('NEW')})
        EXECUTE FUNCTION audit_client()`);
  }

  async #watchDecisions(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION audit_consent() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM record_audit_event('consent.' || lower(NEW.status), NEW.client_id,
          jsonb_build_object('consentId', NEW.consent_id, 'from', OLD.status, 'psuId', NEW.psu_id));
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER file_payment_consents_audit AFTER UPDATE ON file_payment_consents FOR EACH ROW
        WHEN (OLD.status <> NEW.status AND NEW.status IN ('Authorised', 'Rejected')) EXECUTE FUNCTION audit_consent()`);
    await queryRunner.query(`
      CREATE FUNCTION audit_approval() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM record_audit_event('payment.' || lower(NEW.decision), payment.client_id,
            jsonb_build_object('filePaymentId', NEW.file_payment_id, 'psuId', NEW.psu_id))
          FROM file_payments AS payment WHERE payment.file_payment_id = NEW.file_payment_id;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER file_payment_approvals_audit AFTER INSERT ON file_payment_approvals FOR EACH ROW
        EXECUTE FUNCTION audit_approval()`);
  }

  /** One event for each client of a statement: the end of a client may end thousands of tokens. */
  async #watchRevocations(queryRunner: QueryRunner): Promise<void> {
    for (const [table, action, key] of [
      ['access_tokens', 'token.revoke', 'token_hash'],
      ['refresh_grants', 'refresh-grant.revoke', 'code_hash'],
    ]) {
      await queryRunner.query(`
        CREATE FUNCTION audit_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM record_audit_event('${action}', changed.client_id, jsonb_build_object('count', count(*)))
            FROM new_rows AS changed JOIN old_rows AS before USING (${key})
            WHERE before.revoked_at IS NULL AND changed.revoked_at IS NOT NULL GROUP BY changed.client_id;
          RETURN NULL;
        END $$`);
      await queryRunner.query(`
        CREATE TRIGGER ${table}_audit AFTER UPDATE ON ${table} REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
          FOR EACH STATEMENT EXECUTE FUNCTION audit_${table}()`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, trigger, procedure] of [
      ['access_tokens', 'access_tokens_audit', 'audit_access_tokens'],
      ['refresh_grants', 'refresh_grants_audit', 'audit_refresh_grants'],
      ['file_payment_approvals', 'file_payment_approvals_audit', 'audit_approval'],
      ['file_payment_consents', 'file_payment_consents_audit', 'audit_consent'],
      ['clients', 'clients_audit_update', undefined],
      ['clients', 'clients_audit_insert', 'audit_client'],
    ]) {
      await queryRunner.query(`DROP TRIGGER ${trigger} ON ${table}`);
      if (procedure !== undefined) await queryRunner.query(`DROP FUNCTION ${procedure}()`);
    }
    await queryRunner.query(`DROP FUNCTION record_audit_event(text, uuid, jsonb)`);
  }
}
