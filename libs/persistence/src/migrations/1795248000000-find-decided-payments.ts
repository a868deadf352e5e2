import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By it the people of a shared account find what has been decided for it. Only consents of such accounts are in it. */
export class FindDecidedPayments1795248000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX file_payment_consents_shared_account_idx
        ON file_payment_consents ((debtor_account ->> 'Identification'), authorised_at) WHERE approvals_required > 1`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX file_payment_consents_shared_account_idx`);
  }
}
