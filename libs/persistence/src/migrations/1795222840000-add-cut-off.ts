import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The cut-off of a consent's scheme as it was found when the consent was staged or its file came; it does not move. */
export class AddCutOff1795222840000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE file_payment_consents ADD COLUMN cut_off_at timestamptz`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE file_payment_consents DROP COLUMN cut_off_at`);
  }
}
