import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientRegistrationService } from './client-registration.service.js';
import { ClientEntity } from './client.entity.js';
import { ClientSecrets } from './secrets/client-secrets.service.js';

/** Registered clients. Needs ConfigModule and PersistenceModule. */
@Module({
  // The entity is registered so that the schema test compares it; hot paths use statements of their own.
  imports: [TypeOrmModule.forFeature([ClientEntity])],
  providers: [ClientRegistrationService, ClientSecrets],
  exports: [ClientRegistrationService],
})
export class ClientRegistrationModule {}
