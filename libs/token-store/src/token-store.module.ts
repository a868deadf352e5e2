import { Module } from '@nestjs/common';
import { AccessTokenLookup } from '#libs/guards';
import { AccessTokenStore } from './access-token-store.js';
import { AuthorizationCodeStore } from './authorization-code-store.js';
import { StoredAccessTokenLookup } from './stored-access-token-lookup.js';
import { TokenHousekeeping } from './token-housekeeping.js';

/** Needs `Database` (PersistenceModule) and `Clock` (ConfigModule), both global. */
@Module({
  providers: [
    AccessTokenStore,
    AuthorizationCodeStore,
    TokenHousekeeping,
    { provide: AccessTokenLookup, useClass: StoredAccessTokenLookup },
  ],
  exports: [AccessTokenStore, AuthorizationCodeStore, TokenHousekeeping, AccessTokenLookup],
})
export class TokenStoreModule {}
