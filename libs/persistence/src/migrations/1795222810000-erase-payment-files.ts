import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The content of a payment file may be erased; its ids, its consent's totals and the payments' states stay. */
export class ErasePaymentFiles1795222810000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE payment_files ADD COLUMN erased_at timestamptz`);
    await queryRunner.query(
      `CREATE INDEX payment_files_uploaded_at_idx ON payment_files (uploaded_at) WHERE erased_at IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX payment_files_uploaded_at_idx`);
    await queryRunner.query(`ALTER TABLE payment_files DROP COLUMN erased_at`);
  }
}
