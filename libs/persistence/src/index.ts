export { Batch } from './batch.js';
export { Database, isUniqueViolation } from './database.js';
export type { StatementRunner } from './database.js';
export { dataSourceOptions } from './data-source-options.js';
export type { DatabaseSettings } from './data-source-options.js';
export { migrations } from './migrations/index.js';
export { PersistenceModule } from './persistence.module.js';
export { runMigrations } from './run-migrations.js';
