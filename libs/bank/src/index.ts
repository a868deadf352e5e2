export { DeclineReports } from './decline-reports.js';
export type { DeclineReport } from './decline-reports.js';
export { ApproverNotification } from './approver-notification.js';
export { BankAnswerError, BankFencedError, BankRefusedError, BankUnavailableError } from './bank.errors.js';
export { FundsChecks } from './funds-checks.js';
export type { FundsCheck } from './funds-checks.js';
export { BankModule, FundsChecksModule, PsuStatesModule } from './bank.module.js';
export { PayeeChecks } from './payee-checks.js';
export type { NameCheck, NamedPayee, PayeeAccount } from './payee-checks.js';
export { PAYMENT_ACCOUNTS_MAX_COUNT, PaymentAccounts } from './payment-accounts.js';
export { askForFile, parsePaymentOutcome, PaymentScheme } from './payment-scheme.js';
export { PsuAuthentication } from './psu-authentication.js';
export { PsuChallenges } from './psu-challenges.js';
export { PsuStates } from './psu-states.js';
export type { ApprovalRequest } from './approver-notification.js';
export type { AccountIdentification, PaymentAccount } from './payment-accounts.js';
export type {
  AttemptCall,
  BatchDecision,
  CreditorAccount,
  FileAtBank,
  PaymentAtBank,
  PaymentBatch,
  BankParty,
  BankPostalAddress,
  BankPayment,
  PaymentOutcome,
} from './payment-scheme.js';
export type { BankCall } from './bank-connection.js';
export type { PasswordVerification } from './psu-authentication.js';
export type { PsuState } from './psu-states.js';
export type {
  AccessBinding,
  Challenge,
  ChallengeBinding,
  ChallengeStatus,
  ChallengeTpp,
  ChallengeVerification,
  PaymentBinding,
} from './psu-challenges.js';
export { bankSettings, connectionToBank } from './bank.settings.js';
