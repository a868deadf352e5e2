import { Module } from '@nestjs/common';
import { BankConnection } from './bank-connection.js';
import { FundsChecks } from './funds-checks.js';
import { HttpsFundsChecks } from './https-funds-checks.js';

/** The one port that answers a TPP while it waits: whoever binds it has none that pays or signs in. Needs the global ConfigModule. */
@Module({
  providers: [BankConnection, { provide: FundsChecks, useClass: HttpsFundsChecks }],
  exports: [FundsChecks],
})
export class FundsChecksModule {}
