import { Module } from '@nestjs/common';
import { BankConnection } from './bank-connection.js';
import { HttpsPsuStates } from './https-psu-states.js';
import { PsuStates } from './psu-states.js';

/** The one port towards the bank that the token endpoint needs. Needs the global ConfigModule. */
@Module({
  providers: [BankConnection, { provide: PsuStates, useClass: HttpsPsuStates }],
  exports: [PsuStates],
})
export class PsuStatesModule {}
