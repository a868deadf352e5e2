export { listAuditEventsOfClient } from './audit-history.js';
export {
  detailsForTriggers,
  interactionIdForTriggers,
  interactionIdsForTriggers,
  recordAuditEvent,
} from './audit-log.js';
export type { AuditEvent } from './audit-log.js';
export { Batch } from './batch.js';
export { Database } from './database.js';
export type { StatementRunner } from './database.js';
export type { DatabaseHost } from './database-hosts.js';
export { distribute } from './distribution/distribute.js';
export { explainDatabaseFailure, isDatabaseUnavailable } from './database-unavailable.js';
export { findMissingMigrations } from './find-missing-migrations.js';
export { migrations } from './migrations/index.js';
export { countOutdatedServers, openPool } from './open-pool.js';
export type { DatabaseSettings } from './open-pool.js';
export { firstPlace, walk } from './place.js';
export type { PageOutcome, Place } from './place.js';
export { lockedRowByKey, rowByKey, rowsByKey } from './row-by-key.js';
export { secondsAfter } from './seconds-after.js';
export { PersistenceModule } from './persistence.module.js';
