import { describe, expect, it } from '@jest/globals';
import { hasTest } from '../support/has-test.js';

type Kind = 'file payments 3.1' | 'file payments 4.0' | 'single payments' | 'account access' | 'funds confirmation';
/** File and part of a title; the files of access and of single payments run their tests for 3.1 and 4.0. */
type Test = readonly [file: string, title: string];

const payments = 'test/e2e/file-payments';
const single = 'test/e2e/domestic-payments';
const access = 'test/e2e/account-access';
const funds = 'test/e2e/funds-confirmation/confirmations.e2e-spec.ts';

/** What a bank asks of every kind of consent, and the tests that fail without it. */
const concerns: Readonly<Record<string, Readonly<Record<Kind, readonly Test[]>>>> = {
  'strong authentication, acr': {
    'file payments 3.1': [
      ['test/e2e/authorization/metadata.e2e-spec.ts', 'every acr value is reached; another essential one is not'],
      ['test/e2e/authorization/request-object.e2e-spec.ts', 'an essential acr that does not exist'],
      ['test/e2e/authorization/journey.e2e-spec.ts', 'the front channel ID token: claims'],
    ],
    'file payments 4.0': [
      [
        `${payments}/v4.0/versions.e2e-spec.ts`,
        'the ID token of an approval says how the customer was authenticated (acr)',
      ],
    ],
    'single payments': [[`${single}/domestic-payments.e2e-spec.ts`, 'DP-042 the ID token of an approval says how']],
    'account access': [
      [`${access}/authorisation.e2e-spec.ts`, 'AA-102 is bound to a challenge'],
      [`${access}/openbanking-uk.e2e-spec.ts`, '47 one acr, essential: both ID tokens have it'],
    ],
    'funds confirmation': [
      [funds, 'FC-101 the bank binds its challenge to who asks'],
      [funds, 'FC-148 the ID token has the essential acr'],
    ],
  },
  // Money moves at a cut-off; access has a time at which it is over.
  'cut-off or expiry': {
    'file payments 3.1': [
      [`${payments}/settings.e2e-spec.ts`, 'refuses a consent that comes after the cut-off of its day'],
      [`${payments}/settings.e2e-spec.ts`, 'makes no payment after the cut-off'],
      [`${payments}/consent-expiry.e2e-spec.ts`, 'ends consents without progress in time'],
    ],
    'file payments 4.0': [
      [
        `${payments}/v4.0/members.e2e-spec.ts`,
        'F4-021, F4-014 a request after the cut-off of its payment type is U012',
      ],
      [`${payments}/v4.0/versions.e2e-spec.ts`, 'F4-014 distinguishes the reasons of a rejection'],
    ],
    'single payments': [
      [`${payments}/settings.e2e-spec.ts`, 'DP-046 refuses a consent, an approval and a payment'],
      [`${single}/domestic-payments.e2e-spec.ts`, 'DP-037, DP-046 a payment not approved before its cut-off'],
      [`${single}/domestic-payments.e2e-spec.ts`, 'DP-043 funds are not confirmed for a consent that has expired'],
    ],
    'account access': [
      [`${access}/authorisation.e2e-spec.ts`, 'AA-110 ends when its time is over'],
      [`${access}/consents.e2e-spec.ts`, 'AA-041 are rejected if nobody authorises them in time'],
    ],
    'funds confirmation': [[funds, 'FC-144 ends when its time is over']],
  },
  // How many people an account needs is said of payments (`approvalsRequired` of the bank). Nothing is paid by access:
  // each customer gives their own view of the account, alone.
  'several approvers': {
    'file payments 3.1': [
      [
        `${payments}/payment-creation.e2e-spec.ts`,
        'FP-109 says that an account with two approvers waits for the second',
      ],
    ],
    'file payments 4.0': [
      [`${payments}/v4.0/versions.e2e-spec.ts`, 'F4-012, F4-015 several approvers: AWAF while they are waited for'],
    ],
    'single payments': [
      [`${single}/domestic-payments.e2e-spec.ts`, 'DP-093, DP-101 are awaited; one who declines ends the payment'],
      [`${single}/domestic-payments.e2e-spec.ts`, 'DP-036, DP-081 who all approve send the payment to its scheme'],
      [`${single}/domestic-payments.e2e-spec.ts`, 'DP-036 end the payment by missing the deadline'],
    ],
    'account access': [
      [`${access}/authorisation.e2e-spec.ts`, 'AA-113 to an account that pays with two approvers only'],
    ],
    'funds confirmation': [[funds, 'FC-147 of an account that pays with two approvers only']],
  },
  'retention, erasure': {
    'file payments 3.1': [
      [`${payments}/bank-reports.e2e-spec.ts`, 'erases a finished file'],
      [`${payments}/bank-reports.e2e-spec.ts`, 'erases the data of a rejected consent without a file'],
    ],
    'file payments 4.0': [
      [`${payments}/v4.0/members.e2e-spec.ts`, 'F4-050 data about other parties in Initiation is erased'],
    ],
    'single payments': [
      [`${single}/domestic-payments.e2e-spec.ts`, 'DP-090 personal data in Risk, Initiation and SCASupportData'],
    ],
    'account access': [
      [`${access}/retention.e2e-spec.ts`, 'AA-120 takes the accounts out of what ended long ago'],
      [`${access}/retention.e2e-spec.ts`, 'AA-121 is done by hand, too'],
    ],
    'funds confirmation': [
      [`${access}/retention.e2e-spec.ts`, 'FC-160 erases the account of consents that ended long ago'],
    ],
  },
  'audit events': {
    'file payments 3.1': [
      [`${payments}/upload.e2e-spec.ts`, 'FP-053 is found in the audit trail by its interaction id'],
    ],
    'file payments 4.0': [
      [`${payments}/v4.0/versions.e2e-spec.ts`, 'a refused upload is found in the audit trail by its interaction id'],
    ],
    'single payments': [[`${single}/domestic-payments.e2e-spec.ts`, 'DP-095 funds are confirmed with the token']],
    'account access': [[`${access}/authorisation.e2e-spec.ts`, 'AA-102 is bound to a challenge']],
    'funds confirmation': [
      [funds, 'FC-111 is asked by each request, and recorded in the audit trail'],
      [funds, 'FC-146 answers 503 while the bank can give no answer, and keeps who asked'],
    ],
  },
};

const cells = Object.entries(concerns).flatMap(([concern, kinds]) =>
  Object.entries(kinds).map(([kind, tests]) => ({ concern, kind, tests })),
);

describe('what holds for every kind of consent', () => {
  it.each(cells)('$concern, $kind: its tests are there', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const [file, title] of tests)
      expect({ file, title, isThere: hasTest(file, title) }).toMatchObject({ isThere: true });
  });

  it('a test that is not there is missed', () => {
    expect(hasTest(funds, 'FC-999 is no test')).toBe(false);
  });
});
