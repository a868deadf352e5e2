/**
 * The long ring: suites by the beginning of their path in `test/`, the longest first. Kills, full disks, restores, proxies,
 * browsers, documents, plans of statements, and whatever else has a test of more than two seconds.
 */
export const longSuites = [
  'e2e/ingress/ingress-forms',
  'integration/statement-plans',
  'e2e/chaos/chaos',
  'e2e/ingress/strangers',
  'e2e/process/crash',
  'e2e/process/locked-tables',
  'e2e/authorization/accessibility',
  'e2e/portal/portal-browser',
  'e2e/operations/level',
  'e2e/upgrade/',
  'e2e/ingress/',
  'e2e/documentation/',
  'e2e/tpp/',
  'e2e/portal/newcomers-walk',
  'e2e/operations/reconciliation',
  'e2e/operations/pages-for-operators',
  'e2e/registration/directory',
  'e2e/registration/certificate-revocation',
  'e2e/process/one-machine',
  'e2e/database/',
  'integration/bank-check',
  'e2e/process/obp',
  'e2e/authorize/fraud-file',
  'e2e/process/production-profile',
  'e2e/process/single-use',
  'e2e/process/parallel-uploads',
  'e2e/account-access/retention',
  'e2e/process/decline-crash',
  'e2e/portal/one-version',
  'e2e/process/connections',
  'e2e/process/ingress',
  'e2e/process/completion',
  'e2e/process/command-lines',
  'e2e/operations/metrics-of-alarms',
  'e2e/operations/alarms-played',
  'e2e/operations/regulatory-figures',
  'e2e/account-access/many-accounts',
  'e2e/account-access/fuzz',
  'e2e/file-payments/fuzz',
  'e2e/registration/official-tool',
  'e2e/authorization/conformance-suite',
  'e2e/authorization/oauth4webapi',
  'e2e/authorization/two-servers',
  'e2e/authorization/log-secrets',
  'e2e/authorization/pages',
  'e2e/authorization/metadata',
  'integration/database-roles',
  'integration/embedded-postgres',
  'integration/sandbox',
  'integration/silent-connections',
];

/** Suites of the short ring that begin first: their files do not show how long they are. */
export const firstOfShortRing = [
  'e2e/funds-confirmation/confirmations',
  'e2e/authorization/journey',
  'e2e/journey/browser',
  'e2e/journey/declines-in-browser',
  'corpus/corpus',
  'e2e/file-payments/upload',
  'e2e/token/customer-state',
  'e2e/process/start',
  'e2e/authorization/approvals',
  'e2e/token/refresh-token',
  'e2e/authorization/fapi2',
  'e2e/authorization/tls',
  'e2e/token/client-authentication',
  'e2e/operations/listen-for-events',
  'e2e/file-payments/bank-reports',
  'e2e/file-payments/payment-creation',
  'e2e/domestic-payments/domestic-payments',
  'e2e/registration/management',
];

/**
 * Single tests of the short ring that take longer, by words of their titles, and why: what they hold must be noticed with
 * every change.
 */
export const longTests = {
  'parallel uses': 'a race of a hundred',
  'a body that drips is ended': 'the deadline of a body',
  'is given up then also if it was repeated meanwhile': 'two deadlines of the bank',
  'is refused at once where too many shared questions wait': 'two deadlines of the bank',
  'answers 503 in time when the key store is slow or down': 'the deadline of a key store',
  'npm run housekeeping erases a finished file': 'starts a program four times',
  'domestic-payments of': 'four hundred requests, and payments that settle',
  'a customer in a web browser': 'the one journey in a browser',
  'goes by the database, however wrong its own clock is': 'four rounds of housekeeping',
};

/**
 * @param {string} path of a suite
 * @returns the lower, the earlier it begins
 */
export const placeInRing = (path) => {
  const first = [...longSuites, ...firstOfShortRing];
  const place = first.findIndex((name) => path.includes(`/test/${name}`));
  return place === -1 ? first.length : place;
};
