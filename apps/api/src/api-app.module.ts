import { type DynamicModule, Module } from '@nestjs/common';
import { KeysRecord } from '#libs/audit';
import { ClientRegistrationModule } from '#libs/client-registration';
import { type Clock, type Config, ConfigModule } from '#libs/config';
import { DirectoryModule } from '#libs/directory';
import { GuardsModule, RateLimitModule } from '#libs/guards';
import { PaymentOrderModule } from '#libs/payment-order';
import { PersistenceModule } from '#libs/persistence';
import { Telemetry, TelemetryModule } from '#libs/telemetry';
import { TokenStoreModule } from '#libs/token-store';
import { RepositoriesModule } from '#libs/typeorm';
import { BankCallbackController } from './bank-callback/bank-callback.controller.js';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { DiscoveryService } from './discovery/discovery.service.js';
import { DocumentationController } from './documentation/documentation.controller.js';
import { type FurtherDocument, FurtherDocuments } from './documentation/api-documents.js';
import { HealthController } from './health/health.controller.js';
import { RegistrationManagementController } from './registration/registration-management.controller.js';
import { RegistrationMediaTypeGuard } from './registration/registration-media-type.guard.js';
import { RegistrationOwnerGuard } from './registration/registration-owner.guard.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationService } from './registration/registration.service.js';
import { ResourcesModule } from './resources/resources.module.js';

@Module({})
export class ApiAppModule {
  static forRoot(
    config: Config,
    telemetry: Telemetry,
    clock?: Clock,
    furtherDocuments: readonly FurtherDocument[] = [],
  ): DynamicModule {
    return {
      module: ApiAppModule,
      imports: [
        ConfigModule.forRoot(config, clock),
        PersistenceModule.forRoot({ ...config.database, applicationName: 'api' }, config.replicaUrl),
        RepositoriesModule.forRoot(),
        TelemetryModule.forRoot(telemetry),
        RateLimitModule.forRoot(config),
        ResourcesModule.forRoot(config),
        ClientRegistrationModule,
        DirectoryModule,
        GuardsModule,
        PaymentOrderModule,
        TokenStoreModule,
      ],
      controllers: [
        RegistrationController,
        RegistrationManagementController,
        ...(config.bank.callbackKeys === undefined ? [] : [BankCallbackController]),
        DiscoveryController,
        HealthController,
        DocumentationController,
      ],
      providers: [
        RegistrationService,
        RegistrationMediaTypeGuard,
        RegistrationOwnerGuard,
        { provide: FurtherDocuments, useValue: new FurtherDocuments(furtherDocuments) },
        DiscoveryService,
        KeysRecord,
      ],
    };
  }
}
