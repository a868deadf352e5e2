import { Module, type DynamicModule } from '@nestjs/common';
import { AuditModule, KeysRecord } from '#libs/audit';
import { BackChannelModule } from '#libs/back-channel';
import { PsuStatesModule } from '#libs/bank';
import { ClientRegistrationModule } from '#libs/client-registration';
import { ConfigModule, type Clock, type Config } from '#libs/config';
import { DirectoryModule } from '#libs/directory';
import { GuardsModule, RateLimitModule } from '#libs/guards';
import { PersistenceModule } from '#libs/persistence';
import { Telemetry, TelemetryModule } from '#libs/telemetry';
import { TokenStoreModule } from '#libs/token-store';
import { FrontController } from './front/front.controller.js';
import { IntrospectionController } from './introspection/introspection.controller.js';
import { PushedAuthorizationRequestController } from './pushed-authorization-request.controller.js';
import { RevocationController } from './revocation/revocation.controller.js';
import { CustomerStanding } from './token/customer-standing.service.js';
import { AuthorizationCodeGrant } from './token/authorization-code.grant.js';
import { ClientCredentialsGrant } from './token/client-credentials.grant.js';
import { RefreshTokenGrant } from './token/refresh-token.grant.js';
import { TokenController } from './token/token.controller.js';
import { UserinfoController } from './userinfo/userinfo.controller.js';

@Module({})
export class TokenAppModule {
  static forRoot(config: Config, telemetry: Telemetry, clock?: Clock): DynamicModule {
    return {
      module: TokenAppModule,
      imports: [
        ConfigModule.forRoot(config, clock),
        PersistenceModule.forRoot({ ...config.database, applicationName: 'token' }),
        AuditModule,
        TelemetryModule.forRoot(telemetry),
        RateLimitModule.forRoot(config),
        GuardsModule,
        DirectoryModule,
        ClientRegistrationModule,
        BackChannelModule,
        TokenStoreModule,
        // Where the check is off, the process has no connection to the bank.
        ...(config.bank.customerStateCheck === 'off' ? [] : [PsuStatesModule]),
      ],
      controllers: [
        FrontController,
        TokenController,
        PushedAuthorizationRequestController,
        RevocationController,
        UserinfoController,
        // Without a resource server of the bank's own that may ask, there is no such endpoint.
        ...(config.introspection === undefined ? [] : [IntrospectionController]),
      ],
      providers: [KeysRecord, ClientCredentialsGrant, AuthorizationCodeGrant, RefreshTokenGrant, CustomerStanding],
    };
  }
}
