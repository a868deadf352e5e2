import { constant, format, group, setting, type ValuesOf } from '#libs/config';

export const tokenSettings = group('token', 'Lifetimes', {
  accessTokenSeconds: setting(
    'ACCESS_TOKEN_SECONDS',
    'Lifetime of an access token in seconds.',
    format.integer(1, 86_400),
    { default: '300' },
  ),
  /** lifetime of an authorization code in seconds */
  authorizationCodeSeconds: constant('AUTHORIZATION_CODE_SECONDS', format.integer(1, 600), '60'),
  /** from the customer's approval to the end of the last refresh token */
  refreshTokenSeconds: setting(
    'REFRESH_TOKEN_SECONDS',
    'Seconds for which refresh tokens renew an approval that lasts (scopes without `payments`).',
    format.integer(60, 31_536_000),
    { default: '7776000' },
  ),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof tokenSettings> {}
}
