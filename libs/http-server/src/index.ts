export { createHttpApp } from './create-http-app.js';
export type { HttpAppOptions } from './create-http-app.js';
export { interactionIdHeader, isInteractionId } from './interaction-id.js';
export { createLogger, NestLogger } from './logger.js';
export type { ClientCertificate } from './request.js';
export { startProcess } from './start-process.js';
export { tlsOptions } from './tls-options.js';
export type { TlsProfile } from './tls-options.js';
