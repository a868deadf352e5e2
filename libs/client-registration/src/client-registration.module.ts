import { Module } from '@nestjs/common';
import { ClientAdministration } from './administration/client-administration.service.js';
import { SecretReEncryption } from './administration/secret-re-encryption.service.js';
import { ClientRegistrationService } from './client-registration.service.js';
import { ClientSecrets } from './secrets/client-secrets.service.js';

/** Registered clients. Needs ConfigModule and PersistenceModule. */
@Module({
  providers: [ClientRegistrationService, ClientAdministration, SecretReEncryption, ClientSecrets],
  exports: [ClientRegistrationService, ClientAdministration, SecretReEncryption],
})
export class ClientRegistrationModule {}
