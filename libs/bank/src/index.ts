export { ApproverNotification } from './approver-notification.js';
export { BankAnswerError, BankRefusedError, BankUnavailableError } from './bank.errors.js';
export { parsePaymentOutcome } from './https-payment-scheme.js';
export { BankModule } from './bank.module.js';
export { PaymentAccounts } from './payment-accounts.js';
export { PaymentScheme } from './payment-scheme.js';
export { PsuAuthentication } from './psu-authentication.js';
export type { ApprovalRequest } from './approver-notification.js';
export type { AccountIdentification, PaymentAccount } from './payment-accounts.js';
export type {
  BatchDecision,
  CreditorAccount,
  PaymentBatch,
  PaymentInstruction,
  PaymentOutcome,
} from './payment-scheme.js';
export type { BankCall, OneTimeCodeVerification, PasswordVerification } from './psu-authentication.js';
