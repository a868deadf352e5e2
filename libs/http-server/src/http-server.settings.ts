import { constant, format, group, made, setting, type ValuesOf } from '#libs/config';

const baseUrl = setting(
  'BASE_URL',
  'Public base address of the API, discovery and registration: `{base_url}`, without a trailing slash.',
  format.httpsUrl,
);

export const addressSettings = group('', 'Addresses', {
  // The published discovery path is the standard OpenID location of just this issuer.
  issuer: made([baseUrl], (url) => `${url}/open-banking/v3.0`),
  baseUrl,
  authUrl: setting(
    'AUTH_URL',
    "Public address of the authorization endpoint and the customer's pages: `{auth_url}`.",
    format.httpsUrl,
  ),
  tokenUrl: setting('TOKEN_URL', 'Public address of the token endpoint: `{token_url}`.', format.httpsUrl),
  additionalHosts: setting(
    'ADDITIONAL_HOSTS',
    'Further host names to accept, separated by commas. Requests for any other host get 421.',
    format.list(/^[0-9A-Za-z.:[\]-]+$/, 'must be host names, separated by commas'),
    { default: '' },
  ),
  maxConcurrentRequests: setting(
    'MAX_CONCURRENT_REQUESTS',
    'Maximum requests under way in one process; further ones get 503. A quarter is kept for callers with a ' +
      'certificate or a session. One address (IPv6: its /64) may use a quarter; beyond that it gets 429, except with ' +
      'RATE_LIMIT_PER_ADDRESS=0, for INGRESS_ADDRESSES or behind an ingress that ends TLS.',
    format.integer(1, 100_000),
    { default: '256' },
  ),
  /**
   * connections of one process, about 55 kB each; beyond it, the longest idle one is closed. One address may hold a
   * quarter, with the exceptions of MAX_CONCURRENT_REQUESTS
   */
  maxConnections: constant('MAX_CONNECTIONS', format.integer(4, 100_000), '2000'),
  /** seconds for which a stopping process reports itself as not ready but keeps serving, for load balancers */
  shutdownDrainSeconds: constant('SHUTDOWN_DRAIN_SECONDS', format.integer(0, 2), '2'),
});

const host = setting('LISTEN_HOST', 'Address of this machine to listen on.', format.text, { default: '127.0.0.1' });
const listenOn = (port: string) =>
  group('listen', 'Addresses', {
    host,
    port: setting('PORT', 'Port of this process.', format.integer(0, 65_535), {
      default: port,
      defaults: '`8441` (authorize), `8442` (token), `8443` (api)',
    }),
  });

/** Settings of the processes that clients call. */
export const listenSettings = { authorize: listenOn('8441'), token: listenOn('8442'), api: listenOn('8443') };

export const logSettings = group('log', 'Policies', {
  level: setting(
    'LOG_LEVEL',
    'Least level of a line in the log.',
    format.choice<string>('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
    { default: 'info' },
  ),
  /** to which the log is appended, instead of standard output */
  file: constant('LOG_FILE', format.text),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof addressSettings> {}
  interface Config extends ValuesOf<typeof listenSettings.api> {}
  interface Config extends ValuesOf<typeof logSettings> {}
}
