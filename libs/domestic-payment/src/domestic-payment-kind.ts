import type { ConsentKind } from '#libs/consent';

/** One payment, which comes with its consent. */
export const domesticPaymentKind: ConsentKind = {
  name: 'domestic-payment',
  scope: 'payments',
  consents: 'domestic-payment-consents',
};
