import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A file payment of which the bank's answers make no sense is tried so many times, and then held for a person to look at. */
export class HoldFilePayments1795222841000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE file_payments
        ADD COLUMN faults integer NOT NULL DEFAULT 0, ADD COLUMN last_fault text, ADD COLUMN held_at timestamptz`);
    await queryRunner.query(
      `CREATE INDEX file_payments_held_at_idx ON file_payments (held_at) WHERE held_at IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX file_payments_held_at_idx`);
    await queryRunner.query(`
      ALTER TABLE file_payments DROP COLUMN faults, DROP COLUMN last_fault, DROP COLUMN held_at`);
  }
}
