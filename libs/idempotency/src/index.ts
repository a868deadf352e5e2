export { canonicalJson } from './canonical-json.js';
export { IdempotencyModule } from './idempotency.module.js';
export {
  claimIdempotencyKey,
  claimIdempotencyKeys,
  IdempotencyStore,
  keyValues,
  rowOfIdempotencyKey,
} from './idempotency-store.js';
export type { ClaimedKey, IdempotencyRecord, IdempotentRequest } from './idempotency-store.js';
export { idempotencySettings } from './idempotency.settings.js';
