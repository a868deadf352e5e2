import type { KeySet, SigningKey } from '#libs/jws';
import { parseCutOffTimes } from '#libs/obie-rules';
import { Config, type TrustedDirectory } from './config.js';
import type { Environment } from './environment.dto.js';
import type { FurtherDirectory } from './further-directories.js';

/** What stands in the variables that hold more than a word or a number: certificates as one PEM each, keys, directories. */
export interface ConfigParts {
  readonly clientTrustAnchors: readonly string[];
  readonly furtherDirectories: readonly FurtherDirectory[];
  readonly adminTrustAnchors: readonly string[];
  readonly ingressTrustAnchors: readonly string[];
  readonly introspectionTrustAnchors: readonly string[];
  readonly signingKeys: readonly SigningKey[];
  readonly bankCallbackKeys: KeySet | undefined;
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

/**
 * Groups what was read; a gap is a fault of the caller, which has refused it before.
 * @param environment validated
 * @param parts read out of its variables
 */
export function createConfig(environment: Environment, parts: ConfigParts): Config {
  const trustedDirectories = createTrustedDirectories(environment, parts.clientTrustAnchors, parts.furtherDirectories);
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
    maxConnections: environment.MAX_CONNECTIONS,
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
      clientTrustAnchors: [...new Set(trustedDirectories.flatMap(({ clientTrustAnchors }) => clientTrustAnchors))],
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
      trusted: trustedDirectories,
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
      settlementDays: environment.PAYMENT_SETTLEMENT_DAYS,
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
