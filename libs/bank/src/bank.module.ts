import { Module } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import { ApproverNotification } from './approver-notification.js';
import { BankConnection } from './bank-connection.js';
import { DeclineReports } from './decline-reports.js';
import { FundsChecks } from './funds-checks.js';
import { PayeeChecks } from './payee-checks.js';
import { PaymentAccounts } from './payment-accounts.js';
import { PaymentScheme } from './payment-scheme.js';
import { PsuAuthentication } from './psu-authentication.js';
import { HttpsPsuChallenges, PsuChallenges } from './psu-challenges.js';
import { PsuStates } from './psu-states.js';
import { UnboundOneTimeCodes } from './unbound-one-time-codes.js';

/** The bank, through its HTTPS API. Needs the global ConfigModule. */
@Module({
  providers: [
    BankConnection,
    PsuAuthentication,
    HttpsPsuChallenges,
    {
      provide: PsuChallenges,
      inject: [Config, HttpsPsuChallenges, PsuAuthentication, Clock],
      useFactory: (
        { bank }: Config,
        challenges: HttpsPsuChallenges,
        authentication: PsuAuthentication,
        clock: Clock,
      ): PsuChallenges => (bank.unboundOneTimeCodes ? new UnboundOneTimeCodes(authentication, clock) : challenges),
    },
    PaymentAccounts,
    PayeeChecks,
    PaymentScheme,
    DeclineReports,
    ApproverNotification,
  ],
  exports: [
    PsuAuthentication,
    PsuChallenges,
    PaymentAccounts,
    PayeeChecks,
    PaymentScheme,
    ApproverNotification,
    DeclineReports,
  ],
})
export class BankModule {}

/** Only the funds checks, so that the api app can neither pay nor sign in. Needs the global ConfigModule. */
@Module({
  providers: [BankConnection, FundsChecks],
  exports: [FundsChecks],
})
export class FundsChecksModule {}

/** All that the token endpoint asks of the bank. Needs the global ConfigModule. */
@Module({
  providers: [BankConnection, PsuStates],
  exports: [PsuStates],
})
export class PsuStatesModule {}
