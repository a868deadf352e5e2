import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Decisions of the further people who have to approve a file payment, each person once; the first one decided with the consent. Their
 * browser sessions are apart from those of authorization requests: no TPP sent them here.
 */
export class CreateFilePaymentApprovals1795222807000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE file_payment_approvals (
        file_payment_id uuid NOT NULL
          CONSTRAINT file_payment_approvals_file_payment_id_fkey REFERENCES file_payments (file_payment_id),
        psu_id text NOT NULL,
        decision text NOT NULL CONSTRAINT file_payment_approvals_decision_check CHECK (decision IN ('Approved', 'Declined')),
        acr text NOT NULL,
        authenticated_at timestamptz NOT NULL,
        decided_at timestamptz NOT NULL,
        CONSTRAINT file_payment_approvals_pkey PRIMARY KEY (file_payment_id, psu_id)
      )`);
    await queryRunner.query(`
      CREATE INDEX file_payments_awaiting_approval_idx ON file_payments (created_at)
        WHERE status = 'InitiationPending' AND approvals_received < approvals_required`);
    await queryRunner.query(`
      CREATE TABLE approval_sessions (
        approval_session_id uuid CONSTRAINT approval_sessions_pkey PRIMARY KEY,
        session_hash bytea NOT NULL CONSTRAINT approval_sessions_session_hash_key UNIQUE,
        psu_id text NOT NULL,
        psu_name text NOT NULL,
        acr text,
        authenticated_at timestamptz,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX approval_sessions_expires_at_idx ON approval_sessions (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE approval_sessions`);
    await queryRunner.query(`DROP INDEX file_payments_awaiting_approval_idx`);
    await queryRunner.query(`DROP TABLE file_payment_approvals`);
  }
}
