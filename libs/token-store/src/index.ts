export { AccessTokenStore } from './access-token-store.js';
export { AuthorizationCodeStore } from './authorization-code-store.js';
export { StoredAccessTokenLookup } from './stored-access-token-lookup.js';
export { TokenHousekeeping } from './token-housekeeping.js';
export { TokenStoreModule } from './token-store.module.js';
export type { ClientAssertionId, NewAccessToken } from './access-token.js';
export type { AuthorizationCode } from './authorization-code.js';
export type { CodeRedemption } from './authorization-code-store.js';
