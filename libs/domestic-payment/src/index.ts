export { domesticPaymentKind } from './domestic-payment-kind.js';
export { anyBank, readDomesticPayment } from './read-domestic-payment.js';
export type { BankRules } from './read-domestic-payment.js';
