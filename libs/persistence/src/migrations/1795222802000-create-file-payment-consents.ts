import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Consents and their files. `initiation` is text, not jsonb: it is echoed member for member, and the decimal text of
 * ControlSum must survive. `debtor_account` and `psu_id` say what the PSU approved; `initiation` never changes.
 */
export class CreateFilePaymentConsents1795222802000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE file_payment_consents (
        consent_id uuid CONSTRAINT file_payment_consents_pkey PRIMARY KEY,
        client_id uuid NOT NULL CONSTRAINT file_payment_consents_client_id_fkey REFERENCES clients (client_id),
        status text NOT NULL CONSTRAINT file_payment_consents_status_check
          CHECK (status IN ('AwaitingUpload', 'AwaitingAuthorisation', 'Authorised', 'Consumed', 'Rejected')),
        created_at timestamptz NOT NULL,
        status_updated_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        initiation text NOT NULL,
        authorisation text,
        sca_support_data text,
        charges text NOT NULL,
        local_instrument text,
        number_of_transactions integer,
        control_sum numeric,
        psu_id text,
        debtor_account jsonb,
        approvals_required integer,
        authorised_at timestamptz
      )`);
    await queryRunner.query(`
      CREATE INDEX file_payment_consents_expiry_idx ON file_payment_consents (expires_at)
        WHERE status IN ('AwaitingUpload', 'AwaitingAuthorisation', 'Authorised')`);
    await queryRunner.query(`CREATE INDEX file_payment_consents_client_id_idx ON file_payment_consents (client_id)`);
    await queryRunner.query(`
      CREATE TABLE payment_files (
        consent_id uuid CONSTRAINT payment_files_pkey PRIMARY KEY
          CONSTRAINT payment_files_consent_id_fkey REFERENCES file_payment_consents (consent_id),
        content bytea NOT NULL,
        payment_ids text[] NOT NULL,
        uploaded_at timestamptz NOT NULL
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE payment_files`);
    await queryRunner.query(`DROP TABLE file_payment_consents`);
  }
}
