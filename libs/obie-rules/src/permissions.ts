/** What a customer can let an app read (OBExternalPermissions1Code, OBInternalPermissions1Code). */
export const permissions = [
  'ReadAccountsBasic',
  'ReadAccountsDetail',
  'ReadBalances',
  'ReadBeneficiariesBasic',
  'ReadBeneficiariesDetail',
  'ReadDirectDebits',
  'ReadOffers',
  'ReadPAN',
  'ReadParty',
  'ReadPartyPSU',
  'ReadProducts',
  'ReadScheduledPaymentsBasic',
  'ReadScheduledPaymentsDetail',
  'ReadStandingOrdersBasic',
  'ReadStandingOrdersDetail',
  'ReadStatementsBasic',
  'ReadStatementsDetail',
  'ReadTransactionsBasic',
  'ReadTransactionsCredits',
  'ReadTransactionsDebits',
  'ReadTransactionsDetail',
] as const;

export type Permission = (typeof permissions)[number];

const accounts: readonly Permission[] = ['ReadAccountsBasic', 'ReadAccountsDetail'];
const transactions: readonly Permission[] = ['ReadTransactionsBasic', 'ReadTransactionsDetail'];
const directions: readonly Permission[] = ['ReadTransactionsCredits', 'ReadTransactionsDebits'];

/**
 * Account Access Consents, permissions: every consent must cover accounts, and transactions need both a level of detail
 * and a direction.
 * @param asked permissions of the list above
 * @returns what is missing, in words that follow the name of the member; undefined if nothing is missing
 */
export function findMissingPermission(asked: readonly string[]): string | undefined {
  const holdsOneOf = (some: readonly Permission[]): boolean => some.some((permission) => asked.includes(permission));
  if (!holdsOneOf(accounts)) return 'must contain ReadAccountsBasic or ReadAccountsDetail';
  if (holdsOneOf(transactions) && !holdsOneOf(directions)) {
    return (
      'must contain ReadTransactionsCredits or ReadTransactionsDebits if it contains ReadTransactionsBasic or ' +
      'ReadTransactionsDetail'
    );
  }
  if (holdsOneOf(directions) && !holdsOneOf(transactions)) {
    return (
      'must contain ReadTransactionsBasic or ReadTransactionsDetail if it contains ReadTransactionsCredits or ' +
      'ReadTransactionsDebits'
    );
  }
  return undefined;
}
