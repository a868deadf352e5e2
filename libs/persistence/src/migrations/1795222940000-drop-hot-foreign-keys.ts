import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Constraints by table, with what they referred to. */
const foreignKeys = [
  ['payments', 'payments_file_payment_id_fkey', 'file_payment_id', 'file_payments (file_payment_id)'],
  ['file_payments', 'file_payments_client_id_fkey', 'client_id', 'clients (client_id)'],
  ['file_payment_consents', 'file_payment_consents_client_id_fkey', 'client_id', 'clients (client_id)'],
] as const;

/**
 * References that cannot break, since nothing that they refer to is ever deleted and one statement writes both ends or has just read the
 * other. To check them cost a third of making a file payment (150 look-ups), and had all requests of one client lock its row.
 */
export class DropHotForeignKeys1795222940000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, name] of foreignKeys) {
      await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, name, column, target] of foreignKeys) {
      await queryRunner.query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${name} FOREIGN KEY (${column}) REFERENCES ${target}`,
      );
    }
  }
}
