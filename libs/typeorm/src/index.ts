export { dataSourceOptions } from './data-source-options.js';
export { runMigrations, UnreleasedSchemaError } from './run-migrations.js';
