export { domesticPaymentKind, readDomesticPayment } from './read-domestic-payment.js';
