import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators did, for ever: rows can be added and read, and nothing else. */
export class CreateAuditEvents1795222809000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE audit_events (
        event_id uuid CONSTRAINT audit_events_pkey PRIMARY KEY,
        occurred_at timestamptz NOT NULL,
        actor text NOT NULL CONSTRAINT audit_events_actor_check CHECK (actor <> ''),
        action text NOT NULL,
        client_id uuid CONSTRAINT audit_events_client_id_fkey REFERENCES clients (client_id),
        details jsonb NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX audit_events_client_id_idx ON audit_events (client_id, occurred_at)`);
    await queryRunner.query(`
      CREATE FUNCTION refuse_audit_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'restrict_violation';
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE audit_events`);
    await queryRunner.query(`DROP FUNCTION refuse_audit_event_change()`);
  }
}
