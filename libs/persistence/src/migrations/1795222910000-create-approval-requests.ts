import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * File payments of which the bank has still to tell the further people whose approval the account needs. A trigger writes a row in the
 * statement that makes the file payment, so that it costs no round trip; the worker removes it when the bank has taken it.
 */
export class CreateApprovalRequests1795222910000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE approval_requests (
        file_payment_id uuid CONSTRAINT approval_requests_pkey PRIMARY KEY
          CONSTRAINT approval_requests_file_payment_id_fkey REFERENCES file_payments,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL
      )`);
    await queryRunner.query(
      `CREATE INDEX approval_requests_next_attempt_at_idx ON approval_requests (next_attempt_at)`,
    );
    await queryRunner.query(`
      CREATE FUNCTION note_approval_request() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO approval_requests (file_payment_id, next_attempt_at) VALUES (NEW.file_payment_id, NEW.created_at);
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER file_payments_approval_request AFTER INSERT ON file_payments FOR EACH ROW
        WHEN (NEW.status = 'InitiationPending' AND NEW.approvals_received < NEW.approvals_required)
        EXECUTE FUNCTION note_approval_request()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER file_payments_approval_request ON file_payments`);
    await queryRunner.query(`DROP FUNCTION note_approval_request()`);
    await queryRunner.query(`DROP TABLE approval_requests`);
  }
}
