import { Module } from '@nestjs/common';
import { AuthorizationSessionModule } from '#libs/authorization-session';
import { ClientRegistrationModule } from '#libs/client-registration';
import { DirectoryModule } from '#libs/directory';
import { ClientAuthenticator } from './client-authenticator.service.js';
import { OlderAudiences } from './older-audiences.service.js';
import { PushedAuthorizationRequestEndpoint } from './pushed-authorization-request-endpoint.service.js';

/** Needs ConfigModule, PersistenceModule and AuditModule, all global. */
@Module({
  imports: [AuthorizationSessionModule, ClientRegistrationModule, DirectoryModule],
  providers: [ClientAuthenticator, OlderAudiences, PushedAuthorizationRequestEndpoint],
  exports: [ClientAuthenticator, PushedAuthorizationRequestEndpoint],
})
export class BackChannelModule {}
