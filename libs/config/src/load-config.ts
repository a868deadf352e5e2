import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { type KeySet, parseKeySet, parseSigningKeys } from '#libs/jws';
import { parseCutOffTimes } from '#libs/obie-rules';
import { Config, type TrustedDirectory } from './config.js';
import { Environment } from './environment.dto.js';
import { parseFurtherDirectories, type FurtherDirectory } from './further-directories.js';
import { parseCertificates } from './parse-pem-certificates.js';

/** The configuration cannot be used. The message names every variable at fault, and what each must hold. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration is not complete:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\n` +
        'Set these environment variables and start again; README "Settings" explains each of them.',
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Variables whose value may stand in a file named by `<NAME>_FILE`. */
export const fromFile = [
  'DATABASE_URL',
  'TLS_CERTIFICATE',
  'TLS_PRIVATE_KEY',
  'CLIENT_TRUST_ANCHORS',
  'INGRESS_TRUST_ANCHORS',
  'ADMIN_TRUST_ANCHORS',
  'INTROSPECTION_TRUST_ANCHORS',
  'SIGNING_KEYS',
  'CLIENT_SECRET_PEPPER',
  'CLIENT_SECRET_ENCRYPTION_KEYS',
  'PAIRWISE_SUBJECT_KEY',
  'DIRECTORY_CA',
  'FURTHER_DIRECTORIES',
  'EGRESS_PROXY_URL',
  'EVENT_WEBHOOK_CA',
  'BANK_CA',
  'BANK_CLIENT_CERTIFICATE',
  'BANK_CLIENT_PRIVATE_KEY',
  'BANK_CALLBACK_KEYS',
] as const;

/**
 * Reads and checks the whole configuration at once.
 * @param env usually process.env
 * @throws ConfigError naming all variables that are missing or wrong
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const environment = readEnvironment(env, problems);
  // Time and faults of a sandbox can be changed on request. Where such a setting turns up, somebody believes to be in one.
  for (const name of Object.keys(env)) {
    if (/^SANDBOX_(?!DIRECTORY$)/.test(name)) problems.push(`${name} is a setting of the sandbox, which this is not`);
  }
  const parts = {
    clientTrustAnchors: readPart(problems, 'CLIENT_TRUST_ANCHORS', environment.CLIENT_TRUST_ANCHORS, parseCertificates),
    ingressTrustAnchors: readPart(
      problems,
      'INGRESS_TRUST_ANCHORS',
      environment.INGRESS_TRUST_ANCHORS,
      parseCertificates,
    ),
    adminTrustAnchors: readPart(problems, 'ADMIN_TRUST_ANCHORS', environment.ADMIN_TRUST_ANCHORS, parseCertificates),
    introspectionTrustAnchors: readPart(
      problems,
      'INTROSPECTION_TRUST_ANCHORS',
      environment.INTROSPECTION_TRUST_ANCHORS,
      parseCertificates,
    ),
    tlsCertificate: readPart(problems, 'TLS_CERTIFICATE', environment.TLS_CERTIFICATE, parseCertificates),
    tlsPrivateKey: readPart(problems, 'TLS_PRIVATE_KEY', environment.TLS_PRIVATE_KEY, createPrivateKey),
    signingKeys: readPart(problems, 'SIGNING_KEYS', environment.SIGNING_KEYS, parseKeys),
    furtherDirectories: readPart(
      problems,
      'FURTHER_DIRECTORIES',
      environment.FURTHER_DIRECTORIES,
      parseFurtherDirectories,
    ),
    bankCa: readPart(problems, 'BANK_CA', environment.BANK_CA, parseCertificates),
    eventWebhookCa: readPart(problems, 'EVENT_WEBHOOK_CA', environment.EVENT_WEBHOOK_CA, parseCertificates),
    directoryCa: readPart(problems, 'DIRECTORY_CA', environment.DIRECTORY_CA, parseCertificates),
    bankCertificate: readPart(
      problems,
      'BANK_CLIENT_CERTIFICATE',
      environment.BANK_CLIENT_CERTIFICATE,
      parseCertificates,
    ),
    bankCallbackKeys: readPart(problems, 'BANK_CALLBACK_KEYS', environment.BANK_CALLBACK_KEYS, parsePublicKeys),
    bankKey: readPart(problems, 'BANK_CLIENT_PRIVATE_KEY', environment.BANK_CLIENT_PRIVATE_KEY, createPrivateKey),
  };
  if (environment.CLIENT_CERTIFICATE_SOURCE !== 'tls') {
    // A forwarded certificate counts only from an authenticated hop, so both halves of that must be configured.
    if (!environment.INGRESS_ADDRESSES)
      problems.push('INGRESS_ADDRESSES must be given when an ingress forwards certificates');
    if (!environment.INGRESS_TRUST_ANCHORS) {
      problems.push('INGRESS_TRUST_ANCHORS must be given when an ingress forwards certificates');
    }
  }
  const [first, ...further] = [
    environment.DIRECTORY_ISSUER,
    ...(parts.furtherDirectories ?? []).map(({ issuer }) => issuer),
  ];
  if (further.some((issuer, index) => issuer === first || further.indexOf(issuer) !== index)) {
    problems.push('FURTHER_DIRECTORIES must name each issuer once, and not that of DIRECTORY_ISSUER');
  }
  if (environment.ADMIN_TLS === 'mutual' && !environment.ADMIN_TRUST_ANCHORS) {
    problems.push('ADMIN_TRUST_ANCHORS must be given when ADMIN_TLS is mutual');
  }
  if (
    environment.INTROSPECTION_CLIENT_SUBJECTS !== undefined &&
    environment.INTROSPECTION_TRUST_ANCHORS === undefined
  ) {
    problems.push('INTROSPECTION_TRUST_ANCHORS must be given with INTROSPECTION_CLIENT_SUBJECTS');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return createConfig(environment, {
    adminTrustAnchors: parts.adminTrustAnchors ?? [],
    trustedDirectories: createTrustedDirectories(
      environment,
      parts.clientTrustAnchors ?? [],
      parts.furtherDirectories ?? [],
    ),
    ingressTrustAnchors: parts.ingressTrustAnchors ?? [],
    introspectionTrustAnchors: parts.introspectionTrustAnchors ?? [],
    signingKeys: parts.signingKeys ?? [],
    bankCallbackKeys: parts.bankCallbackKeys,
  });
}

/**
 * Reads what the migration job needs and nothing else: it holds none of the service's keys.
 * @returns the postgres:// URL of DATABASE_URL
 * @throws ConfigError
 */
export function loadDatabaseUrl(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const problems: string[] = [];
  const { DATABASE_URL: url } = readEnvironment(env, problems);
  const own = problems.filter((problem) => problem.startsWith('DATABASE_URL'));
  if (own.length > 0) throw new ConfigError(own);
  return url;
}

function readEnvironment(env: Readonly<Record<string, string | undefined>>, problems: string[]): Environment {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value !== '') values[name] = value;
  for (const name of fromFile) {
    const file = values[`${name}_FILE`];
    if (file === undefined) continue;
    try {
      values[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      const reason = error instanceof Error ? Reflect.get(error, 'code') : 'unknown';
      problems.push(`${name}_FILE names a file that cannot be read (${file}: ${String(reason)})`);
    }
  }
  const environment = plainToInstance(Environment, values, { exposeDefaultValues: true });
  for (const fault of validateSync(environment)) {
    const [message = `${fault.property} is not valid`] = Object.values(fault.constraints ?? {});
    const missing = values[fault.property] === undefined;
    problems.push(missing ? `${fault.property} is missing` : message);
  }
  return environment;
}

function readPart<Part>(
  problems: string[],
  name: string,
  text: string | undefined,
  parse: (text: string) => Part,
): Part | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return parse(text);
  } catch {
    // The cause is left out on purpose: a parser's message may quote key material.
    problems.push(`${name} cannot be read: it does not hold what it should`);
    return undefined;
  }
}

function parseKeys(text: string): ReturnType<typeof parseSigningKeys> {
  const keys = parseSigningKeys(JSON.parse(text));
  if (!keys.some((key) => key.algorithm === 'PS256')) throw new TypeError('no PS256 key');
  return keys;
}

/** Keys that the reports of somebody else are verified with: at least one must be usable. */
function parsePublicKeys(text: string): KeySet {
  const set = parseKeySet(JSON.parse(text), { maxKeys: 20 });
  if (!set.keys.some(({ kid, use }) => kid !== undefined && use === 'sig')) throw new TypeError('no usable key');
  return set;
}

const list = (text: string | undefined, separator = ','): string[] =>
  (text ?? '')
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** What a further directory leaves out it has in common with the first. */
function createTrustedDirectories(
  environment: Environment,
  clientTrustAnchors: readonly string[],
  further: readonly FurtherDirectory[],
): [TrustedDirectory, ...TrustedDirectory[]] {
  const shared = {
    ...(environment.DIRECTORY_CA === undefined ? {} : { ca: environment.DIRECTORY_CA }),
    environments: list(environment.SOFTWARE_ENVIRONMENTS),
    clientTrustAnchors,
  };
  const first = {
    ...shared,
    issuer: environment.DIRECTORY_ISSUER,
    jwksUri: environment.DIRECTORY_JWKS_URI,
    keyHosts: list(environment.DIRECTORY_KEY_HOSTS),
  };
  return [first, ...further.map((directory) => ({ ...shared, ...directory }))];
}

function createConfig(
  environment: Environment,
  parts: {
    trustedDirectories: [TrustedDirectory, ...TrustedDirectory[]];
    adminTrustAnchors: string[];
    ingressTrustAnchors: string[];
    introspectionTrustAnchors: string[];
    signingKeys: ReturnType<typeof parseSigningKeys>;
    bankCallbackKeys: KeySet | undefined;
  },
): Config {
  return new Config({
    // The published discovery path is the standard OpenID location of just this issuer.
    issuer: `${environment.BASE_URL}/open-banking/v3.0`,
    baseUrl: environment.BASE_URL,
    authUrl: environment.AUTH_URL,
    tokenUrl: environment.TOKEN_URL,
    listen: {
      host: environment.LISTEN_HOST,
      authorizePort: environment.AUTHORIZE_PORT,
      tokenPort: environment.TOKEN_PORT,
      apiPort: environment.API_PORT,
    },
    additionalHosts: list(environment.ADDITIONAL_HOSTS),
    maxConcurrentRequests: environment.MAX_CONCURRENT_REQUESTS,
    shutdownDrainSeconds: environment.SHUTDOWN_DRAIN_SECONDS,
    database: {
      url: environment.DATABASE_URL,
      poolSize: environment.DATABASE_POOL_SIZE,
      preparedStatements: environment.DATABASE_PREPARED_STATEMENTS,
    },
    admin: {
      host: environment.ADMIN_HOST,
      authorizePort: environment.AUTHORIZE_ADMIN_PORT,
      tokenPort: environment.TOKEN_ADMIN_PORT,
      apiPort: environment.API_ADMIN_PORT,
      workerPort: environment.WORKER_ADMIN_PORT,
      tls: environment.ADMIN_TLS,
      trustAnchors: parts.adminTrustAnchors,
    },
    tracing: {
      isOn:
        !environment.OTEL_SDK_DISABLED &&
        (environment.OTEL_EXPORTER_OTLP_ENDPOINT ?? environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined,
      ...(environment.OTEL_SERVICE_NAME === undefined ? {} : { serviceName: environment.OTEL_SERVICE_NAME }),
    },
    tls: {
      certificate: environment.TLS_CERTIFICATE,
      privateKey: environment.TLS_PRIVATE_KEY,
      clientTrustAnchors: [
        ...new Set(parts.trustedDirectories.flatMap(({ clientTrustAnchors }) => clientTrustAnchors)),
      ],
      clientCertificateSource: environment.CLIENT_CERTIFICATE_SOURCE,
      ingressAddresses: list(environment.INGRESS_ADDRESSES),
      ingressTrustAnchors: parts.ingressTrustAnchors,
    },
    signing: {
      keys: parts.signingKeys,
      organisationId: environment.ORGANISATION_ID,
      trustAnchor: environment.SIGNATURE_TRUST_ANCHOR,
      responseForm: environment.RESPONSE_SIGNATURE_FORM,
      requestVerification: environment.REQUEST_SIGNATURE_VERIFICATION,
    },
    secrets: {
      clientSecretPepper: Buffer.from(environment.CLIENT_SECRET_PEPPER, 'hex'),
      clientSecretEncryptionKeys: list(environment.CLIENT_SECRET_ENCRYPTION_KEYS).map((entry) => {
        const [id = '', key = ''] = entry.split(':');
        return { id, key: Buffer.from(key, 'hex') };
      }),
      pairwiseSubjectKey: Buffer.from(environment.PAIRWISE_SUBJECT_KEY, 'hex'),
    },
    directory: {
      trusted: parts.trustedDirectories,
      allowPrivateAddresses: environment.DIRECTORY_ALLOW_PRIVATE_ADDRESSES,
      softwareStatementMaxAgeSeconds: environment.SOFTWARE_STATEMENT_MAX_AGE_SECONDS,
      revokedKeysSeconds: environment.REVOKED_KEYS_SECONDS,
      crownDependencyRoles: environment.CROWN_DEPENDENCY_ROLES,
    },
    revocation: {
      mode: environment.CLIENT_CERTIFICATE_REVOCATION,
      sources: list(environment.CLIENT_CERTIFICATE_REVOCATION_SOURCES).map((source) =>
        source === 'ocsp' ? 'ocsp' : 'crl',
      ),
      lists: list(environment.CLIENT_CERTIFICATE_REVOCATION_LISTS),
      cacheSeconds: environment.CLIENT_CERTIFICATE_REVOCATION_CACHE_SECONDS,
    },
    egress: environment.EGRESS_PROXY_URL === undefined ? {} : { proxyUrl: environment.EGRESS_PROXY_URL },
    registration: {
      managementBasic: environment.DCR_MANAGEMENT_BASIC,
      schemelessBasic: environment.DCR_SCHEMELESS_BASIC,
      maxPerSoftware: environment.DCR_MAX_PER_SOFTWARE,
      tokenEndpointAuthMethods: list(environment.DCR_TOKEN_ENDPOINT_AUTH_METHODS),
      rfc7591Errors: environment.DCR_RFC7591_ERRORS,
      acceptHostIssuer: environment.DCR_ACCEPT_HOST_ISS,
      issueSecret: environment.DCR_ISSUE_SECRET,
      unsupportedMediaTypeStatus: environment.DCR_UNSUPPORTED_MEDIA_TYPE_STATUS,
      hideOtherClients: environment.DCR_HIDE_OTHER_CLIENTS,
      requireListedCertificate: environment.DCR_REQUIRE_LISTED_CERTIFICATE,
    },
    bank: {
      name: environment.BANK_NAME,
      errorNamespace: `UK.${environment.BANK_ERROR_NAMESPACE}`,
      url: environment.BANK_URL,
      ca: environment.BANK_CA,
      clientCertificate: environment.BANK_CLIENT_CERTIFICATE,
      clientPrivateKey: environment.BANK_CLIENT_PRIVATE_KEY,
      timeoutMilliseconds: environment.BANK_TIMEOUT_MILLISECONDS,
      ...(parts.bankCallbackKeys === undefined ? {} : { callbackKeys: parts.bankCallbackKeys }),
    },
    token: {
      accessTokenSeconds: environment.ACCESS_TOKEN_SECONDS,
      authorizationCodeSeconds: environment.AUTHORIZATION_CODE_SECONDS,
      refreshTokenSeconds: environment.REFRESH_TOKEN_SECONDS,
    },
    ...(environment.INTROSPECTION_CLIENT_SUBJECTS === undefined
      ? {}
      : {
          introspection: {
            clientSubjects: list(environment.INTROSPECTION_CLIENT_SUBJECTS, '|'),
            trustAnchors: parts.introspectionTrustAnchors,
          },
        }),
    authorization: {
      sessionSeconds: environment.AUTHORIZATION_SESSION_SECONDS,
      pushedRequestSeconds: environment.PUSHED_REQUEST_SECONDS,
      allowWithoutIntent: environment.ALLOW_AUTHORIZATION_WITHOUT_INTENT,
      approvalSeconds: environment.APPROVAL_SECONDS,
    },
    consent: {
      expirySeconds: environment.CONSENT_EXPIRY_SECONDS,
      rejectOnFileMismatch: environment.REJECT_CONSENT_ON_FILE_MISMATCH,
    },
    filePayment: {
      tokenMode: environment.FILE_PAYMENT_TOKEN_MODE,
      leaseSeconds: environment.PAYMENT_LEASE_SECONDS,
      faultLimit: environment.PAYMENT_FAULT_LIMIT,
      retentionDays: environment.FILE_RETENTION_DAYS,
      cutOff: {
        strategy: environment.CUT_OFF_STRATEGY,
        calendar: { times: parseCutOffTimes(environment.CUT_OFF_TIMES), holidays: list(environment.BANK_HOLIDAYS) },
      },
      ...(environment.CHAPS_CHARGE === undefined ? {} : { chapsCharge: environment.CHAPS_CHARGE }),
    },
    housekeepingSeconds: environment.HOUSEKEEPING_SECONDS,
    audit: { sealSeconds: environment.AUDIT_SEAL_SECONDS, retentionDays: environment.AUDIT_RETENTION_DAYS },
    events: {
      retentionDays: environment.EVENT_RETENTION_DAYS,
      ...(environment.EVENT_WEBHOOK_URL === undefined
        ? {}
        : {
            webhook: {
              url: environment.EVENT_WEBHOOK_URL,
              ...(environment.EVENT_WEBHOOK_CA === undefined ? {} : { ca: environment.EVENT_WEBHOOK_CA }),
            },
          }),
    },
    idempotency: { retentionSeconds: environment.IDEMPOTENCY_RETENTION_SECONDS },
    rateLimit: {
      windowSeconds: environment.RATE_LIMIT_WINDOW_SECONDS,
      perClient: environment.RATE_LIMIT_PER_CLIENT,
      perAddress: environment.RATE_LIMIT_PER_ADDRESS,
      signInsPerAddress: environment.SIGN_INS_PER_ADDRESS,
    },
    log: {
      level: environment.LOG_LEVEL,
      ...(environment.LOG_FILE === undefined ? {} : { file: environment.LOG_FILE }),
    },
  });
}
