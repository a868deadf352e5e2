import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AuthorizationSessionModule } from '#libs/authorization-session';
import { BankModule } from '#libs/bank';
import { type Clock, type Config, ConfigModule } from '#libs/config';
import { ConsentModule } from '#libs/consent';
import { FilePaymentModule } from '#libs/file-payment';
import { createLogger, NestLogger } from '#libs/http-server';
import { PersistenceModule } from '#libs/persistence';
import { TokenStoreModule } from '#libs/token-store';
import { Housekeeping } from './housekeeping.js';
import { PaymentProcessor } from './payment-processor.js';
import { WorkLoop } from './work-loop.js';

@Module({})
class WorkerAppModule {}

/**
 * The worker: takes accepted file payments to the bank and keeps house. Any number of them may run.
 * @param clock tests set their own
 * @returns the application, working
 */
export async function createWorkerApp(config: Config, clock?: Clock): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(
    {
      module: WorkerAppModule,
      imports: [
        ConfigModule.forRoot(config, clock),
        PersistenceModule.forRoot({ ...config.database, applicationName: 'worker' }),
        BankModule,
        ConsentModule,
        FilePaymentModule,
        TokenStoreModule,
        AuthorizationSessionModule,
      ],
      providers: [PaymentProcessor, Housekeeping, WorkLoop],
    },
    { logger: new NestLogger(createLogger(config.log)), abortOnError: false },
  );
}
