export { Clock, ConfigModule } from './config.module.js';
export type { StatementTime } from './config.module.js';
export { Config } from './config.js';
export type { ClientCertificateSource, TrustedDirectory } from './config.js';
export { ConfigError, fromFile, loadConfig, loadDatabaseUrl } from './load-config.js';
export { serviceSigningKey } from './service-signing-key.js';
