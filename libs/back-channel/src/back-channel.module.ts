import { Module } from '@nestjs/common';
import { CustomerSessionModule } from '#libs/customer-session';
import { ClientRegistrationModule } from '#libs/client-registration';
import { DirectoryModule } from '#libs/directory';
import { ClientAuthenticator } from './client-authenticator.service.js';
import { OlderAudiences } from './older-audiences.service.js';
import { PushedAuthorizationRequestEndpoint } from './pushed-authorization-request-endpoint.service.js';

/** Needs ConfigModule, PersistenceModule and AuditModule, all global. */
@Module({
  imports: [CustomerSessionModule, ClientRegistrationModule, DirectoryModule],
  providers: [ClientAuthenticator, OlderAudiences, PushedAuthorizationRequestEndpoint],
  exports: [ClientAuthenticator, PushedAuthorizationRequestEndpoint],
})
export class BackChannelModule {}
