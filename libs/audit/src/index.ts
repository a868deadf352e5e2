export { AuditModule } from './audit.module.js';
export { AuditNotes } from './audit-notes.service.js';
export type { AuditNote } from './audit-notes.service.js';
export { eraseAuditEvents, readAuditTrail, sealAuditEvents } from './audit-trail.js';
export type { NewSeal } from './audit-trail.js';
export { KeysRecord } from './keys-record.service.js';
export type { TrailEntry } from './trail-entry.js';
export { verifyAuditTrail } from './verify-audit-trail.js';
export type { TrailVerdict } from './verify-audit-trail.js';
