/** What each kind and version of the API reads and answers. */
export { createOpenidConfiguration } from '../../../apps/api/src/discovery/openid-configuration.js';
export { createAccountAccessWire } from '../../../apps/api/src/wire/account-access/account-access-wire.js';
export { createFundsConfirmationWire } from '../../../apps/api/src/wire/funds-confirmation/funds-confirmation-wire.js';
export { accessVersion31 } from '../../../apps/api/src/wire/v3.1/access-version.js';
export { domesticPaymentWire31 } from '../../../apps/api/src/wire/v3.1/domestic-payment/domestic-payment-wire.js';
export { filePaymentWire31 } from '../../../apps/api/src/wire/v3.1/file-payment/file-payment-wire.js';
export { accessVersion40 } from '../../../apps/api/src/wire/v4.0/access-version.js';
export { domesticPaymentWire40 } from '../../../apps/api/src/wire/v4.0/domestic-payment/domestic-payment-wire.js';
export { filePaymentWire40 } from '../../../apps/api/src/wire/v4.0/file-payment/file-payment-wire.js';
export type { WireArea } from '../../../apps/api/src/wire/wire.js';
