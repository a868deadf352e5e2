export { EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';
export { choosePort, probePort } from './free-port.js';
