export { EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';
