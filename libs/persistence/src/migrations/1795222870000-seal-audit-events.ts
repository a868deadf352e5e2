import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Audit events are written freely, and sealed afterwards: a seal covers a batch of them and the seal before it, so that a change or a
 * deletion shows. A row changes once, when it is sealed, and may go when it is sealed and more than a year old.
 */
export class SealAuditEvents1795222870000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE audit_events
        ADD COLUMN interaction_id text,
        ADD COLUMN seal_number bigint,
        ADD COLUMN seal_position integer,
        ADD COLUMN event_hash bytea`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX audit_events_seal_key ON audit_events (seal_number, seal_position) WHERE seal_number IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX audit_events_unsealed_idx ON audit_events (occurred_at, event_id) WHERE seal_number IS NULL`);
    await queryRunner.query(`
      CREATE INDEX audit_events_keys_idx ON audit_events (occurred_at) WHERE action = 'keys.configure'`);
    await queryRunner.query(`
      CREATE TABLE audit_seals (
        seal_number bigint CONSTRAINT audit_seals_pkey PRIMARY KEY,
        sealed_at timestamptz NOT NULL,
        seal text NOT NULL
      )`);
    await queryRunner.query(`DROP TRIGGER audit_events_append_only ON audit_events`);
    await queryRunner.query(`
      CREATE FUNCTION guard_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' THEN
          IF OLD.seal_number IS NOT NULL AND OLD.occurred_at < now() - interval '1 year' THEN RETURN OLD; END IF;
        ELSIF OLD.seal_number IS NULL AND NEW.seal_number IS NOT NULL AND NEW.seal_position IS NOT NULL
          AND NEW.event_hash IS NOT NULL
          AND (NEW.event_id, NEW.occurred_at, NEW.actor, NEW.action, NEW.client_id, NEW.details, NEW.interaction_id)
            IS NOT DISTINCT FROM
            (OLD.event_id, OLD.occurred_at, OLD.actor, OLD.action, OLD.client_id, OLD.details, OLD.interaction_id)
        THEN RETURN NEW;
        END IF;
        RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'restrict_violation';
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER audit_events_guard BEFORE UPDATE OR DELETE ON audit_events
        FOR EACH ROW EXECUTE FUNCTION guard_audit_event()`);
    await queryRunner.query(`
      CREATE TRIGGER audit_events_append_only BEFORE TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change()`);
    await queryRunner.query(`
      CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE audit_seals`);
    await queryRunner.query(`DROP TRIGGER audit_events_append_only ON audit_events`);
    await queryRunner.query(`DROP TRIGGER audit_events_guard ON audit_events`);
    await queryRunner.query(`DROP FUNCTION guard_audit_event()`);
    await queryRunner.query(`DROP INDEX audit_events_keys_idx`);
    await queryRunner.query(`
      ALTER TABLE audit_events
        DROP COLUMN interaction_id, DROP COLUMN seal_number, DROP COLUMN seal_position, DROP COLUMN event_hash`);
    await queryRunner.query(`
      CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change()`);
  }
}
