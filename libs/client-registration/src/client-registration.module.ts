import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientAdministration } from './administration/client-administration.service.js';
import { SecretReEncryption } from './administration/secret-re-encryption.service.js';
import { ClientRegistrationService } from './client-registration.service.js';
import { ClientEntity } from './client.entity.js';
import { ClientSecrets } from './secrets/client-secrets.service.js';

/** Registered clients. Needs ConfigModule and PersistenceModule. */
@Module({
  // The entity is registered so that the schema test compares it; hot paths use statements of their own.
  imports: [TypeOrmModule.forFeature([ClientEntity])],
  providers: [ClientRegistrationService, ClientAdministration, SecretReEncryption, ClientSecrets],
  exports: [ClientRegistrationService, ClientAdministration, SecretReEncryption],
})
export class ClientRegistrationModule {}
