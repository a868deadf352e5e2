import * as format from './formats.js';

export { Clock, ConfigModule } from './config.module.js';
export type { StatementTime } from './config.module.js';
// The libs add their values to Config (declare module '#libs/config'), which TypeScript allows for this form alone.
export * from './config.js';
export { format };
export { ConfigError, loadConfig, ownSettings } from './load-config.js';
export { secretSettings, signingSettings } from './keys.settings.js';
export { serviceSigningKey } from './service-signing-key.js';
export { parseCertificates } from './parse-pem-certificates.js';
export { all, constant, group, made, only, setting, when } from './setting.js';
export type { AnyGroup, Format, Setting, Taken, Value, ValuesOf } from './setting.js';
