import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { distinguishedNameOf, formatDistinguishedName } from '#libs/certificates';
import { portalRedirectUri, portVariables, sandboxAddress, type SandboxPorts } from './sandbox-ports.js';
import { directoryIssuer } from './trust/software-statement.js';
import type { TrustFramework } from './trust/trust-framework.js';

/** At the foot of every page, because a visitor from the portal has left its list of credentials. */
const look = {
  helpLine: '111111',
  en: {
    'layout.helpLine':
      'Need help? In the sandbox, sign in as alice with the password alice-password; the one-time code is {helpLine}.',
  },
  cy: {
    'layout.helpLine':
      'Angen help? Yn y blwch tywod, mewngofnodwch fel alice gyda’r cyfrinair alice-password; y cod untro yw ' +
      '{helpLine}.',
  },
};

/** Settings that the sandbox chooses and a run may override. */
const tunables = (directory: string, { bankAuthority, resourceServer }: TrustFramework): Record<string, string> => ({
  BANK_NAME: 'Sandbox Bank',
  BANK_ERROR_NAMESPACE: 'SandboxBank',
  SOFTWARE_STATEMENT_MAX_AGE_SECONDS: '0',
  ALLOW_AUTHORIZATION_WITHOUT_INTENT: 'true',
  // As the published description illustrates it; `refuse` is the profile.
  PLAIN_CODE_FLOW: 'allow',
  // Every profile can be tried out.
  FAPI_PROFILES: 'fapi1-advanced,fapi2-security,fapi2-message-signing',
  DCR_FAPI_PROFILES: 'fapi1-advanced,fapi2-security,fapi2-message-signing',
  // Developers register the same software often.
  DCR_MAX_PER_SOFTWARE: '0',
  // A certificate that somebody revokes as a trial should not stay valid for ten more minutes.
  CLIENT_CERTIFICATE_REVOCATION_CACHE_SECONDS: '5',
  ADDITIONAL_HOSTS: '127.0.0.1,[::1]',
  SHUTDOWN_DRAIN_SECONDS: '0',
  // The embedded PostgreSQL listens on this machine alone.
  DATABASE_TLS: 'any',
  // A developer's load test is welcome here.
  RATE_LIMIT_PER_CLIENT: '0',
  RATE_LIMIT_PER_ADDRESS: '0',
  SIGN_INS_PER_ADDRESS: '0',
  SIGN_INS_PER_USER_NAME: '0',
  SIGN_INS_PER_MINUTE: '0',
  INTROSPECTION_CLIENT_SUBJECTS: subjectOf(resourceServer.certificate),
  INTROSPECTION_TRUST_ANCHORS_FILE: bankAuthority.certificateFile,
  LOG_FILE: join(directory, 'service.log'),
});

/** @returns whether the service is to use a bank that somebody else runs */
export function usesOtherBank(env: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(env['BANK_URL']);
}

/** @returns the settings of that bank, in either form; none for the sandbox's own */
export function settingsOfOtherBank(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  if (!usesOtherBank(env)) return {};
  return Object.fromEntries(Object.entries(env).filter(([name]) => bankSettings.has(name.replace(/_FILE$/, ''))));
}

const bankSettings = new Set([
  'BANK_URL',
  'BANK_CA',
  'BANK_CLIENT_CERTIFICATE',
  'BANK_CLIENT_PRIVATE_KEY',
  'BANK_CALLBACK_KEYS',
]);

/**
 * The environment under which the service runs in the sandbox: the same settings, under the same names, that a bank
 * sets in production.
 * @param options.databaseUrl of the service's own database
 * @param options.overrides usually process.env; whatever the sandbox itself has to decide (addresses, keys) is ignored;
 * with BANK_URL, it uses the bank of their settings instead of the sandbox's own
 */
export function sandboxEnvironment(options: {
  directory: string;
  /** default: 127.0.0.1 */
  host?: string;
  ports: SandboxPorts;
  databaseUrl: string;
  trust: TrustFramework;
  overrides: Readonly<Record<string, string | undefined>>;
}): Record<string, string> {
  const { directory, host = '127.0.0.1', ports, databaseUrl, trust, overrides } = options;
  const { authority, server, bankClient, secrets } = trust;
  const managed: Record<string, string> = {
    BASE_URL: sandboxAddress(ports.api),
    AUTH_URL: sandboxAddress(ports.authorize),
    TOKEN_URL: sandboxAddress(ports.token),
    LISTEN_HOST: host,
    // For a process that somebody starts beside the sandbox with its settings.
    PORT: '0',
    ADMIN_PORT: '0',
    DATABASE_URL: databaseUrl,
    TLS_CERTIFICATE_FILE: server.certificateFile,
    TLS_PRIVATE_KEY_FILE: server.privateKeyFile,
    CLIENT_TRUST_ANCHORS_FILE: authority.certificateFile,
    SIGNING_KEYS_FILE: trust.bankSigningKeysFile,
    ORGANISATION_ID: secrets.organisationId,
    CLIENT_SECRET_PEPPER: `sandbox:${secrets.clientSecretPepper}`,
    CLIENT_SECRET_ENCRYPTION_KEYS: `sandbox:${secrets.clientSecretEncryptionKey}`,
    PAIRWISE_SUBJECT_KEY: `sandbox:${secrets.pairwiseSubjectKey}`,
    SESSION_KEYS: `sandbox:${secrets.sessionKey}`,
    AUDIT_DIGEST_KEYS: `sandbox:${secrets.auditDigestKey}`,
    DIRECTORY_ISSUER: directoryIssuer,
    DIRECTORY_JWKS_URI: `${sandboxAddress(ports.directory)}/directory.jwks`,
    DIRECTORY_KEY_HOSTS: `localhost:${ports.directory}`,
    DIRECTORY_CA_FILE: authority.certificateFile,
    DIRECTORY_ALLOW_PRIVATE_ADDRESSES: 'true',
    SOFTWARE_ENVIRONMENTS: 'sandbox',
    // The one address on this machine that a client may be sent back to: the portal's.
    DCR_LOOPBACK_REDIRECT_URIS: portalRedirectUri(ports.portal),
    ...(!usesOtherBank(overrides) && {
      BANK_URL: sandboxAddress(ports.bank),
      BANK_CA_FILE: authority.certificateFile,
      BANK_CLIENT_CERTIFICATE_FILE: bankClient.certificateFile,
      BANK_CLIENT_PRIVATE_KEY_FILE: bankClient.privateKeyFile,
      BANK_CALLBACK_KEYS_FILE: trust.bankHubKeysFile,
    }),
  };
  const chosen = withoutSettings(overrides, managed);
  const tunable = {
    ...tunables(directory, trust),
    ADMIN_HOST: host,
    ...(!usesOtherBank(overrides) && { BANK_LOOK: JSON.stringify(look) }),
  };
  return { ...withoutSettings(tunable, chosen), ...chosen, ...managed };
}

const ownNames = new Set(Object.values(portVariables));

function subjectOf(certificate: string): string {
  return formatDistinguishedName(distinguishedNameOf(new X509Certificate(certificate)));
}

/** Drops a decided setting in both of its forms (`NAME` and `NAME_FILE`). */
function withoutSettings(
  overrides: Readonly<Record<string, string | undefined>>,
  managed: Readonly<Record<string, string>>,
): Record<string, string> {
  const decided = new Set(Object.keys(managed).map((name) => name.replace(/_FILE$/, '')));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(overrides)) {
    // The sandbox's own settings are none of the service's.
    if (name.startsWith('SANDBOX_') || ownNames.has(name)) continue;
    if (value !== undefined && value !== '' && !decided.has(name.replace(/_FILE$/, ''))) kept[name] = value;
  }
  return kept;
}
