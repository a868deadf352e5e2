export { dataSourceOptions } from './data-source-options.js';
export { RepositoriesModule } from './repositories.module.js';
export { runMigrations } from './run-migrations.js';
