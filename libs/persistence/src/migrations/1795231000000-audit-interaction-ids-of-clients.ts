import type { MigrationInterface, QueryRunner } from 'typeorm';

const recordAuditEvent = (interactionId: string): string => `
  CREATE OR REPLACE FUNCTION record_audit_event(action text, client_id uuid, details jsonb) RETURNS void LANGUAGE sql AS $$
    INSERT INTO audit_events (event_id, occurred_at, actor, action, client_id, details, interaction_id)
    VALUES (gen_random_uuid(), clock_timestamp(),
      coalesce(nullif(current_setting('application_name', true), ''), session_user::text), $1, $2, $3, ${interactionId})
  $$`;

const ofStatement = `nullif(current_setting('open_banking.interaction_id', true), '')`;
const ofClient = `nullif(current_setting('open_banking.interaction_ids', true), '')::jsonb ->> $2::text`;

/** One statement may answer several requests, each about another client: then it says which interaction id is whose. */
export class AuditInteractionIdsOfClients1795231000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(recordAuditEvent(`coalesce(${ofStatement}, ${ofClient})`));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(recordAuditEvent(ofStatement));
  }
}
