import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccessConsentService } from '#libs/access-consent';
import { AuditModule, KeysRecord } from '#libs/audit';
import { CustomerSessionModule } from '#libs/customer-session';
import { BankModule } from '#libs/bank';
import { type Clock, type Config, ConfigModule } from '#libs/config';
import { ConsentModule } from '#libs/consent';
import { EventOutbox, HttpsEventWebhook } from '#libs/events';
import { PaymentOrderModule } from '#libs/payment-order';
import { createLogger, NestLogger } from '#libs/http-server';
import { IdempotencyStore } from '#libs/idempotency';
import { PersistenceModule } from '#libs/persistence';
import { Telemetry, TelemetryModule } from '#libs/telemetry';
import { TokenStoreModule } from '#libs/token-store';
import { RepositoriesModule } from '#libs/typeorm';
import { ApproverNotifier } from './approver-notifier.js';
import { DeclineReporter } from './decline-reporter.js';
import { AuditSealing } from './audit-sealing.js';
import { BankCalls } from './bank-calls.js';
import { EventDelivery } from './event-delivery.js';
import { Housekeeping } from './housekeeping.js';
import { PaymentProcessor } from './payment-processor.js';
import { Reconciler } from './reconciler.js';
import { SettlementWatcher } from './settlement-watcher.js';
import { WorkLoop } from './work-loop.js';

@Module({})
class WorkerAppModule {}

/**
 * The worker: hands accepted file payments to the bank and does housekeeping. Any number of them may run.
 * @param clock tests set their own
 * @param telemetry of the process; without it, measurements are discarded
 * @returns the application, working
 */
export async function createWorkerApp(
  config: Config,
  clock?: Clock,
  telemetry = new Telemetry(config),
): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(
    {
      module: WorkerAppModule,
      imports: [
        ConfigModule.forRoot(config, clock),
        PersistenceModule.forRoot({ ...config.database, applicationName: 'worker' }),
        RepositoriesModule.forRoot(),
        TelemetryModule.forRoot(telemetry),
        AuditModule,
        BankModule,
        ConsentModule,
        PaymentOrderModule,
        TokenStoreModule,
        CustomerSessionModule,
      ],
      providers: [
        KeysRecord,
        AccessConsentService,
        EventOutbox,
        HttpsEventWebhook,
        IdempotencyStore,
        { provide: BankCalls, useValue: new BankCalls(config.bank.callsAtOnce) },
        PaymentProcessor,
        SettlementWatcher,
        Reconciler,
        ApproverNotifier,
        DeclineReporter,
        EventDelivery,
        AuditSealing,
        Housekeeping,
        WorkLoop,
      ],
    },
    { logger: new NestLogger(createLogger(config.log, telemetry)), abortOnError: false },
  );
}
