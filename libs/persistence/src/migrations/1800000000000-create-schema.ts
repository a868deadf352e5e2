import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statementsOf = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

/** The schema of 1.0: the tables of the entities, and the guards, which TypeORM cannot express. */
export class CreateSchema1800000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(statementsOf('tables.sql'));
    await queryRunner.query(statementsOf('guards.sql'));
  }

  async down(): Promise<void> {
    throw new Error('Nothing is older than this schema: drop the database instead.');
  }
}
