import type { MigrationInterface, QueryRunner } from 'typeorm';

const purposes = (values: string): string => `
  ALTER TABLE used_jwt_ids
    DROP CONSTRAINT used_jwt_ids_purpose_check, ADD CONSTRAINT used_jwt_ids_purpose_check CHECK (purpose IN (${values}))`;

/** The bank's reports on payments are signed tokens, each of which counts once. */
export class AllowBankCallbackIds1795222843000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(purposes(`'client-assertion', 'registration', 'request-object', 'bank-callback'`));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM used_jwt_ids WHERE purpose = 'bank-callback'`);
    await queryRunner.query(purposes(`'client-assertion', 'registration', 'request-object'`));
  }
}
