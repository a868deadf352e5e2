import type { MigrationInterface } from 'typeorm';
import { CreateSchema1800000000000 } from './1800000000000-create-schema.js';

/** All migrations, oldest first. */
export const migrations: (new () => MigrationInterface)[] = [CreateSchema1800000000000];
