import { Module } from '@nestjs/common';
import { BankConnection } from './bank-connection.js';
import { FundsChecks } from './funds-checks.js';
import { HttpsFundsChecks } from './https-funds-checks.js';

/** Binds only this port, so that the api app can neither pay nor sign in. Needs the global ConfigModule. */
@Module({
  providers: [BankConnection, { provide: FundsChecks, useClass: HttpsFundsChecks }],
  exports: [FundsChecks],
})
export class FundsChecksModule {}
