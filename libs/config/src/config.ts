import type { Environment } from './environment.dto.js';
import type { KeySet, SigningKey } from '#libs/jws';
import type { NamedKey } from '#libs/oauth';
import type { CutOffCalendar, PaymentLimits } from '#libs/obie-rules';

/** How a TPP's certificate reaches the service (TLS ends in the application, or at an ingress). */
export type ClientCertificateSource = 'tls' | 'client-cert' | 'nginx' | 'envoy';

/** A trusted directory: its software statements, keys and certificates. */
export interface TrustedDirectory {
  /** `iss` of its software statements */
  readonly issuer: string;
  /** its own key set */
  readonly jwksUri: string;
  /** `host` or `host:port` of the key sets of its software */
  readonly keyHosts: readonly string[];
  /** PEM of the authority of its servers; default: the system's authorities */
  readonly ca?: string;
  /** accepted values of `software_environment` */
  readonly environments: readonly string[];
  /** one PEM certificate each: the authorities that certify its organisations and software */
  readonly clientTrustAnchors: readonly string[];
}

/**
 * The validated configuration of a process. Durations carry their unit in the name. Values of settings that the process
 * does not read are absent; reading one throws, because it is a fault of the program.
 */
export class Config {
  /** whether this process reads a setting, set or not */
  readonly reads!: (setting: keyof Environment) => boolean;
  readonly issuer!: string;
  readonly baseUrl!: string;
  readonly authUrl!: string;
  readonly tokenUrl!: string;
  readonly listen!: {
    readonly host: string;
    readonly authorizePort: number;
    readonly tokenPort: number;
    readonly apiPort: number;
  };
  /** as in a Host header, besides those of the public addresses */
  readonly additionalHosts!: readonly string[];
  readonly maxConcurrentRequests!: number;
  readonly maxConnections!: number;
  readonly shutdownDrainSeconds!: number;
  readonly database!: {
    readonly url: string;
    readonly poolSize: number;
    readonly preparedStatements?: boolean;
    /** whether rows are distributed by client over several servers */
    readonly distributed?: boolean;
    readonly lockTimeoutMilliseconds?: number;
  };
  /** postgres:// URL of a streaming replica for what may be a second old */
  readonly replicaUrl!: string | undefined;
  /** the listener for operators */
  readonly admin!: {
    readonly host: string;
    readonly authorizePort: number;
    readonly tokenPort: number;
    readonly apiPort: number;
    readonly workerPort: number;
    readonly tls: 'off' | 'one-way' | 'mutual';
    /** one PEM certificate each */
    readonly trustAnchors: readonly string[];
  };
  /** OpenTelemetry */
  readonly tracing!: { readonly isOn: boolean; readonly serviceName?: string };
  readonly tls!: {
    readonly certificate: string;
    readonly privateKey: string;
    /** one PEM certificate each, those of all directories */
    readonly clientTrustAnchors: readonly string[];
    readonly clientCertificateSource: ClientCertificateSource;
    /** addresses or CIDR ranges */
    readonly ingressAddresses: readonly string[];
    readonly ingressTrustAnchors: readonly string[];
    /** whether connections come from the ingress alone, and begin with the client's address */
    readonly isProxyProtocolSpoken: boolean;
  };
  readonly readWrite!: {
    /** versions of the Read/Write API that are served, e.g. `4.0` */
    readonly versions: readonly string[];
    /** whether answers show the account that pays */
    readonly isDebtorShown: boolean;
  };
  readonly signing!: {
    readonly keys: readonly SigningKey[];
    readonly organisationId: string;
    readonly trustAnchor: string;
    readonly responseForm: 'b64-false' | 'b64-absent';
    readonly requestVerification: 'enforce' | 'log';
    /** by version of the Read/Write API; none: any age */
    readonly maxAgeSeconds: ReadonlyMap<string, number>;
    /** where TPPs find the public keys */
    readonly jwksUri: string;
  };
  readonly secrets!: {
    /** the first hashes, all compare */
    readonly clientSecretPeppers: readonly NamedKey[];
    /** the first encrypts, all decrypt */
    readonly clientSecretEncryptionKeys: readonly NamedKey[];
    readonly pairwiseSubjectKey: NamedKey;
    /** of sessions and codes: the first derives, all find what was derived */
    readonly sessionKeys: readonly NamedKey[];
    /** of account numbers in the audit trail: the first is used; none: no digests */
    readonly auditDigestKeys: readonly NamedKey[];
  };
  readonly directory!: {
    /** the directories whose software may register, the one of the DIRECTORY_ variables first */
    readonly trusted: readonly [TrustedDirectory, ...TrustedDirectory[]];
    readonly allowPrivateAddresses: boolean;
    /** 0 means any age */
    readonly softwareStatementMaxAgeSeconds: number;
    /** 0: the sets of revoked keys are not read */
    readonly revokedKeysSeconds: number;
    readonly crownDependencyRoles: boolean;
  };
  readonly revocation!: {
    readonly mode: 'off' | 'soft' | 'hard';
    /** in the order they are asked */
    readonly sources: readonly ('crl' | 'ocsp')[];
    /** addresses of lists besides those in the certificates */
    readonly lists: readonly string[];
    readonly cacheSeconds: number;
  };
  readonly egress!: { readonly proxyUrl?: string };
  readonly registration!: {
    readonly managementBasic: boolean;
    readonly schemelessBasic: boolean;
    /** 0 means any number */
    readonly maxPerSoftware: number;
    /** methods that may be registered, the preferred one first */
    readonly tokenEndpointAuthMethods: readonly string[];
    /** that clients may choose for themselves */
    readonly fapiProfiles: readonly string[];
    /** names of the bank that no client may have or imitate */
    readonly reservedClientNames: readonly string[];
    /** allowed redirect URIs on the customer's own machine */
    readonly loopbackRedirectUris: readonly string[];
    /** scope of a registration without one */
    readonly defaultScope: 'permitted' | 'refuse';
    /** what happens to unknown scopes in a registration */
    readonly unknownScope: 'refuse' | 'drop';
    readonly rfc7591Errors: boolean;
    readonly acceptHostIssuer: boolean;
    /** `when_needed`: only for the three methods that use one */
    readonly issueSecret: 'always' | 'when_needed';
    readonly unsupportedMediaTypeStatus: 400 | 415;
    /** whether the registration of another client is answered like one that does not exist */
    readonly hideOtherClients: boolean;
    /** whether the directory must list the certificate of the connection */
    readonly requireListedCertificate: boolean;
  };
  readonly bank!: {
    readonly name: string;
    readonly errorNamespace: string;
    readonly url: string;
    readonly ca: string;
    readonly clientCertificate: string;
    readonly clientPrivateKey: string;
    readonly timeoutMilliseconds: number;
    /** the bank has no challenges: its codes have no dynamic linking */
    readonly unboundOneTimeCodes: boolean;
    /** whether the bank is asked about a customer whose approval is used; `hard`: nothing is issued without its answer */
    readonly customerStateCheck: 'hard' | 'soft' | 'off';
    /** undefined: the bank sends no reports */
    readonly callbackKeys?: KeySet;
  };
  /** of the customer's pages, as set; the authorize app checks it */
  readonly look!: {
    /** SVG */
    readonly logo?: string | undefined;
    /** #rrggbb */
    readonly colour: string;
    readonly colourDark?: string | undefined;
    readonly helpLine?: string | undefined;
    readonly helpUrl?: string | undefined;
    readonly privacyUrl?: string | undefined;
    readonly accessibilityUrl?: string | undefined;
    /** JSON */
    readonly wordingEn?: string | undefined;
    readonly wordingCy?: string | undefined;
  };
  readonly token!: {
    readonly accessTokenSeconds: number;
    readonly authorizationCodeSeconds: number;
    /** from the customer's approval to the end of the last refresh token */
    readonly refreshTokenSeconds: number;
  };
  /** undefined: there is no introspection endpoint */
  readonly introspection?: {
    /** subjects (RFC 4514) of the certificates of the bank's own resource servers */
    readonly clientSubjects: readonly string[];
    /** of those certificates, one PEM certificate each */
    readonly trustAnchors: readonly string[];
  };
  readonly authorization!: {
    /** without any activity */
    readonly idleSeconds: number;
    /** in all */
    readonly sessionSeconds: number;
    /** the second factor is asked for before anything is shown, and again at the approval */
    readonly bothFactorsFirst: boolean;
    /** lifetime of the reference of a pushed request */
    readonly pushedRequestSeconds: number;
    readonly allowWithoutIntent: boolean;
    /** how long a file payment may await further approvals */
    readonly approvalSeconds: number;
  };
  /** settings that weaken the security profile */
  readonly weakenings!: readonly string[];
  /** what the security profile leaves to the bank */
  readonly profile!: {
    readonly fapiProfiles: readonly ('fapi1-advanced' | 'fapi2-security' | 'fapi2-message-signing')[];
    readonly plainCodeFlow: 'allow' | 'refuse' | 'jarm-only';
    readonly clientAssertionAudience: 'endpoints' | 'issuer';
    readonly refreshTokenRotation: 'never' | 'always';
    readonly defaultScope: 'registered' | 'refuse';
  };
  readonly consent!: { readonly expirySeconds: number; readonly rejectOnFileMismatch: boolean };
  readonly filePayment!: {
    readonly leaseSeconds: number;
    /** number of invalid answers after which a file payment is held */
    /** whether a second person confirms what operators do to payments for good, or to all of them */
    readonly needsSecondPerson: boolean;
    readonly faultLimit: number;
    /** days after its execution without a final state after which a payment is held */
    readonly settlementDays: number;
    /** 0: customer data is kept */
    readonly retentionDays: number;
    readonly tokenMode: 'either' | 'psu_only' | 'client_only';
    readonly chapsCharge?: string;
    /** whether an account to be paid may be a wallet */
    readonly areWalletsPaid: boolean;
    readonly limits: PaymentLimits;
    readonly cutOff: { readonly strategy: 'accept' | 'reject'; readonly calendar: CutOffCalendar };
  };
  readonly events!: {
    /** undefined: events are delivered to nobody */
    readonly webhook?: { readonly url: string; readonly ca?: string };
    readonly retentionDays: number;
  };
  readonly accessConsent!: {
    /** 0: the accounts of consents that have ended are kept */
    readonly retentionDays: number;
  };
  readonly reconciliation!: {
    /** 0: the worker compares nothing */
    readonly seconds: number;
    /** how long a file payment must be unchanged before it is compared */
    readonly delaySeconds: number;
  };
  readonly housekeepingSeconds!: number;
  readonly audit!: {
    readonly sealSeconds: number;
    /** 0: events are kept */
    readonly retentionDays: number;
  };
  readonly idempotency!: { readonly retentionSeconds: number };
  /** 0 means any number */
  readonly rateLimit!: {
    readonly windowSeconds: number;
    readonly perClient: number;
    readonly perAddress: number;
    /** attempts to sign in from one address in a minute */
    readonly signInsPerAddress: number;
    /** passwords for one user name in a minute */
    readonly signInsPerUserName: number;
    /** passwords in one session */
    readonly signInsPerSession: number;
    /** attempts to sign in in a minute, from anybody */
    readonly signInsPerMinute: number;
  };
  readonly log!: { readonly level: string; readonly file?: string };

  constructor(values: Readonly<Config>) {
    Object.assign(this, values);
  }
}
