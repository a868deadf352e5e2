/**
 * A kind of consent that pays. The code that handles its consents and orders passes it on; there is no list of kinds.
 * The records of an order name it by the name of its kind, those of its consent by `<name>-consent`.
 */
export interface ConsentKind {
  readonly name: string;
  /** scope of the tokens that its resources accept */
  readonly scope: 'payments';
  /** name of the collection of its consents in the API */
  readonly consents: string;
}

/** Its payments come in a file, after the consent. Those of every other kind come with the consent. */
export const filePaymentKind: ConsentKind = {
  name: 'file-payment',
  scope: 'payments',
  consents: 'file-payment-consents',
};
