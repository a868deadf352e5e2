import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which steps there are. Written down as they are today: a later migration changes them. */
const steps = [
  ['AwaitingAuthorisation', 'Authorised'],
  ['AwaitingAuthorisation', 'Rejected'],
  ['Authorised', 'Revoked'],
  ['Authorised', 'Expired'],
];

/**
 * Consents to access that lasts. They have a table of their own: the version before reads every row of file_payment_consents as a file payment
 * consent, and to it these are consents that nobody has. Sessions name a consent of either table, so their reference to the one goes.
 */
export class CreateAccessConsents1795330000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE access_consents (
        consent_id uuid CONSTRAINT access_consents_pkey PRIMARY KEY,
        client_id uuid NOT NULL,
        kind text NOT NULL,
        api_version text NOT NULL,
        status text NOT NULL,
        status_reason text,
        created_at timestamptz NOT NULL,
        status_updated_at timestamptz NOT NULL,
        expires_at timestamptz,
        terms jsonb NOT NULL,
        psu_id text,
        accounts jsonb,
        authorised_at timestamptz
      )`);
    const isOpen = `status IN ('AwaitingAuthorisation', 'Authorised')`;
    await queryRunner.query(
      `CREATE INDEX access_consents_expires_at_idx ON access_consents (expires_at) WHERE ${isOpen}`,
    );
    await queryRunner.query(`CREATE INDEX access_consents_client_id_idx ON access_consents (client_id)`);
    await queryRunner.query(
      `CREATE INDEX access_consents_psu_id_idx ON access_consents (psu_id, authorised_at) WHERE psu_id IS NOT NULL`,
    );
    await this.#guard(queryRunner);
    await this.#watch(queryRunner);
    await queryRunner.query(
      `ALTER TABLE authorization_sessions DROP CONSTRAINT IF EXISTS authorization_sessions_consent_id_fkey`,
    );
    await queryRunner.query(`ALTER TABLE refresh_grants ADD COLUMN consent_id uuid`);
    await queryRunner.query(
      `CREATE INDEX refresh_grants_consent_id_idx ON refresh_grants (consent_id) WHERE consent_id IS NOT NULL`,
    );
  }

  async #guard(queryRunner: QueryRunner): Promise<void> {
    const list = steps.map(([from, to]) => `('${from}', '${to}')`).join(', ');
    await queryRunner.query(`
      CREATE TRIGGER access_consents_transitions BEFORE UPDATE OF status ON access_consents FOR EACH ROW
        WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (${list}))
        EXECUTE FUNCTION refuse_change('A state changes by the steps of its table only.')`);
    await queryRunner.query(`
      CREATE TRIGGER access_consents_lasting BEFORE UPDATE OF client_id, kind, api_version ON access_consents FOR EACH ROW
        WHEN (OLD.client_id <> NEW.client_id OR OLD.kind <> NEW.kind OR OLD.api_version <> NEW.api_version)
        EXECUTE FUNCTION refuse_change('A consent stays of its kind, in its version, and its client''s.')`);
    await queryRunner.query(`
      CREATE TRIGGER access_consents_agreed BEFORE UPDATE OF terms ON access_consents FOR EACH ROW
        WHEN (OLD.terms <> NEW.terms AND OLD.status IN ('AwaitingAuthorisation', 'Authorised'))
        EXECUTE FUNCTION refuse_change('What is agreed does not change.')`);
  }

  /** What has become of it is told, with its version, and kept like that of file payment consents. One that is authorised again is a decision, too. */
  async #watch(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE domain_events DROP CONSTRAINT domain_events_resource_type_check`);
    await queryRunner.query(`
      CREATE FUNCTION note_access_consent_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO domain_events (event_type, resource_type, resource_id, client_id, status, occurred_at, next_attempt_at, api_version)
        VALUES ('consent.status', NEW.kind || '-consent', NEW.consent_id, NEW.client_id, NEW.status, NEW.status_updated_at,
          NEW.status_updated_at, NEW.api_version);
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER access_consents_event AFTER UPDATE OF status ON access_consents FOR EACH ROW
        WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION note_access_consent_event()`);
    await queryRunner.query(`
      CREATE TRIGGER access_consents_audit AFTER UPDATE ON access_consents FOR EACH ROW
        WHEN (OLD.status <> NEW.status OR OLD.authorised_at <> NEW.authorised_at) EXECUTE FUNCTION audit_consent()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE refresh_grants DROP COLUMN consent_id`);
    await queryRunner.query(`
      DELETE FROM authorization_sessions WHERE consent_id IN (SELECT consent_id FROM access_consents)`);
    await queryRunner.query(`
      ALTER TABLE authorization_sessions ADD CONSTRAINT authorization_sessions_consent_id_fkey
        FOREIGN KEY (consent_id) REFERENCES file_payment_consents (consent_id)`);
    await queryRunner.query(`DROP TABLE access_consents`);
    await queryRunner.query(`DROP FUNCTION note_access_consent_event()`);
    await queryRunner.query(`
      DELETE FROM domain_events WHERE resource_type NOT IN ('file-payment-consent', 'file-payment')`);
    await queryRunner.query(`
      ALTER TABLE domain_events ADD CONSTRAINT domain_events_resource_type_check
        CHECK (resource_type IN ('file-payment-consent', 'file-payment'))`);
  }
}
