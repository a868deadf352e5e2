export { dataSourceOptions } from './data-source-options.js';
export { RepositoriesModule } from './repositories.module.js';
export { runMigrations, UnreleasedSchemaError } from './run-migrations.js';
