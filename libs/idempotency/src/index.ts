export { canonicalJson } from './canonical-json.js';
export { claimIdempotencyKeys, IdempotencyStore, inTurn, keysOf, rowOfIdempotencyKey } from './idempotency-store.js';
export type { IdempotencyRecord, IdempotentRequest } from './idempotency-store.js';
export { idempotencySettings } from './idempotency.settings.js';
