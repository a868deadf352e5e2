import type { MigrationInterface, QueryRunner } from 'typeorm';

const condition = (changes: string): string => `
  CREATE OR REPLACE TRIGGER file_payments_reconciliation AFTER UPDATE OF status, held_at, stopped_at ON file_payments FOR EACH ROW
    WHEN (OLD.status <> NEW.status OR (OLD.held_at IS NULL AND NEW.held_at IS NOT NULL)${changes})
    EXECUTE FUNCTION note_reconciliation()`;

/** A file payment that is stopped is compared too: what was on its way may have reached the bank. */
export class ReconcileStoppedFiles1795265000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(condition(' OR (OLD.stopped_at IS NULL AND NEW.stopped_at IS NOT NULL)'));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(condition(''));
  }
}
