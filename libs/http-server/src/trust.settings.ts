import { constant, format, type Format, group, made, setting, type ValuesOf } from '#libs/config';
import { parseFurtherDirectories, type FurtherDirectory, type TrustedDirectory } from './further-directories.js';

const includesSandbox = (environments: readonly string[]): boolean =>
  environments.some((each) => each.trim().toLowerCase() === 'sandbox');
const furtherDirectoriesFormat: Format<readonly FurtherDirectory[]> = { values: '', parse: parseFurtherDirectories };

const clientTrustAnchors = setting(
  'CLIENT_TRUST_ANCHORS',
  "PEM of the CAs that issue TPPs' certificates.",
  format.certificates,
  { file: true },
);
const issuer = setting('DIRECTORY_ISSUER', '`iss` of trusted software statements.', format.text);
const jwksUri = setting('DIRECTORY_JWKS_URI', "Address of the directory's own key set.", format.httpsUrl);
const keyHosts = setting(
  'DIRECTORY_KEY_HOSTS',
  "Hosts (host or host:port) that may serve TPPs' key sets, separated by commas.",
  format.list(/./, 'must be hosts, separated by commas'),
);
const ca = setting(
  'DIRECTORY_CA',
  "PEM of the CA of the directory's servers; by default the system's CAs.",
  format.certificateText,
  { optional: true, file: true },
);
const environments = setting(
  'SOFTWARE_ENVIRONMENTS',
  'Accepted values of `software_environment`, separated by commas.',
  format.list(/./, 'must be words, separated by commas'),
  { default: 'production', weakens: includesSandbox },
);
const furtherDirectories = setting(
  'FURTHER_DIRECTORIES',
  'More directories: a JSON array of objects (deploy/registration.md).',
  furtherDirectoriesFormat,
  {
    optional: true,
    file: true,
    check: (further, read) => {
      const issuers = [read(issuer), ...(further ?? []).map((each) => each.issuer)];
      return new Set(issuers).size < issuers.length
        ? 'must name each issuer once, and not that of DIRECTORY_ISSUER'
        : undefined;
    },
    weakens: (further) => includesSandbox((further ?? []).flatMap(({ environments = [] }) => environments)),
  },
);

const directories = [issuer, jwksUri, keyHosts, ca, environments, clientTrustAnchors, furtherDirectories] as const;

/** A further directory inherits omitted members from the first. */
function createTrustedDirectories(
  first: Omit<TrustedDirectory, 'ca'> & { ca: string | undefined },
  further: readonly FurtherDirectory[] = [],
): [TrustedDirectory, ...TrustedDirectory[]] {
  const { issuer: firstIssuer, jwksUri: firstJwksUri, keyHosts: firstKeyHosts, ca: firstCa, ...others } = first;
  const shared = { ...(firstCa === undefined ? {} : { ca: firstCa }), ...others };
  return [
    { ...shared, issuer: firstIssuer, jwksUri: firstJwksUri, keyHosts: firstKeyHosts },
    ...further.map((directory) => ({ ...shared, ...directory })),
  ];
}

const trusted = made(directories, (a, b, c, d, e, g, further) =>
  createTrustedDirectories(
    { issuer: a, jwksUri: b, keyHosts: c, ca: d, environments: e, clientTrustAnchors: g },
    further,
  ),
);

export const directorySettings = group('directory', 'Directory', {
  /** the directories whose software may register, the one of the DIRECTORY_ variables first */
  trusted,
  /** whether key sets and revocation lists may come from private or loopback addresses */
  allowPrivateAddresses: constant('DIRECTORY_ALLOW_PRIVATE_ADDRESSES', format.flag, 'false'),
  /** maximum age of a software statement in seconds; 0 means no limit */
  softwareStatementMaxAgeSeconds: constant('SOFTWARE_STATEMENT_MAX_AGE_SECONDS', format.integer(0, 31_536_000), '1800'),
  /** seconds between two readings of the sets of revoked keys that software statements name; 0: never */
  revokedKeysSeconds: constant('REVOKED_KEYS_SECONDS', format.integer(0, 604_800), '86400'),
  crownDependencyRoles: setting(
    'CROWN_DEPENDENCY_ROLES',
    "Whether the Crown Dependencies' roles CD_AISP and CD_CBPII allow what AISP and CBPII allow.",
    format.flag,
    { default: 'false' },
  ),
});

const certificateSource = setting(
  'CLIENT_CERTIFICATE_SOURCE',
  "Where TPPs' certificates come from: `tls` (TLS ends here), or a header of the ingress: `client-cert` (RFC 9440), " +
    '`nginx` (ssl-client-cert) or `envoy` (x-forwarded-client-cert).',
  format.choice('tls', 'client-cert', 'nginx', 'envoy'),
  { default: 'tls' },
);
const proxyProtocol = setting(
  'PROXY_PROTOCOL',
  'Whether a pass-through ingress sends client addresses (PROXY protocol, version 1 or 2). Connections from ' +
    'elsewhere, or without the header, are then closed.',
  format.flag,
  {
    default: 'false',
    check: (isOn, read) =>
      isOn && read(certificateSource) !== 'tls'
        ? 'is for an ingress that passes TLS through: CLIENT_CERTIFICATE_SOURCE must be tls'
        : undefined,
  },
);
const ingressAddresses = setting(
  'INGRESS_ADDRESSES',
  'Source addresses or CIDR ranges of the ingress, separated by commas, as narrow as possible: limits per address ' +
    'do not apply to them. Needed unless CLIENT_CERTIFICATE_SOURCE is tls, and with PROXY_PROTOCOL.',
  format.addresses,
  {
    optional: true,
    check: (addresses, read) => [
      ...(read(proxyProtocol) && addresses === undefined ? ['must be given with PROXY_PROTOCOL'] : []),
      ...((read(certificateSource) ?? 'tls') !== 'tls' && addresses === undefined
        ? ['must be given when an ingress forwards certificates']
        : []),
      ...(read(proxyProtocol) && addresses?.some((each) => /\/0+$/.test(each))
        ? ["must not be every address with PROXY_PROTOCOL: anybody could forge a client's address"]
        : []),
    ],
  },
);
const ingressTrustAnchors = setting(
  'INGRESS_TRUST_ANCHORS',
  "PEM of the CA of the ingress's own client certificate. Needed unless CLIENT_CERTIFICATE_SOURCE is tls.",
  format.certificates,
  {
    optional: true,
    file: true,
    check: (anchors, read) =>
      (read(certificateSource) ?? 'tls') !== 'tls' && anchors === undefined
        ? 'must be given when an ingress forwards certificates'
        : undefined,
  },
);

export const tlsSettings = group('tls', 'TLS', {
  certificate: setting(
    'TLS_CERTIFICATE',
    "PEM of the server's RSA certificate and its chain.",
    format.certificateText,
    { file: true },
  ),
  privateKey: setting('TLS_PRIVATE_KEY', "PEM of the server's private key.", format.privateKey, {
    secret: true,
    file: true,
    rotation: 'with the certificate; restart the instances one by one',
  }),
  /** one PEM certificate each, those of all directories */
  clientTrustAnchors: made([clientTrustAnchors, furtherDirectories], (first, further = []) => [
    ...new Set([...first, ...further.flatMap((each) => each.clientTrustAnchors ?? [])]),
  ]),
  clientCertificateSource: certificateSource,
  ingressAddresses: made([ingressAddresses], (each = []) => each),
  ingressTrustAnchors: made([ingressTrustAnchors], (each = []) => each),
  isProxyProtocolSpoken: proxyProtocol,
});

declare module '#libs/config' {
  interface Config extends ValuesOf<typeof directorySettings> {}
  interface Config extends ValuesOf<typeof tlsSettings> {}
}
