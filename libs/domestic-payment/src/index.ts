export { anyBank, domesticPaymentKind, readDomesticPayment } from './read-domestic-payment.js';
export type { BankRules } from './read-domestic-payment.js';
