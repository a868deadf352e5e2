import { constant, format, group, setting, type ValuesOf } from '#libs/config';

export const authorizationSettings = group('authorization', 'Lifetimes', {
  /** without any activity: SCA-RTS art. 4(3)(d) allows no more */
  idleSeconds: constant('AUTHORIZATION_IDLE_SECONDS', format.integer(10, 300), '300'),
  /** in all */
  sessionSeconds: setting(
    'AUTHORIZATION_SESSION_SECONDS',
    "Seconds after which a customer's session ends in any case.",
    format.integer(10, 14_400),
    { default: '1800' },
  ),
  /** the second factor is asked for before anything is shown, and again at the approval */
  bothFactorsFirst: setting(
    'BOTH_FACTORS_FIRST',
    'Whether customers authenticate with both factors before they see anything, for banks that show balances or ' +
      'must not list accounts after the password alone.',
    format.flag,
    { default: 'false' },
  ),
  /** lifetime of the reference of a pushed request */
  pushedRequestSeconds: constant('PUSHED_REQUEST_SECONDS', format.integer(5, 600), '60'),
  allowWithoutIntent: setting(
    'ALLOW_AUTHORIZATION_WITHOUT_INTENT',
    'Whether customers may authorise scopes without `payments` without an intent id.',
    format.flag,
    { default: 'false', weakens: (isAllowed) => isAllowed },
  ),
  /** how long a file payment may await further approvals */
  approvalSeconds: setting(
    'APPROVAL_SECONDS',
    'Seconds for which payments wait for further approvers.',
    format.integer(60, 31_536_000),
    { default: '604800' },
  ),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof authorizationSettings> {}
}
