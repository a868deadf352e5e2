/** The names of a kind of access consents. */
export interface AccessKind {
  readonly name: 'account-access' | 'funds-confirmation';
  /** scope of the tokens for its resources */
  readonly scope: 'accounts' | 'fundsconfirmations';
  /** name of the collection of its consents in the API */
  readonly consents: string;
}

export const accountAccessKind: AccessKind = {
  name: 'account-access',
  scope: 'accounts',
  consents: 'account-access-consents',
};

export const fundsConfirmationKind: AccessKind = {
  name: 'funds-confirmation',
  scope: 'fundsconfirmations',
  consents: 'funds-confirmation-consents',
};

/** The one permission of funds confirmation: whether an amount is available, and nothing else. */
export const confirmFunds = 'ConfirmFunds';

const accessKinds: readonly AccessKind[] = [accountAccessKind, fundsConfirmationKind];
const payments = 'payments';

/**
 * @param scope of an authorization request
 * @returns the kind of access of its only access scope; undefined for payments, and for no or several access scopes
 */
export function accessKindOf(scope: readonly string[]): AccessKind | undefined {
  const asked = accessKinds.filter((kind) => scope.includes(kind.scope));
  return asked.length === 1 && !scope.includes(payments) ? asked[0] : undefined;
}
