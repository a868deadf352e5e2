import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PaymentIds follow from the ConsentId; those that were drawn for earlier files stay as they are. */
export class DerivePaymentIds1795231002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE payment_files ALTER COLUMN payment_ids DROP NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      UPDATE payment_files AS file
         SET payment_ids = ARRAY(
           SELECT left(replace(file.consent_id::text, '-', ''), 30) || lpad(to_hex(number), 2, '0')
             FROM generate_series(1, consent.number_of_transactions) AS number ORDER BY number)
        FROM file_payment_consents AS consent WHERE consent.consent_id = file.consent_id AND file.payment_ids IS NULL`);
    await queryRunner.query(`ALTER TABLE payment_files ALTER COLUMN payment_ids SET NOT NULL`);
  }
}
