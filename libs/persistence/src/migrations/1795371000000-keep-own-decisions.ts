import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a customer decided alone is shown to them, too: a consent that they declined knows who did, and why. By the index they find theirs. Programs
 * of the former version leave the reason out.
 */
export class KeepOwnDecisions1795371000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN decline_reason text`);
    await queryRunner.query(`
      CREATE INDEX file_payment_consents_psu_id_idx ON file_payment_consents (psu_id, created_at) WHERE psu_id IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX file_payment_consents_psu_id_idx`);
    for (const table of tables) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN decline_reason`);
  }
}

const tables = ['file_payment_consents', 'access_consents', 'file_payment_approvals'];
