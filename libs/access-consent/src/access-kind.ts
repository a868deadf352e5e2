/** What a kind of consent to access is called where kinds stand side by side. */
export interface AccessKind {
  readonly name: 'account-access';
  /** scope of the tokens that its resources take */
  readonly scope: 'accounts';
  /** name of the collection of its consents in the API */
  readonly consents: string;
}

export const accountAccessKind: AccessKind = {
  name: 'account-access',
  scope: 'accounts',
  consents: 'account-access-consents',
};
