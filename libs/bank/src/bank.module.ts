import { Module } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import { ApproverNotification } from './approver-notification.js';
import { BankConnection } from './bank-connection.js';
import { HttpsApproverNotification } from './https-approver-notification.js';
import { DeclineReports } from './decline-reports.js';
import { HttpsDeclineReports } from './https-decline-reports.js';
import { HttpsPayeeChecks } from './https-payee-checks.js';
import { HttpsPaymentAccounts } from './https-payment-accounts.js';
import { HttpsPaymentScheme } from './https-payment-scheme.js';
import { HttpsPsuAuthentication } from './https-psu-authentication.js';
import { HttpsPsuChallenges } from './https-psu-challenges.js';
import { PayeeChecks } from './payee-checks.js';
import { PaymentAccounts } from './payment-accounts.js';
import { PaymentScheme } from './payment-scheme.js';
import { PsuAuthentication } from './psu-authentication.js';
import { PsuChallenges } from './psu-challenges.js';
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
