import { bindTransitKeys, type KeySet, type SigningKey } from '#libs/jws';
import type { NamedKey } from '#libs/oauth';
import { parseCutOffTimes, parsePaymentLimits } from '#libs/obie-rules';
import { Config, type TrustedDirectory } from './config.js';
import type { Environment } from './environment.dto.js';
import type { FurtherDirectory } from './further-directories.js';
import { findWeakenings } from './weakenings.js';

/** Parsed values of structured variables: certificates as one PEM each, keys, directories. */
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

/** `id:hex` or `hex` */
function parseNamedKey(entry: string): NamedKey {
  const [, id = '', hex] = /^(?:([^:]*):)?(.*)$/s.exec(entry) ?? [];
  return { id, key: Buffer.from(hex ?? '', 'hex') };
}

/** The keys of a signing service sign there; load-config has refused such keys without a service. */
function bindToService(keys: readonly SigningKey[], url?: string, token?: string, ca?: string): readonly SigningKey[] {
  return url === undefined || token === undefined ? keys : bindTransitKeys(keys, { url, token, ca });
}

/** `v4.0=86400` as a map */
const agesByVersion = (text: string): ReadonlyMap<string, number> =>
  new Map(list(text).map((entry) => [entry.split('=')[0] ?? '', Number(entry.split('=')[1])]));

/** A further directory inherits omitted members from the first. */
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
 * Groups the values; the caller has already refused missing ones.
 * @param environment validated
 * @param parts read out of its variables
 * @param reads which settings the process reads; the others have no value here
 */
export function createConfig(
  environment: Environment,
  parts: ConfigParts,
  reads: Config['reads'] = () => true,
): Config {
  const trustedDirectories = createTrustedDirectories(environment, parts.clientTrustAnchors, parts.furtherDirectories);
  return new Config({
    reads,
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
      distributed: environment.DATABASE_DISTRIBUTED,
      lockTimeoutMilliseconds: environment.DATABASE_LOCK_TIMEOUT_SECONDS * 1_000,
    },
    replicaUrl: environment.DATABASE_REPLICA_URL,
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
      isProxyProtocolSpoken: environment.PROXY_PROTOCOL,
    },
    readWrite: {
      versions: list(environment.READ_WRITE_VERSIONS),
      isDebtorShown: environment.SHOW_DEBTOR,
    },
    signing: {
      keys: bindToService(
        parts.signingKeys,
        environment.SIGNING_SERVICE_URL,
        environment.SIGNING_SERVICE_TOKEN,
        environment.SIGNING_SERVICE_CA,
      ),
      organisationId: environment.ORGANISATION_ID,
      trustAnchor: environment.SIGNATURE_TRUST_ANCHOR,
      responseForm: environment.RESPONSE_SIGNATURE_FORM,
      requestVerification: environment.REQUEST_SIGNATURE_VERIFICATION,
      maxAgeSeconds: agesByVersion(environment.REQUEST_SIGNATURE_MAX_AGE_SECONDS),
      jwksUri: environment.JWKS_URI ?? `${environment.AUTH_URL}/oauth2/jwks`,
    },
    secrets: {
      clientSecretPeppers: list(environment.CLIENT_SECRET_PEPPER).map(parseNamedKey),
      clientSecretEncryptionKeys: list(environment.CLIENT_SECRET_ENCRYPTION_KEYS).map(parseNamedKey),
      pairwiseSubjectKey: parseNamedKey(environment.PAIRWISE_SUBJECT_KEY ?? ''),
      sessionKeys: list(environment.SESSION_KEYS).map(parseNamedKey),
      auditDigestKeys: list(environment.AUDIT_DIGEST_KEYS).map(parseNamedKey),
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
      fapiProfiles: list(environment.DCR_FAPI_PROFILES ?? list(environment.FAPI_PROFILES)[0]),
      reservedClientNames: reservedNames(environment),
      loopbackRedirectUris: list(environment.DCR_LOOPBACK_REDIRECT_URIS),
      defaultScope: environment.DCR_DEFAULT_SCOPE,
      unknownScope: environment.DCR_UNKNOWN_SCOPE,
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
      unboundOneTimeCodes: environment.UNBOUND_ONE_TIME_CODES,
      customerStateCheck: environment.CUSTOMER_STATE_CHECK,
      ...(parts.bankCallbackKeys === undefined ? {} : { callbackKeys: parts.bankCallbackKeys }),
    },
    look: {
      logo: environment.BANK_LOGO,
      colour: environment.BANK_COLOUR,
      colourDark: environment.BANK_COLOUR_DARK,
      helpLine: environment.BANK_HELP_LINE,
      helpUrl: environment.BANK_HELP_URL,
      privacyUrl: environment.BANK_PRIVACY_URL,
      accessibilityUrl: environment.BANK_ACCESSIBILITY_URL,
      wordingEn: environment.WORDING_EN,
      wordingCy: environment.WORDING_CY,
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
      idleSeconds: environment.AUTHORIZATION_IDLE_SECONDS,
      sessionSeconds: environment.AUTHORIZATION_SESSION_SECONDS,
      bothFactorsFirst: environment.BOTH_FACTORS_FIRST,
      pushedRequestSeconds: environment.PUSHED_REQUEST_SECONDS,
      allowWithoutIntent: environment.ALLOW_AUTHORIZATION_WITHOUT_INTENT,
      approvalSeconds: environment.APPROVAL_SECONDS,
    },
    weakenings: findWeakenings(environment).filter(reads),
    profile: {
      fapiProfiles: list(environment.FAPI_PROFILES) as Config['profile']['fapiProfiles'][number][],
      plainCodeFlow: environment.PLAIN_CODE_FLOW,
      clientAssertionAudience: environment.CLIENT_ASSERTION_AUDIENCE,
      refreshTokenRotation: environment.REFRESH_TOKEN_ROTATION,
      defaultScope: environment.DEFAULT_SCOPE,
    },
    consent: {
      expirySeconds: environment.CONSENT_EXPIRY_SECONDS,
      rejectOnFileMismatch: environment.REJECT_CONSENT_ON_FILE_MISMATCH,
    },
    filePayment: {
      tokenMode: environment.FILE_PAYMENT_TOKEN_MODE,
      leaseSeconds: environment.PAYMENT_LEASE_SECONDS,
      needsSecondPerson: environment.OPERATOR_FOUR_EYES,
      faultLimit: environment.PAYMENT_FAULT_LIMIT,
      settlementDays: environment.PAYMENT_SETTLEMENT_DAYS,
      retentionDays: environment.FILE_RETENTION_DAYS,
      cutOff: {
        strategy: environment.CUT_OFF_STRATEGY,
        calendar: { times: parseCutOffTimes(environment.CUT_OFF_TIMES), holidays: list(environment.BANK_HOLIDAYS) },
      },
      areWalletsPaid: environment.PAY_TO_WALLETS,
      limits: parsePaymentLimits(environment.PAYMENT_LIMITS),
      ...(environment.CHAPS_CHARGE === undefined ? {} : { chapsCharge: environment.CHAPS_CHARGE }),
    },
    accessConsent: { retentionDays: environment.ACCESS_CONSENT_RETENTION_DAYS },
    reconciliation: {
      seconds: environment.RECONCILIATION_SECONDS,
      delaySeconds: environment.RECONCILIATION_DELAY_SECONDS,
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
      signInsPerUserName: environment.SIGN_INS_PER_USER_NAME,
      signInsPerSession: environment.SIGN_INS_PER_SESSION,
      signInsPerMinute: environment.SIGN_INS_PER_MINUTE,
    },
    log: {
      level: environment.LOG_LEVEL,
      ...(environment.LOG_FILE === undefined ? {} : { file: environment.LOG_FILE }),
    },
  });
}

/** The bank's own name may contain a comma. */
function reservedNames({ DCR_RESERVED_CLIENT_NAMES: names, BANK_NAME }: Environment): string[] {
  return names === undefined ? [BANK_NAME] : list(names);
}
