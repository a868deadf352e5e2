import { Module } from '@nestjs/common';
import { AccessTokenLookup } from '#libs/guards';
import { AccessEndService } from './access-end.service.js';
import { AccessTokenStore } from './access-token-store.js';
import { AuthorizationCodeStore } from './authorization-code-store.js';
import { RefreshGrantStore } from './refresh-grant-store.js';
import { RefreshTokenStore } from './refresh-token-store.js';
import { StoredAccessTokenLookup } from './stored-access-token-lookup.js';
import { TokenHousekeeping } from './token-housekeeping.js';
import { TokenIntrospection } from './token-introspection.js';
import { TokenRevocation } from './token-revocation.js';

const stores = [
  AccessEndService,
  AccessTokenStore,
  AuthorizationCodeStore,
  RefreshGrantStore,
  RefreshTokenStore,
  TokenHousekeeping,
  TokenIntrospection,
  TokenRevocation,
];

/** Needs `Database` (PersistenceModule) and `Clock` (ConfigModule), both global. */
@Module({
  providers: [...stores, { provide: AccessTokenLookup, useClass: StoredAccessTokenLookup }],
  exports: [...stores, AccessTokenLookup],
})
export class TokenStoreModule {}
