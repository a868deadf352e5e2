import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How the bank's staff stop what has not left: orders by file payment, client, customer or for all; file payments
 * that are stopped; who ended a client's registration; changes that wait for a second person. And the number of each
 * hand-over's attempt, which only grows, so that whoever works under an older one is found out (fencing).
 */
export class StopFilePayments1795241001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE file_payments
        ADD COLUMN hand_over_attempt integer NOT NULL DEFAULT 0,
        ADD COLUMN stopped_at timestamptz,
        ADD COLUMN stop_cause text CONSTRAINT file_payments_stop_cause_check CHECK (stop_cause IN ('Operator', 'Client')),
        ADD COLUMN released_at timestamptz,
        ADD CONSTRAINT file_payments_stopped_check CHECK ((stopped_at IS NULL) = (stop_cause IS NULL))`);
    await queryRunner.query(`
      CREATE INDEX file_payments_stopped_at_idx ON file_payments (stopped_at) WHERE stopped_at IS NOT NULL`);
    await queryRunner.query(`
      ALTER TABLE clients ADD COLUMN removed_by text
        CONSTRAINT clients_removed_by_check CHECK (removed_by IN ('Client', 'Bank'))`);
    await queryRunner.query(`
      CREATE TABLE payment_stops (
        stop_id uuid CONSTRAINT payment_stops_pkey PRIMARY KEY,
        scope text NOT NULL CONSTRAINT payment_stops_scope_check CHECK (scope IN ('FilePayment', 'Client', 'Psu', 'All')),
        target text NOT NULL,
        reason text NOT NULL,
        actor text NOT NULL,
        ordered_at timestamptz NOT NULL,
        ended_at timestamptz
      )`);
    // At most one order of a kind counts at a time, and it is found at once.
    await queryRunner.query(`
      CREATE UNIQUE INDEX payment_stops_active_key ON payment_stops (scope, target) WHERE ended_at IS NULL`);
    await queryRunner.query(`
      CREATE TABLE operator_requests (
        request_id uuid CONSTRAINT operator_requests_pkey PRIMARY KEY,
        command jsonb NOT NULL,
        requested_by text NOT NULL,
        reason text NOT NULL,
        requested_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        confirmed_by text,
        confirmed_at timestamptz,
        CONSTRAINT operator_requests_four_eyes_check CHECK (confirmed_by <> requested_by),
        CONSTRAINT operator_requests_confirmed_check CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL))
      )`);
    await queryRunner.query(`CREATE INDEX operator_requests_expires_at_idx ON operator_requests (expires_at)`);
    await this.#fenceFormerVersion(queryRunner);
  }

  /**
   * A worker of the version before takes file payments without counting the attempt, and asks nobody whether it may.
   * It is counted here, and what is stopped is not given to it.
   */
  async #fenceFormerVersion(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION fence_former_worker() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (
          SELECT FROM payment_stops AS stop WHERE stop.ended_at IS NULL AND (
            stop.scope = 'All'
            OR (stop.scope = 'FilePayment' AND stop.target = NEW.file_payment_id::text)
            OR (stop.scope = 'Client' AND stop.target = NEW.client_id::text)
            OR stop.scope = 'Psu'))
          OR EXISTS (SELECT FROM clients WHERE clients.client_id = NEW.client_id AND clients.status <> 'Active')
        THEN RETURN NULL; END IF;
        NEW.hand_over_attempt := OLD.hand_over_attempt + 1;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER file_payments_former_worker BEFORE UPDATE OF attempts ON file_payments FOR EACH ROW
        WHEN (NEW.attempts > OLD.attempts AND NEW.hand_over_attempt = OLD.hand_over_attempt)
        EXECUTE FUNCTION fence_former_worker()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER file_payments_former_worker ON file_payments`);
    await queryRunner.query(`DROP FUNCTION fence_former_worker()`);
    await queryRunner.query(`DROP TABLE operator_requests`);
    await queryRunner.query(`DROP TABLE payment_stops`);
    await queryRunner.query(`ALTER TABLE clients DROP COLUMN removed_by`);
    await queryRunner.query(`DROP INDEX file_payments_stopped_at_idx`);
    await queryRunner.query(`
      ALTER TABLE file_payments
        DROP CONSTRAINT file_payments_stopped_check, DROP COLUMN hand_over_attempt, DROP COLUMN stopped_at, DROP COLUMN stop_cause,
        DROP COLUMN released_at`);
  }
}
