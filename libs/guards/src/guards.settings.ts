import { constant, format, group, made, setting, type ValuesOf } from '#libs/config';

const subjects = setting(
  'INTROSPECTION_CLIENT_SUBJECTS',
  "Certificate subjects (RFC 4514, separated by `|`) of the bank's own resource servers that may introspect tokens " +
    '(RFC 7662). Without this setting there is no introspection.',
  format.list(/./, 'must be subjects, separated by |', '|'),
  { optional: true },
);
const trustAnchors = setting(
  'INTROSPECTION_TRUST_ANCHORS',
  "PEM of the CAs of these certificates: the bank's own, never those of TPPs, who choose their subjects. Needed " +
    'with INTROSPECTION_CLIENT_SUBJECTS.',
  format.certificates,
  {
    optional: true,
    file: true,
    check: (anchors, read) =>
      read(subjects) !== undefined && anchors === undefined
        ? 'must be given with INTROSPECTION_CLIENT_SUBJECTS'
        : undefined,
  },
);

export const introspectionSettings = group('', 'Introspection', {
  /** undefined: there is no introspection endpoint */
  introspection: made([subjects, trustAnchors], (clientSubjects, anchors = []) =>
    clientSubjects === undefined ? undefined : { clientSubjects, trustAnchors: anchors },
  ),
});

/** 0 means any number. */
export const rateLimitSettings = group('rateLimit', 'Fair usage', {
  /** length in seconds of the window in which requests are counted */
  windowSeconds: constant('RATE_LIMIT_WINDOW_SECONDS', format.integer(1, 3_600), '10'),
  perClient: setting(
    'RATE_LIMIT_PER_CLIENT',
    'Requests from one client that each process accepts in ten seconds; 0: no limit. Divide your limit by the ' +
      'number of instances. Callers without a certificate count by address.',
    format.integer(0, 10_000),
    { default: '600', weakens: (limit) => limit === 0 },
  ),
  perAddress: setting(
    'RATE_LIMIT_PER_ADDRESS',
    'Requests and new connections from one address (IPv6: its /64) that each process accepts in ten seconds; 0: no ' +
      'limit. Does not apply to INGRESS_ADDRESSES or behind an ingress that ends TLS.',
    format.integer(0, 10_000),
    { default: '1200', weakens: (limit) => limit === 0 },
  ),
  signInsPerAddress: setting(
    'SIGN_INS_PER_ADDRESS',
    'Passwords and one-time codes that each process accepts from one address (IPv6: its /64) per minute; 0: no ' +
      'limit. Does not apply to INGRESS_ADDRESSES: an ingress that ends TLS must set its own limit.',
    format.integer(0, 10_000),
    { default: '30', weakens: (limit) => limit === 0 },
  ),
  /** passwords that each process accepts for one user name per minute, from any address; 0: no limit */
  signInsPerUserName: constant('SIGN_INS_PER_USER_NAME', format.integer(0, 10_000), '10'),
  /** passwords that all processes together accept in one journey; then it ends, but the consent remains. 0: no limit */
  signInsPerSession: constant('SIGN_INS_PER_SESSION', format.integer(0, 10_000), '10'),
  signInsPerMinute: setting(
    'SIGN_INS_PER_MINUTE',
    'Passwords and one-time codes that each process accepts per minute from all customers, the last defence against ' +
      'an attacker with many networks: a few times your busiest minute. Sign-ins at /approvals count separately. 0: ' +
      'no limit.',
    format.integer(0, 1_000_000),
    { default: '1200', weakens: (limit) => limit === 0 },
  ),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof introspectionSettings> {}
  interface Config extends ValuesOf<typeof rateLimitSettings> {}
}
