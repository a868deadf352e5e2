import { type DynamicModule, Module } from '@nestjs/common';
import { KeysRecord } from '#libs/audit';
import { type Clock, type Config, ConfigModule } from '#libs/config';
import { RateLimitModule } from '#libs/guards';
import { PersistenceModule } from '#libs/persistence';
import { Telemetry, TelemetryModule } from '#libs/telemetry';
import { RepositoriesModule } from '#libs/typeorm';
import { BankCallbackModule } from './bank-callback/bank-callback.module.js';
import { DiscoveryModule } from './discovery/discovery.module.js';
import { DocumentationModule } from './documentation/documentation.module.js';
import type { FurtherDocument } from './documentation/further-documents.js';
import { ResourcesModule } from './resources/resources.module.js';
import { HealthModule } from './health/health.module.js';
import { RegistrationModule } from './registration/registration.module.js';

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
        RegistrationModule,
        ...(config.bank.callbackKeys === undefined ? [] : [BankCallbackModule]),
        DiscoveryModule,
        HealthModule,
        DocumentationModule.forRoot(furtherDocuments),
      ],
      providers: [KeysRecord],
    };
  }
}
