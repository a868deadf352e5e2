import type { MigrationInterface, QueryRunner } from 'typeorm';

const stopped = `EXISTS (
          SELECT FROM payment_stops AS stop WHERE stop.ended_at IS NULL AND (
            stop.scope = 'All'
            OR (stop.scope = 'FilePayment' AND stop.target = NEW.file_payment_id::text)
            OR (stop.scope = 'Client' AND stop.target = NEW.client_id::text)
            OR stop.scope = 'Psu'))
          OR EXISTS (SELECT FROM clients WHERE clients.client_id = NEW.client_id AND clients.status <> 'Active')`;

/**
 * A worker that does not count attempts (0.1) reads every file by the rules of 3.1, and of one of a newer version would pay without the reference that was
 * approved. It is not given any.
 */
export class KeepNewerFilesFromFormerWorkers1795360001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await this.#replaceFence(
      queryRunner,
      `${stopped}
          OR EXISTS (SELECT FROM file_payment_consents AS consent WHERE consent.consent_id = NEW.consent_id AND consent.api_version <> '3.1')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await this.#replaceFence(queryRunner, stopped);
  }

  async #replaceFence(queryRunner: QueryRunner, isKept: string): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION fence_former_worker() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${isKept}
        THEN RETURN NULL; END IF;
        NEW.hand_over_attempt := OLD.hand_over_attempt + 1;
        RETURN NEW;
      END $$`);
  }
}
