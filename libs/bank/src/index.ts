export { BankAnswerError, BankRefusedError, BankUnavailableError } from './bank.errors.js';
export { BankModule } from './bank.module.js';
export { PaymentAccounts } from './payment-accounts.js';
export { PaymentScheme, paymentStatuses } from './payment-scheme.js';
export { PsuAuthentication } from './psu-authentication.js';
export type { AccountIdentification, PaymentAccount } from './payment-accounts.js';
export type {
  BatchDecision,
  CreditorAccount,
  PaymentBatch,
  PaymentInstruction,
  PaymentOutcome,
  PaymentStatus,
} from './payment-scheme.js';
export type { BankCall, OneTimeCodeVerification, PasswordVerification } from './psu-authentication.js';
