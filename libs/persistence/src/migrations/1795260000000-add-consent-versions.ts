import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of which kind a consent is, in which version of the API it was made, and why it, or its file payment, came to its end. The version before
 * makes file payment consents of 3.1 and gives no reason, which is what the defaults say.
 */
export class AddConsentVersions1795260000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE file_payment_consents
        ADD COLUMN kind text NOT NULL DEFAULT 'file-payment',
        ADD COLUMN api_version text NOT NULL DEFAULT '3.1',
        ADD COLUMN status_reason text`);
    await queryRunner.query(`ALTER TABLE file_payments ADD COLUMN status_reason text`);
    await queryRunner.query(`
      CREATE TRIGGER file_payment_consents_version BEFORE UPDATE OF kind, api_version ON file_payment_consents FOR EACH ROW
        WHEN (OLD.kind <> NEW.kind OR OLD.api_version <> NEW.api_version)
        EXECUTE FUNCTION refuse_change('A consent stays of its kind, and in its version.')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER file_payment_consents_version ON file_payment_consents`);
    await queryRunner.query(`ALTER TABLE file_payments DROP COLUMN status_reason`);
    await queryRunner.query(`
      ALTER TABLE file_payment_consents DROP COLUMN status_reason, DROP COLUMN api_version, DROP COLUMN kind`);
  }
}
