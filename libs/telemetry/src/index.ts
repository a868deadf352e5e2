export { startAdminServer } from './admin-server.js';
export type { AdminServer } from './admin-server.js';
export { metricsOf } from './request-metrics.js';
export { observeProcess } from './observe-process.js';
export { Telemetry } from './telemetry.js';
export { TelemetryModule } from './telemetry.module.js';
export { adminSettings } from './telemetry.settings.js';
