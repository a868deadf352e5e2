import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClientRegistrationModule } from '#libs/client-registration';
import { type Clock, type Config, ConfigModule } from '#libs/config';
import { PersistenceModule } from '#libs/persistence';
import { TokenStoreModule } from '#libs/token-store';
import { ClientOperations } from './client-operations.service.js';
import { PaymentOperations } from './payment-operations.service.js';

@Module({})
class OperatorAppModule {}

/**
 * The operator's commands as a program of their own: it needs the database and the secrets' keys, and serves nothing.
 * @param clock tests set their own
 */
export async function createOperatorApp(config: Config, clock?: Clock): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(
    {
      module: OperatorAppModule,
      imports: [
        ConfigModule.forRoot(config, clock),
        PersistenceModule.forRoot({ ...config.database, poolSize: 2, applicationName: 'operator' }),
        ClientRegistrationModule,
        TokenStoreModule,
      ],
      providers: [ClientOperations, PaymentOperations],
    },
    // Standard output is for the command's own answer.
    { logger: ['error', 'fatal'], abortOnError: false },
  );
}
