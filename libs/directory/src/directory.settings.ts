import { constant, format, group, made, setting, type ValuesOf } from '#libs/config';

export const revocationSettings = group('revocation', 'Revocation', {
  mode: setting(
    'CLIENT_CERTIFICATE_REVOCATION',
    "Whether to check that a TPP's certificate is not revoked: `off`, `soft` (accepts a certificate while its " +
      'status is unavailable) or `hard` (refuses it).',
    format.choice('off', 'soft', 'hard'),
    { default: 'soft', weakens: (mode) => mode !== 'hard' },
  ),
  /** in the order they are asked */
  sources: made(
    [
      constant(
        'CLIENT_CERTIFICATE_REVOCATION_SOURCES',
        format.list(['crl', 'ocsp'], 'must be crl, ocsp or both, separated by a comma'),
        'crl,ocsp',
      ),
    ],
    (words) => words.map((source) => (source === 'ocsp' ? 'ocsp' : 'crl')),
  ),
  /** addresses of lists besides those in the certificates */
  lists: setting(
    'CLIENT_CERTIFICATE_REVOCATION_LISTS',
    'Addresses of revocation lists besides those named in certificates, separated by commas.',
    format.list(/^https?:\/\/[^\s,]+$/, 'must be http(s) addresses, separated by commas'),
    { default: '' },
  ),
  /** seconds after which a revocation list or OCSP answer is renewed; never used after its nextUpdate */
  cacheSeconds: constant('CLIENT_CERTIFICATE_REVOCATION_CACHE_SECONDS', format.integer(1, 86_400), '600'),
});

export const egressSettings = group('egress', 'Egress', {
  proxyUrl: setting(
    'EGRESS_PROXY_URL',
    'http:// address of a proxy for all requests to directories and CAs, with user and password if it needs them.',
    format.matching(/^http:\/\/[^/?#]+\/?$/, 'must be an http:// address without a path'),
    { optional: true, secret: true, file: true },
  ),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof revocationSettings> {}
  interface Config extends ValuesOf<typeof egressSettings> {}
}
