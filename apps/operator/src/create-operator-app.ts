import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AuditModule } from '#libs/audit';
import { BankModule } from '#libs/bank';
import { ClientRegistrationModule } from '#libs/client-registration';
import { type Clock, type Config, ConfigModule } from '#libs/config';
import { PersistenceModule } from '#libs/persistence';
import { TokenStoreModule } from '#libs/token-store';
import { EventOutbox } from '#libs/events';
import { ClientOperations } from './client-operations.service.js';
import { EventOperations } from './event-operations.service.js';
import { HelpDesk } from './help-desk.service.js';
import { PaymentOperations } from './payment-operations.service.js';
import { PaymentStops } from './payment-stops.service.js';
import type { Operations } from './run-command.js';
import { Reconciliation } from './reconciliation.service.js';
import { SecondPerson } from './second-person.service.js';

@Module({})
class OperatorAppModule {}

/**
 * The operator's commands as their own program: it needs the database and the secrets' keys, and serves nothing.
 * @param clock tests set their own
 */
export async function createOperatorApp(config: Config, clock?: Clock): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(
    {
      module: OperatorAppModule,
      imports: [
        ConfigModule.forRoot(config, clock),
        PersistenceModule.forRoot({ ...config.database, poolSize: 2, applicationName: 'operator' }, config.replicaUrl),
        AuditModule,
        BankModule,
        ClientRegistrationModule,
        TokenStoreModule,
      ],
      providers: [
        ClientOperations,
        PaymentOperations,
        PaymentStops,
        SecondPerson,
        Reconciliation,
        EventOperations,
        EventOutbox,
        HelpDesk,
      ],
    },
    // Standard output is for the command's own answer.
    { logger: ['error', 'fatal'], abortOnError: false },
  );
}

/** @returns who carries the commands out in this application */
export function operationsOf(app: INestApplicationContext): Operations {
  return {
    clients: app.get(ClientOperations),
    payments: app.get(PaymentOperations),
    stops: app.get(PaymentStops),
    secondPerson: app.get(SecondPerson),
    reconciliation: app.get(Reconciliation),
    events: app.get(EventOperations),
    helpDesk: app.get(HelpDesk),
  };
}
