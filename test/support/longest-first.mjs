import TestSequencer from '@jest/test-sequencer';

/**
 * Suites that take half a minute and more, the longest first. Without the times of an earlier run Jest begins with the
 * largest files; many of these are small, and would be last, alone.
 */
const longest = [
  'e2e/ingress/ingress-forms',
  'integration/statement-plans',
  'e2e/ingress/strangers',
  'e2e/chaos/chaos',
  'e2e/process/crash',
  'e2e/authorization/accessibility',
  'e2e/portal/portal-browser',
  'e2e/upgrade/upgrade',
  'e2e/ingress/shared-limits',
  'e2e/process/locked-tables',
  'e2e/file-payments/file-payments',
  'e2e/documentation/reference',
  'e2e/tpp/docs',
  'e2e/portal/newcomers-walk',
  'e2e/process/one-machine',
  'e2e/ingress/rolling-restart',
  'e2e/documentation/samples',
  'e2e/authorize/fraud-file',
  'e2e/operations/level',
  'e2e/funds-confirmation/confirmations',
  'e2e/operations/pages-for-operators',
  'e2e/account-access/retention',
  'e2e/registration/directory',
  'e2e/process/single-use',
  'e2e/file-payments/v4.0/version-4.0',
  'e2e/registration/certificate-revocation',
  'e2e/registration/dcr-statements',
  'e2e/process/obp',
];

function rankOf({ path }) {
  const at = longest.findIndex((name) => path.includes(`/${name}.`));
  return at === -1 ? longest.length : at;
}

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
