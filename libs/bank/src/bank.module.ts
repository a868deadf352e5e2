import { Module } from '@nestjs/common';
import { ApproverNotification } from './approver-notification.js';
import { BankConnection } from './bank-connection.js';
import { HttpsApproverNotification } from './https-approver-notification.js';
import { HttpsPaymentAccounts } from './https-payment-accounts.js';
import { HttpsPaymentScheme } from './https-payment-scheme.js';
import { HttpsPsuAuthentication } from './https-psu-authentication.js';
import { PaymentAccounts } from './payment-accounts.js';
import { PaymentScheme } from './payment-scheme.js';
import { PsuAuthentication } from './psu-authentication.js';

/** Binds the ports towards the bank to its HTTPS API. Needs the global ConfigModule. */
@Module({
  providers: [
    BankConnection,
    { provide: PsuAuthentication, useClass: HttpsPsuAuthentication },
    { provide: PaymentAccounts, useClass: HttpsPaymentAccounts },
    { provide: PaymentScheme, useClass: HttpsPaymentScheme },
    { provide: ApproverNotification, useClass: HttpsApproverNotification },
  ],
  exports: [PsuAuthentication, PaymentAccounts, PaymentScheme, ApproverNotification],
})
export class BankModule {}
