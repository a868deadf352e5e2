import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the last payment of a file should have its final state: from then on the file payment is held, instead of the bank being
 * asked for ever. Null where an earlier version handed the payments over: those get a year.
 */
export class LimitSettlement1795222920000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE file_payments ADD COLUMN settle_by timestamptz`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE file_payments DROP COLUMN settle_by`);
  }
}
