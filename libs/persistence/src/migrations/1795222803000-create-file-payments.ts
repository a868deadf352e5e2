import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * File payments and their items. One consent gives at most one payment (unique consent_id). `next_attempt_at` makes
 * both tables the work queue of the payment processor: null means nothing is left to do.
 */
export class CreateFilePayments1795222803000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE file_payments (
        file_payment_id uuid CONSTRAINT file_payments_pkey PRIMARY KEY,
        consent_id uuid NOT NULL CONSTRAINT file_payments_consent_id_key UNIQUE
          CONSTRAINT file_payments_consent_id_fkey REFERENCES file_payment_consents (consent_id),
        client_id uuid NOT NULL CONSTRAINT file_payments_client_id_fkey REFERENCES clients (client_id),
        status text NOT NULL CONSTRAINT file_payments_status_check
          CHECK (status IN ('InitiationPending', 'InitiationCompleted', 'InitiationFailed')),
        created_at timestamptz NOT NULL,
        status_updated_at timestamptz NOT NULL,
        approvals_required integer NOT NULL,
        approvals_received integer NOT NULL,
        approvals_updated_at timestamptz NOT NULL,
        batch_accepted_at timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz
      )`);
    await queryRunner.query(`
      CREATE INDEX file_payments_next_attempt_at_idx ON file_payments (next_attempt_at) WHERE next_attempt_at IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX file_payments_client_id_idx ON file_payments (client_id)`);
    await queryRunner.query(`
      CREATE TABLE payments (
        payment_id text CONSTRAINT payments_pkey PRIMARY KEY,
        file_payment_id uuid NOT NULL CONSTRAINT payments_file_payment_id_fkey REFERENCES file_payments (file_payment_id),
        position integer NOT NULL,
        status text NOT NULL CONSTRAINT payments_status_check
          CHECK (status IN ('Pending', 'AcceptedSettlementInProcess', 'AcceptedSettlementCompleted',
            'AcceptedWithoutPosting', 'AcceptedCreditSettlementCompleted', 'Rejected')),
        status_updated_at timestamptz NOT NULL,
        status_detail text,
        handed_over_at timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz,
        CONSTRAINT payments_file_payment_id_position_key UNIQUE (file_payment_id, position)
      )`);
    await queryRunner.query(`
      CREATE INDEX payments_next_attempt_at_idx ON payments (next_attempt_at) WHERE next_attempt_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE payments`);
    await queryRunner.query(`DROP TABLE file_payments`);
  }
}
