import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A customer looks at what they have approved that lasts. */
export class FindRefreshGrantsOfPsu1795231001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX refresh_grants_psu_id_idx ON refresh_grants (psu_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX refresh_grants_psu_id_idx`);
  }
}
