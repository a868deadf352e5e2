import { constant, format, type Format, group, made, setting, type Value, type ValuesOf } from '#libs/config';
import { fapiProfiles as profileNames } from '#libs/oauth';
import { tokenEndpointAuthMethods } from './supported-metadata.js';

const listOf = <W extends string>(words: readonly W[]): Format<readonly W[]> =>
  format.list(words, `must be of ${words.join(', ')}, separated by commas`) as Format<readonly W[]>;
const profiles = listOf(profileNames);
const methods = listOf(tokenEndpointAuthMethods);

const fapiProfiles = setting(
  'FAPI_PROFILES',
  'FAPI profiles that clients may have, separated by commas: `fapi1-advanced` (the UK profile), `fapi2-security` ' +
    '(pushed requests), `fapi2-message-signing` (pushed and signed). The first one is that of clients without an ' +
    'assigned profile.',
  profiles,
  { default: 'fapi1-advanced' },
);
const chosenProfiles = setting(
  'DCR_FAPI_PROFILES',
  'Which of `FAPI_PROFILES` clients may choose (`fapi_profile`) when they register, separated by commas.',
  profiles,
  {
    optional: true,
    check: (chosen, read) =>
      chosen?.some((each) => read(fapiProfiles)?.includes(each) === false)
        ? 'must name only profiles of FAPI_PROFILES'
        : undefined,
  },
);

/** What the security profile leaves to the bank. */
export const profileSettings = group('profile', 'Security profile', {
  fapiProfiles,
  plainCodeFlow: setting(
    'PLAIN_CODE_FLOW',
    'What `response_type=code` of a FAPI 1.0 client needs: `jarm-only` a JWT response mode (FAPI 1.0 Advanced, ' +
      's5.2.2-2), `refuse` that or PKCE, `allow` neither.',
    format.choice('allow', 'refuse', 'jarm-only'),
    {
      default: 'refuse',
      // FAPI 1.0 Advanced s5.2.2-2: `code` in conjunction with a JWT response mode; PKCE is not enough.
      weakens: (flow) => flow !== 'jarm-only',
    },
  ),
  clientAssertionAudience: setting(
    'CLIENT_ASSERTION_AUDIENCE',
    'Accepted `aud` of client assertions: `endpoints` the issuer, the token endpoint and the PAR endpoint; `issuer` ' +
      'only the issuer (RFC 10070).',
    format.choice('endpoints', 'issuer'),
    { default: 'endpoints', weakens: (audience) => audience !== 'issuer' },
  ),
  refreshTokenRotation: setting(
    'REFRESH_TOKEN_ROTATION',
    'Whether each use replaces the refresh token. `always` detects reuse, but a client that loses an answer loses ' +
      'its grant.',
    format.choice('never', 'always'),
    { default: 'never' },
  ),
  /** of a client_credentials request without scope */
  defaultScope: constant('DEFAULT_SCOPE', format.choice('registered', 'refuse'), 'registered'),
});

/** What `standard` means. */
const standard = {
  /** whether a client may manage its registration with its secret (Basic) as well as with a token */
  managementBasic: true as boolean,
  /** whether the Base64 of `ClientID:ClientSecret` is accepted without the word Basic before it */
  schemelessBasic: true as boolean,
  /** of an unknown scope: refuses it, or registers the others (RFC 7591 section 2) */
  unknownScope: 'refuse' as 'refuse' | 'drop',
  /** whether errors also contain `error` and `error_description` (RFC 7591) */
  rfc7591Errors: true as boolean,
  /** whether `iss` of a registration request may be the software's host name */
  acceptHostIssuer: false as boolean,
  /** which clients get a client_secret: all, or those whose authentication uses one */
  issueSecret: 'always' as 'always' | 'when_needed',
  /** for a body with the wrong media type; 400 has an error body */
  unsupportedMediaTypeStatus: 415 as 400 | 415,
  /** whether a request for another client's registration gets 401, not 403 */
  hideOtherClients: false as boolean,
  /** whether a TPP may register only with a certificate that the directory publishes */
  requireListedCertificate: false as boolean,
};
type Choices = Readonly<typeof standard>;

/** deploy/registration.md explains each. */
const exceptions: Readonly<Record<string, Partial<Choices>>> = {
  'token-only': { managementBasic: false },
  'basic-only-with-scheme': { schemelessBasic: false },
  'drop-unknown-scopes': { unknownScope: 'drop' },
  'plain-errors': { rfc7591Errors: false },
  'host-issuer': { acceptHostIssuer: true },
  'secret-when-needed': { issueSecret: 'when_needed' },
  'media-type-400': { unsupportedMediaTypeStatus: 400 },
  'hide-other-clients': { hideOtherClients: true },
  'listed-certificate': { requireListedCertificate: true },
};

const choices: Format<Choices> = {
  values: '`standard` or `lenient`, then exceptions',
  must: `must be standard or lenient, then any of ${Object.keys(exceptions).join(', ')}, separated by commas`,
  parse: (each) => {
    const [mode = '', ...words] = each.split(',').map((word) => word.trim());
    if (mode !== 'standard' && mode !== 'lenient') return format.refuse();
    const all = mode === 'lenient' ? ['host-issuer', 'drop-unknown-scopes', ...words] : words;
    if (!all.every((word) => Object.hasOwn(exceptions, word))) return format.refuse();
    return Object.assign({}, standard, ...all.map((word) => exceptions[word])) as Choices;
  },
};

const registration = setting(
  'REGISTRATION',
  'How to register clients: `standard`, or `lenient`, which is `standard` with `host-issuer` and ' +
    '`drop-unknown-scopes`; then exceptions, separated by commas (deploy/registration.md).',
  choices,
  { default: 'standard', weakens: ({ acceptHostIssuer }) => acceptHostIssuer },
);
const chosen = Object.fromEntries(
  Object.keys(standard).map((name) => [name, made([registration], (each) => each[name as keyof Choices])]),
) as { readonly [Name in keyof Choices]: Value<Choices[Name]> };

export const registrationSettings = group('registration', 'Registration', {
  ...chosen,
  /** 0 means any number */
  maxPerSoftware: setting(
    'DCR_MAX_PER_SOFTWARE',
    'Maximum number of clients for one software of one directory; 0 means no limit.',
    format.integer(0, 1_000),
    {
      default: '10',
      // One software could fill the database with clients.
      weakens: (most) => most === 0,
    },
  ),
  /** methods that may be registered, the preferred one first */
  tokenEndpointAuthMethods: setting(
    'DCR_TOKEN_ENDPOINT_AUTH_METHODS',
    "Client authentication methods that clients may register, separated by commas, in discovery's order. For FAPI " +
      'only: `tls_client_auth,private_key_jwt`.',
    methods,
    {
      default: tokenEndpointAuthMethods.join(','),
      // FAPI 1.0 Advanced s5.2.2-14: private_key_jwt and mutual TLS are the methods of the profile.
      weakens: (registered) => registered.some((each) => each.startsWith('client_secret_')),
    },
  ),
  /** that clients may choose for themselves */
  fapiProfiles: made([chosenProfiles, fapiProfiles], (chosen, all): readonly string[] => chosen ?? all.slice(0, 1)),
  /** names of the bank that no client may have or imitate; undefined: its name */
  reservedClientNames: setting(
    'DCR_RESERVED_CLIENT_NAMES',
    'Names that no client may use, separated by commas, nor names that look the same or that contain a reserved ' +
      'name of several words.',
    format.list(/./, 'must be names, separated by commas'),
    { optional: true },
  ),
  /** allowed redirect URIs on the customer's own machine */
  loopbackRedirectUris: constant(
    'DCR_LOOPBACK_REDIRECT_URIS',
    format.list(
      /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/[^\s,#*\\]{0,200}$/,
      'must be addresses on this machine, separated by commas',
    ),
    '',
  ),
  /** of a registration without scope: `permitted` is every scope that the software's roles allow */
  defaultScope: constant('DCR_DEFAULT_SCOPE', format.choice('permitted', 'refuse'), 'permitted'),
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof profileSettings> {}
  interface Config extends ValuesOf<typeof registrationSettings> {}
}
