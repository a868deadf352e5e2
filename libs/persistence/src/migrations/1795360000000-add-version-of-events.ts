import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An event says in which version of the API its resource is, so that the address in it can be read. Programs of the version before leave it unread. */
export class AddVersionOfEvents1795360000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE domain_events ADD COLUMN api_version text NOT NULL DEFAULT '3.1'`);
    await this.#replaceNote(
      queryRunner,
      `INSERT INTO domain_events (event_type, resource_type, resource_id, client_id, status, occurred_at, next_attempt_at, api_version)
       VALUES ($1, $2, $3, $4, $5, $6, $6, coalesce(
         (SELECT consent.api_version FROM file_payment_consents AS consent WHERE consent.consent_id = CASE $2
           WHEN 'file-payment' THEN (SELECT payment.consent_id FROM file_payments AS payment WHERE payment.file_payment_id = $3)
           ELSE $3 END), '3.1'))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await this.#replaceNote(
      queryRunner,
      `INSERT INTO domain_events (event_type, resource_type, resource_id, client_id, status, occurred_at, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    );
    await queryRunner.query(`ALTER TABLE domain_events DROP COLUMN api_version`);
  }

  async #replaceNote(queryRunner: QueryRunner, statement: string): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION note_domain_event(type text, resource_type text, resource_id uuid, client_id uuid, status text,
        occurred_at timestamptz) RETURNS void LANGUAGE sql AS $$ ${statement} $$`);
  }
}
