import TestSequencer from '@jest/test-sequencer';

/**
 * Suites that take a minute and more, the longest first. Without the times of an earlier run Jest begins with the
 * largest files, and one of these would be last, alone.
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
  'e2e/authorize/fraud-file',
  'e2e/process/one-machine',
  'e2e/tpp/docs',
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
