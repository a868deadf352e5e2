export { canonicalJson } from './canonical-json.js';
export { IdempotencyModule } from './idempotency.module.js';
export {
  claimIdempotencyKey,
  claimIdempotencyKeys,
  IdempotencyStore,
  rowOfIdempotencyKey,
} from './idempotency-store.js';
export type { IdempotencyRecord, IdempotentRequest } from './idempotency-store.js';
export { idempotencySettings } from './idempotency.settings.js';
