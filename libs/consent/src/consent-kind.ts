/** The names of a kind of consent, for code that handles several kinds. */
export interface ConsentKind {
  readonly name: string;
  /** scope of the tokens that its resources accept */
  readonly scope: 'payments';
  /** name of the collection of its consents in the API */
  readonly consents: string;
}

export const filePaymentKind: ConsentKind = {
  name: 'file-payment',
  scope: 'payments',
  consents: 'file-payment-consents',
};
