import { Module } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import { HttpsApproverNotification, ApproverNotification } from './approver-notification.js';
import { BankConnection } from './bank-connection.js';
import { HttpsDeclineReports, DeclineReports } from './decline-reports.js';
import { HttpsFundsChecks, FundsChecks } from './funds-checks.js';
import { HttpsPayeeChecks, PayeeChecks } from './payee-checks.js';
import { HttpsPaymentAccounts, PaymentAccounts } from './payment-accounts.js';
import { HttpsPaymentScheme, PaymentScheme } from './payment-scheme.js';
import { HttpsPsuAuthentication, PsuAuthentication } from './psu-authentication.js';
import { HttpsPsuChallenges, PsuChallenges } from './psu-challenges.js';
import { HttpsPsuStates, PsuStates } from './psu-states.js';
import { UnboundOneTimeCodes } from './unbound-one-time-codes.js';

/** Binds the ports towards the bank to its HTTPS API. Needs the global ConfigModule. */
@Module({
  providers: [
    BankConnection,
    { provide: PsuAuthentication, useClass: HttpsPsuAuthentication },
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
    { provide: PaymentAccounts, useClass: HttpsPaymentAccounts },
    { provide: PayeeChecks, useClass: HttpsPayeeChecks },
    { provide: PaymentScheme, useClass: HttpsPaymentScheme },
    { provide: DeclineReports, useClass: HttpsDeclineReports },
    { provide: ApproverNotification, useClass: HttpsApproverNotification },
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

/** Binds only this port, so that the api app can neither pay nor sign in. Needs the global ConfigModule. */
@Module({
  providers: [BankConnection, { provide: FundsChecks, useClass: HttpsFundsChecks }],
  exports: [FundsChecks],
})
export class FundsChecksModule {}

/** The one port towards the bank that the token endpoint needs. Needs the global ConfigModule. */
@Module({
  providers: [BankConnection, { provide: PsuStates, useClass: HttpsPsuStates }],
  exports: [PsuStates],
})
export class PsuStatesModule {}
