import type { MigrationInterface, QueryRunner } from 'typeorm';

const recordAuditEvent = (column: string, value: string): string => `
  CREATE OR REPLACE FUNCTION record_audit_event(action text, client_id uuid, details jsonb) RETURNS void LANGUAGE sql AS $$
    INSERT INTO audit_events (event_id, occurred_at, actor, action, client_id, details${column})
    VALUES (gen_random_uuid(), clock_timestamp(),
      coalesce(nullif(current_setting('application_name', true), ''), session_user::text), $1, $2, $3${value})
  $$`;

/**
 * Events that triggers write get the interaction id of the request, where the statement that makes the change has set it for its
 * own transaction. Programs of the former version set none: their events have none, as before.
 */
export class AuditInteractionIds1795222921000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const setting = `nullif(current_setting('open_banking.interaction_id', true), '')`;
    await queryRunner.query(recordAuditEvent(', interaction_id', `, ${setting}`));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(recordAuditEvent('', ''));
  }
}
