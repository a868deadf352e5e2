import type { MigrationInterface, QueryRunner } from 'typeorm';

const recordAuditEvent = (details: string): string => `
  CREATE OR REPLACE FUNCTION record_audit_event(action text, client_id uuid, details jsonb) RETURNS void LANGUAGE sql AS $$
    INSERT INTO audit_events (event_id, occurred_at, actor, action, client_id, details, interaction_id)
    VALUES (gen_random_uuid(), clock_timestamp(),
      coalesce(nullif(current_setting('application_name', true), ''), session_user::text), $1, $2, ${details},
      coalesce(nullif(current_setting('open_banking.interaction_id', true), ''),
        nullif(current_setting('open_banking.interaction_ids', true), '')::jsonb ->> $2::text))
  $$`;

const ofStatement = `coalesce(nullif(current_setting('open_banking.audit_details', true), '')::jsonb, '{}')`;

/**
 * A statement says more of the events that its changes write than the changed rows know: how it ended, what authenticated it. Programs of the
 * former version say nothing: their events are as before.
 */
export class AuditDetailsOfStatements1795310000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(recordAuditEvent(`$3 || ${ofStatement}`));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(recordAuditEvent('$3'));
  }
}
