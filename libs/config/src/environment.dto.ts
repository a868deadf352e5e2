import { Transform } from 'class-transformer';
import {
  IsAddressList,
  IsBoolean,
  IsHttpsUrl,
  IsIn,
  IsInt,
  IsOptional,
  IsPostgresUrl,
  IsRetention,
  IsString,
  Matches,
  Max,
  Min,
} from './rules.js';

const toInteger = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
const toBoolean = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

const fapiProfileList =
  /^fapi(?:1-advanced|2-security|2-message-signing)(?:,fapi(?:1-advanced|2-security|2-message-signing))*$/;

/** `id:hex,…`, 32 bytes or more each */
const namedKeys = /^(?:[0-9A-Za-z_-]{1,64}:)?(?:[0-9a-f]{2}){32,}(?:,(?:[0-9A-Za-z_-]{1,64}:)?(?:[0-9a-f]{2}){32,})*$/i;

/**
 * Every environment variable that the service reads. A variable marked "file" may hold the path of a file in
 * `<NAME>_FILE` instead of the value itself. There is no default for an address, a key, a secret or a trust anchor.
 */
export class Environment {
  // --- addresses -------------------------------------------------------------------------------------------------
  /** Public base address of the API, discovery and registration: `{base_url}`, without a trailing slash. */
  @IsHttpsUrl() BASE_URL!: string;
  /** Public address of the authorization endpoint and the customer's pages: `{auth_url}`. */
  @IsHttpsUrl() AUTH_URL!: string;
  /** Public address of the token endpoint: `{token_url}`. */
  @IsHttpsUrl() TOKEN_URL!: string;
  /** Address of this machine to listen on. Default: 127.0.0.1. */
  @IsString() LISTEN_HOST: string = '127.0.0.1';
  /** Port of the authorize app. Default: 8441. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(65_535) AUTHORIZE_PORT: number = 8441;
  /** Port of the token app. Default: 8442. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(65_535) TOKEN_PORT: number = 8442;
  /** Port of the API app. Default: 8443. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(65_535) API_PORT: number = 8443;

  /** Further host names to accept, separated by commas. Requests for any other host get 421. */
  @IsOptional() @Matches(/^[0-9A-Za-z.:[\]-]+(?:,[0-9A-Za-z.:[\]-]+)*$/) ADDITIONAL_HOSTS?: string;
  /**
   * Maximum requests under way in one process; further ones get 503. A quarter is kept for callers with a certificate
   * or a session. One address (IPv6: its /64) may use a quarter; beyond that it gets 429, except with
   * RATE_LIMIT_PER_ADDRESS=0, for INGRESS_ADDRESSES or behind an ingress that ends TLS. Default: 256.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(100_000) MAX_CONCURRENT_REQUESTS: number = 256;
  /**
   * Maximum connections of one process, about 55 kB each; beyond it, the longest idle one is closed. One address may
   * hold a quarter, with the exceptions of MAX_CONCURRENT_REQUESTS. Default: 2000.
   */
  @Transform(toInteger) @IsInt() @Min(4) @Max(100_000) MAX_CONNECTIONS: number = 2_000;
  /**
   * Seconds for which a stopping process reports itself as not ready but keeps serving, for load balancers. Default: 2.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(2) SHUTDOWN_DRAIN_SECONDS: number = 2;

  // --- administration --------------------------------------------------------------------------------------------
  /** Address of the administration ports (`/metrics`, `/health/live`, `/health/ready`). Default: 127.0.0.1. */
  @IsString() ADMIN_HOST: string = '127.0.0.1';
  /** Administration port of the authorize app. Default: 8451. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(65_535) AUTHORIZE_ADMIN_PORT: number = 8451;
  /** Administration port of the token app. Default: 8452. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(65_535) TOKEN_ADMIN_PORT: number = 8452;
  /** Administration port of the API app. Default: 8453. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(65_535) API_ADMIN_PORT: number = 8453;
  /** Administration port of the worker. Default: 8454. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(65_535) WORKER_ADMIN_PORT: number = 8454;
  /** TLS of the administration ports: `off`, `one-way` (with TLS_CERTIFICATE) or `mutual`. Default: off. */
  @IsIn(['off', 'one-way', 'mutual']) ADMIN_TLS: 'off' | 'one-way' | 'mutual' = 'off';
  /** PEM of the CAs of operators' and scrapers' certificates. Needed for mutual. May come from a file. */
  @IsOptional() @IsString() ADMIN_TRUST_ANCHORS?: string;

  /**
   * http(s) address of an OpenTelemetry collector (OTLP over HTTP, JSON). This setting or the next one enables traces
   * (deploy/observability.md).
   */
  @IsOptional() @Matches(/^https?:\/\/\S+$/) OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  /** The same for traces only, with the full path. */
  @IsOptional() @Matches(/^https?:\/\/\S+$/) OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;
  /** Name of this process in traces; by default the name of the application. */
  @IsOptional() @IsString() OTEL_SERVICE_NAME?: string;
  /** Disables tracing, whatever else is set. Default: false. */
  @Transform(toBoolean) @IsBoolean() OTEL_SDK_DISABLED: boolean = false;

  // --- database --------------------------------------------------------------------------------------------------
  /**
   * postgres:// URL. It may list the primary and standbys, separated by commas
   * (`postgres://user:password@first:5432,second:5432/name`). Secret. May come from a file.
   */
  @IsPostgresUrl() DATABASE_URL!: string;
  /**
   * TLS to PostgreSQL. `verify-full`: both database URLs must contain `sslmode=verify-full`, and `sslrootcert=<file>`
   * if the system does not trust the CA. `any`: as the URLs say, possibly without TLS. Default: verify-full.
   */
  @IsIn(['verify-full', 'any']) DATABASE_TLS: 'verify-full' | 'any' = 'verify-full';
  /**
   * postgres:// URL of one streaming replica, for report files and operators' lists (deploy/database). Not with
   * DATABASE_DISTRIBUTED. Secret. May come from a file.
   */
  @IsOptional() @IsPostgresUrl() DATABASE_REPLICA_URL?: string;
  /** Maximum connections of one process. Default: 10. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(200) DATABASE_POOL_SIZE: number = 10;
  /**
   * Whether to use named prepared statements: false behind a pooler in transaction mode that does not track them
   * (deploy/database). Default: true.
   */
  @Transform(toBoolean) @IsBoolean() DATABASE_PREPARED_STATEMENTS: boolean = true;
  /** Whether rows are distributed over several servers with Citus (deploy/database). The same for every process. */
  @Transform(toBoolean) @IsBoolean() DATABASE_DISTRIBUTED: boolean = false;

  /** Seconds for which a statement waits for a locked table or row; then 503. 0: 15 seconds. Default: 3. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(14) DATABASE_LOCK_TIMEOUT_SECONDS: number = 3;

  // --- TLS -------------------------------------------------------------------------------------------------------
  /** PEM of the server's RSA certificate and its chain. May come from a file. */
  @IsString() TLS_CERTIFICATE!: string;
  /**
   * PEM of the server's private key. Secret. May come from a file.
   * @rotation with the certificate; restart the instances one by one
   */
  @IsString() TLS_PRIVATE_KEY!: string;
  /** PEM of the CAs that issue TPPs' certificates. May come from a file. */
  @IsString() CLIENT_TRUST_ANCHORS!: string;
  /**
   * Where TPPs' certificates come from: `tls` (TLS ends here), or a header of the ingress: `client-cert` (RFC 9440),
   * `nginx` (ssl-client-cert) or `envoy` (x-forwarded-client-cert). Default: tls.
   */
  @IsIn(['tls', 'client-cert', 'nginx', 'envoy'])
  CLIENT_CERTIFICATE_SOURCE: 'tls' | 'client-cert' | 'nginx' | 'envoy' = 'tls';
  /**
   * Source addresses or CIDR ranges of the ingress, separated by commas, as narrow as possible: limits per address do
   * not apply to them. Needed unless CLIENT_CERTIFICATE_SOURCE is tls, and with PROXY_PROTOCOL.
   */
  @IsOptional() @IsAddressList() INGRESS_ADDRESSES?: string;
  /**
   * Whether a pass-through ingress sends client addresses (PROXY protocol, version 1 or 2). Connections from elsewhere,
   * or without the header, are then closed. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() PROXY_PROTOCOL: boolean = false;
  /**
   * PEM of the CA of the ingress's own client certificate. Needed unless CLIENT_CERTIFICATE_SOURCE is tls. May come
   * from a file.
   */
  @IsOptional() @IsString() INGRESS_TRUST_ANCHORS?: string;

  // --- signing ---------------------------------------------------------------------------------------------------
  /**
   * `jwks_uri` in discovery, if TPPs fetch the bank's public keys elsewhere than at `AUTH_URL` + `/oauth2/jwks`. That
   * host must publish each key before it signs.
   */
  @IsOptional() @Matches(/^https:\/\/[^\s?#]{1,2000}$/) JWKS_URI?: string;
  /**
   * Private JWK set of the bank (deploy/keys.md). Secret. May come from a file.
   * @rotation `npm run keys`: next, current, retired, without downtime
   */
  @IsString() SIGNING_KEYS!: string;
  /**
   * Address of a signing service that holds private keys of SIGNING_KEYS (deploy/keys.md):
   * `https://vault.bank.example/v1/transit`. Default: none.
   */
  @IsOptional() @IsHttpsUrl() SIGNING_SERVICE_URL?: string;
  /**
   * Token for the signing service, for signing with those keys only. Secret. May come from a file.
   * @rotation as the signing service requires; restart the instances one by one
   */
  @IsOptional() @IsString() SIGNING_SERVICE_TOKEN?: string;
  /** PEM of the CA of the signing service; by default the system's CAs. May come from a file. */
  @IsOptional() @IsString() SIGNING_SERVICE_CA?: string;
  /** The bank's id at the Open Banking directory, `iss` of response signatures: 18 letters and digits. */
  @Matches(/^[0-9A-Za-z]{18}$/) ORGANISATION_ID!: string;
  /** Trust anchor named in response signatures. Default: openbanking.org.uk. */
  @IsString() SIGNATURE_TRUST_ANCHOR: string = 'openbanking.org.uk';
  /** Form of response signatures: `b64-false` (3.1.2, 3.1.3) or `b64-absent` (3.1.4 and later). Default: b64-false. */
  @IsIn(['b64-false', 'b64-absent']) RESPONSE_SIGNATURE_FORM: 'b64-false' | 'b64-absent' = 'b64-false';

  /**
   * A POST whose x-jws-signature is missing or invalid: `enforce` refuses it, `log` accepts it with a warning (the
   * waiver in 3.1 to 3.1.3). Default: enforce.
   */
  @IsIn(['enforce', 'log']) REQUEST_SIGNATURE_VERIFICATION: 'enforce' | 'log' = 'enforce';

  /**
   * Maximum age of an x-jws-signature in seconds, for each version of the Read/Write API, separated by commas. Other
   * versions accept any age. Default: v4.0=86400.
   */
  @Matches(/^(?:v\d\.\d=\d{1,8}(?:,(?!$)|$))*$/) REQUEST_SIGNATURE_MAX_AGE_SECONDS: string = 'v4.0=86400';
  /** Versions of the Read/Write API to serve, separated by commas. Other paths get 404. Default: 3.1,4.0. */
  @Matches(/^(?:3\.1|4\.0|3\.1,4\.0|4\.0,3\.1)$/) READ_WRITE_VERSIONS: string = '3.1,4.0';
  /** Whether consents and file payments show the debtor account once it is known (`Data.Debtor`). Default: false. */
  @Transform(toBoolean) @IsBoolean() SHOW_DEBTOR: boolean = false;

  // --- secrets ---------------------------------------------------------------------------------------------------
  /**
   * Keys of the hashes of client secrets: `id:64 or more hex digits`, separated by commas. The first one hashes, all of
   * them verify (deploy/keys.md). Secret. May come from a file.
   * @rotation `npm run keys -- secrets`; a hash is renewed when its client uses the secret at registration, or gets a new one
   */
  @Matches(namedKeys) CLIENT_SECRET_PEPPER!: string;
  /**
   * AES-256 keys for the secrets of client_secret_jwt clients: `id:64 hex digits`, separated by commas. The first one
   * encrypts, all of them decrypt (deploy/keys.md). Secret. May come from a file.
   * @rotation `npm run keys -- secrets`, then `npm run operator -- secrets re-encrypt`
   */
  @Matches(/^[0-9A-Za-z_-]+:[0-9a-f]{64}(?:,[0-9A-Za-z_-]+:[0-9a-f]{64})*$/i) CLIENT_SECRET_ENCRYPTION_KEYS!: string;
  /**
   * Key of the pairwise subject identifiers: `id:64 or more hex digits`. Must never change. Secret. May come from a
   * file.
   * @rotation never: every customer would get a new identifier at every TPP
   */
  @Matches(/^(?:[0-9A-Za-z_-]+:)?(?:[0-9a-f]{2}){32,}$/i) PAIRWISE_SUBJECT_KEY!: string;
  /**
   * Keys from which session cookies and authorization codes are derived: `id:64 or more hex digits`, separated by
   * commas. The first one writes, all of them read (deploy/keys.md). Secret. May come from a file.
   * @rotation `npm run keys -- secrets`; remove the old key once the longest session has ended
   */
  @Matches(namedKeys) SESSION_KEYS!: string;
  /**
   * Keys of the audit trail's digests of approved accounts: `id:64 or more hex digits`, separated by commas; the first
   * one is used. Without them there are no digests. Secret. May come from a file.
   * @rotation `npm run keys -- secrets`; keep old keys elsewhere as long as the trail: nobody can check digests without
   */
  @IsOptional() @Matches(namedKeys) AUDIT_DIGEST_KEYS?: string;

  // --- directory -------------------------------------------------------------------------------------------------
  /** `iss` of trusted software statements. */
  @IsString() DIRECTORY_ISSUER!: string;
  /** Address of the directory's own key set. */
  @IsHttpsUrl() DIRECTORY_JWKS_URI!: string;
  /** Hosts (host or host:port) that may serve TPPs' key sets, separated by commas. */
  @IsString() DIRECTORY_KEY_HOSTS!: string;
  /** PEM of the CA of the directory's servers; by default the system's CAs. May come from a file. */
  @IsOptional() @IsString() DIRECTORY_CA?: string;
  /** Whether key sets and revocation lists may come from private or loopback addresses. Default: false. */
  @Transform(toBoolean) @IsBoolean() DIRECTORY_ALLOW_PRIVATE_ADDRESSES: boolean = false;
  /** Maximum age of a software statement in seconds; 0 means no limit. Default: 1800. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(31_536_000) SOFTWARE_STATEMENT_MAX_AGE_SECONDS: number = 1_800;
  /** Accepted values of `software_environment`, separated by commas. Default: production. */
  @IsString() SOFTWARE_ENVIRONMENTS: string = 'production';

  /** More directories: a JSON array of objects (deploy/registration.md). May come from a file. */
  @IsOptional() @IsString() FURTHER_DIRECTORIES?: string;
  /**
   * Seconds between two readings of the sets of revoked keys named in software statements (deploy/registration.md). 0:
   * never. Default: 86400.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(604_800) REVOKED_KEYS_SECONDS: number = 86_400;
  /** Whether the Crown Dependencies' roles CD_AISP and CD_CBPII allow what AISP and CBPII allow. Default: false. */
  @Transform(toBoolean) @IsBoolean() CROWN_DEPENDENCY_ROLES: boolean = false;

  // --- revocation ------------------------------------------------------------------------------------------------
  /**
   * Whether to check that a TPP's certificate is not revoked: `off`, `soft` (accepts a certificate while its status is
   * unavailable) or `hard` (refuses it). Default: soft.
   */
  @IsIn(['off', 'soft', 'hard']) CLIENT_CERTIFICATE_REVOCATION: 'off' | 'soft' | 'hard' = 'soft';
  /** Sources for the revocation check, in order: `crl,ocsp`, `ocsp,crl`, `crl` or `ocsp`. Default: crl,ocsp. */
  @IsIn(['crl,ocsp', 'ocsp,crl', 'crl', 'ocsp']) CLIENT_CERTIFICATE_REVOCATION_SOURCES: string = 'crl,ocsp';
  /** Addresses of revocation lists besides those named in certificates, separated by commas. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s,]+(?:,https?:\/\/[^\s,]+)*$/)
  CLIENT_CERTIFICATE_REVOCATION_LISTS?: string;
  /** Seconds after which a revocation list or OCSP answer is renewed; never used after its nextUpdate. Default: 600. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(86_400) CLIENT_CERTIFICATE_REVOCATION_CACHE_SECONDS: number = 600;

  // --- egress ----------------------------------------------------------------------------------------------------
  /**
   * http:// address of a proxy for all requests to directories and CAs, with user and password if it needs them.
   * Secret. May come from a file.
   */
  @IsOptional() @Matches(/^http:\/\/[^/?#]+\/?$/) EGRESS_PROXY_URL?: string;

  // --- registration ----------------------------------------------------------------------------------------------
  /** Whether a client may manage its registration with its secret (Basic) as well as with a token. Default: true. */
  @Transform(toBoolean) @IsBoolean() DCR_MANAGEMENT_BASIC: boolean = true;
  /** Whether the Base64 of `ClientID:ClientSecret` is accepted without the word Basic before it. Default: true. */
  @Transform(toBoolean) @IsBoolean() DCR_SCHEMELESS_BASIC: boolean = true;
  /** Maximum number of clients for one software of one directory; 0 means no limit. Default: 10. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(1_000) DCR_MAX_PER_SOFTWARE: number = 10;
  /**
   * Client authentication methods that clients may register, separated by commas, in discovery's order. For FAPI only:
   * `tls_client_auth,private_key_jwt`. Default: all five.
   */
  @Matches(
    /^(?:tls_client_auth|private_key_jwt|client_secret_(?:jwt|basic|post))(?:,(?:tls_client_auth|private_key_jwt|client_secret_(?:jwt|basic|post)))*$/,
  )
  DCR_TOKEN_ENDPOINT_AUTH_METHODS: string =
    'tls_client_auth,private_key_jwt,client_secret_jwt,client_secret_basic,client_secret_post';
  /**
   * Which of `FAPI_PROFILES` clients may choose (`fapi_profile`) when they register, separated by commas. Default: the
   * first of `FAPI_PROFILES`.
   */
  @IsOptional() @Matches(fapiProfileList) DCR_FAPI_PROFILES?: string;
  /**
   * A registration without scope: `permitted` registers every scope that the software's roles allow, `refuse` refuses
   * it. Default: permitted.
   */
  @IsIn(['permitted', 'refuse']) DCR_DEFAULT_SCOPE: 'permitted' | 'refuse' = 'permitted';
  /**
   * An unknown scope in a registration: `refuse` it, or `drop` the scope and register the others (RFC 7591 section 2).
   * Default: refuse.
   */
  @IsIn(['refuse', 'drop']) DCR_UNKNOWN_SCOPE: 'refuse' | 'drop' = 'refuse';
  /** Whether registration errors also contain `error` and `error_description` (RFC 7591). Default: true. */
  @Transform(toBoolean) @IsBoolean() DCR_RFC7591_ERRORS: boolean = true;
  /** Whether `iss` of a registration request may be the software's host name. Default: false. */
  @Transform(toBoolean) @IsBoolean() DCR_ACCEPT_HOST_ISS: boolean = false;
  /**
   * Which clients get a client_secret: `always` all, `when_needed` those whose authentication uses one. Default:
   * always.
   */
  @IsIn(['always', 'when_needed']) DCR_ISSUE_SECRET: 'always' | 'when_needed' = 'always';
  /** Status for a registration body with the wrong media type; 400 has an error body. Default: 415. */
  @Transform(toInteger) @IsIn([400, 415]) DCR_UNSUPPORTED_MEDIA_TYPE_STATUS: 400 | 415 = 415;
  /** Whether a request for another client's registration gets 401, not 403. Default: false. */
  @Transform(toBoolean) @IsBoolean() DCR_HIDE_OTHER_CLIENTS: boolean = false;
  /**
   * Whether a TPP may register only with a certificate that the directory publishes (deploy/registration.md). Default:
   * false.
   */
  @Transform(toBoolean) @IsBoolean() DCR_REQUIRE_LISTED_CERTIFICATE: boolean = false;

  /**
   * Names that no client may use, separated by commas, nor names that look the same or that contain a reserved name of
   * several words. Empty: none. Default: `BANK_NAME`.
   */
  @IsOptional() @IsString() DCR_RESERVED_CLIENT_NAMES?: string;
  /**
   * For test environments only: redirect URIs on the customer's own machine (`localhost`, 127.0.0.1, [::1]) that
   * clients may register, exactly as given, separated by commas. Default: none.
   */
  @IsOptional()
  @Matches(
    /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/[^\s,#*\\]{0,200}(?:,https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/[^\s,#*\\]{0,200})*$/,
  )
  DCR_LOOPBACK_REDIRECT_URIS?: string;

  // --- bank ------------------------------------------------------------------------------------------------------
  /** The bank's name, shown to customers. */
  @IsString() BANK_NAME!: string;
  /** This bank's word in its own error codes, `UK.<word>.…`: letters and digits. Default: Bank. */
  @Matches(/^[0-9A-Za-z]{1,30}$/) BANK_ERROR_NAMESPACE: string = 'Bank';
  /** Address of the bank's API for customer authentication, accounts and payments. */
  @IsHttpsUrl() BANK_URL!: string;
  /** PEM of the CA of the bank's server. May come from a file. */
  @IsString() BANK_CA!: string;
  /** PEM of the client certificate that the service presents to the bank. May come from a file. */
  @IsString() BANK_CLIENT_CERTIFICATE!: string;
  /**
   * PEM of its private key. Secret. May come from a file.
   * @rotation with the certificate, as the bank requires; restart the instances one by one
   */
  @IsString() BANK_CLIENT_PRIVATE_KEY!: string;
  /**
   * Public JWK set (PS256, ES256) of the bank's payment hub, which may then report outcomes (deploy/file-payments.md).
   * May come from a file.
   */
  @IsOptional() @IsString() BANK_CALLBACK_KEYS?: string;
  /**
   * For a bank without challenges (deploy/bank-openapi.yaml, startChallenge) only: whether to accept one-time codes
   * that are not linked to amount and payees (SCA-RTS art. 5). Every start then records a warning. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() UNBOUND_ONE_TIME_CODES: boolean = false;
  /**
   * Whether the token endpoint asks the bank if the customer is locked or closed (deploy/bank-openapi.yaml,
   * findPsuState). If the bank does not answer, `hard` issues no token (503) and `soft` continues; `off` never asks.
   * Default: hard.
   */
  @IsIn(['hard', 'soft', 'off']) CUSTOMER_STATE_CHECK: 'hard' | 'soft' | 'off' = 'hard';
  /** Milliseconds to wait for each answer from the bank. Default: 5000. */
  @Transform(toInteger) @IsInt() @Min(100) @Max(60_000) BANK_TIMEOUT_MILLISECONDS: number = 5_000;

  // --- look of the pages -----------------------------------------------------------------------------------------
  /** The bank's logo: an SVG of at most 64 kB (deploy/pages.md). May come from a file. */
  @IsOptional() @IsString() BANK_LOGO?: string;
  /**
   * Colour of the header, buttons and links, as #rrggbb, with a contrast of 4.5 to 1 (deploy/pages.md). Default:
   * #0b3d66.
   */
  @Matches(/^#[0-9a-fA-F]{6}$/) BANK_COLOUR: string = '#0b3d66';
  /** The same in the dark scheme. By default BANK_COLOUR, lightened until it is readable. */
  @IsOptional() @Matches(/^#[0-9a-fA-F]{6}$/) BANK_COLOUR_DARK?: string;
  /** Help for customers, on every page: `0345 600 0000, Monday to Friday, 8am to 6pm`. */
  @IsOptional() @Matches(/^[^\p{Cc}<>]{1,120}$/u) BANK_HELP_LINE?: string;
  /** Address of the bank's help, on every page. */
  @IsOptional() @IsHttpsUrl() BANK_HELP_URL?: string;
  /** Address of the bank's privacy notice, on every page. */
  @IsOptional() @IsHttpsUrl() BANK_PRIVACY_URL?: string;
  /** Address of the bank's accessibility statement, on every page. */
  @IsOptional() @IsHttpsUrl() BANK_ACCESSIBILITY_URL?: string;
  /** A JSON object of English texts that replace the shipped ones (deploy/pages.md). May come from a file. */
  @IsOptional() @IsString() WORDING_EN?: string;
  /** The same for Welsh. May come from a file. */
  @IsOptional() @IsString() WORDING_CY?: string;

  // --- lifetimes -------------------------------------------------------------------------------------------------
  /** Lifetime of an access token in seconds. Default: 300. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(86_400) ACCESS_TOKEN_SECONDS: number = 300;
  /**
   * Seconds for which refresh tokens renew an approval that lasts (scopes without `payments`). Default: 7776000, 90
   * days.
   */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) REFRESH_TOKEN_SECONDS: number = 7_776_000;
  /** Lifetime of an authorization code in seconds. Default: 60. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(600) AUTHORIZATION_CODE_SECONDS: number = 60;
  /** Seconds within which the browser must present a pushed authorization request. Default: 60. */
  @Transform(toInteger) @IsInt() @Min(5) @Max(600) PUSHED_REQUEST_SECONDS: number = 60;
  /** Seconds of inactivity after which a customer's session ends (SCA-RTS art. 4(3)(d)). Default: 300. */
  @Transform(toInteger) @IsInt() @Min(10) @Max(3_600) AUTHORIZATION_IDLE_SECONDS: number = 300;
  /** Seconds after which a customer's session ends in any case. Default: 1800. */
  @Transform(toInteger) @IsInt() @Min(10) @Max(14_400) AUTHORIZATION_SESSION_SECONDS: number = 1_800;
  /**
   * Whether customers authenticate with both factors before they see anything, for banks that show balances or must not
   * list accounts after the password alone. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() BOTH_FACTORS_FIRST: boolean = false;
  /** Seconds for which a file payment waits for further approvers. Default: 604800, seven days. */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) APPROVAL_SECONDS: number = 604_800;
  /** Seconds after which a consent that has not progressed becomes Rejected. Default: 86400. */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) CONSENT_EXPIRY_SECONDS: number = 86_400;
  /** Seconds without progress after which another worker may take a file payment. Default: 15. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_600) PAYMENT_LEASE_SECONDS: number = 15;
  /**
   * Answers outside the bank's API (not outages and refusals) after which a file payment is held for a person. Default:
   * 10.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(1_000) PAYMENT_FAULT_LIMIT: number = 10;
  /**
   * Whether a second person must confirm `payments reject`, `payments conclude`, and `payments stop` and `resume` with
   * `--all` (deploy/file-payments.md). Each operator needs a database account. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() OPERATOR_FOUR_EYES: boolean = false;
  /**
   * Days after its execution until a payment without a final status is held for a person; allow for BACS and holidays.
   * Default: 10.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(366) PAYMENT_SETTLEMENT_DAYS: number = 10;
  /** Seconds between two rounds of reconciliation (deploy/file-payments.md). 0: never. Default: 300. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(86_400) RECONCILIATION_SECONDS: number = 300;
  /**
   * Seconds after the last change of a file payment's status until it is compared with the bank's book. Default: 60.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(86_400) RECONCILIATION_DELAY_SECONDS: number = 60;
  /**
   * Days after the end of a consent until the personal data in it, its file and its payments is erased
   * (deploy/retention.md). 0: never. Default: 2555, seven years.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(36_500) FILE_RETENTION_DAYS: number = 2_555;
  /**
   * Days after the end of an account access consent until its accounts are erased (deploy/retention.md). 0: never.
   * Default: 2555, seven years.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(36_500) ACCESS_CONSENT_RETENTION_DAYS: number = 2_555;
  /** Seconds for which an idempotency key is valid. Default: 86400. */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) IDEMPOTENCY_RETENTION_SECONDS: number = 86_400;

  /** Seconds between two rounds of housekeeping. Default: 30. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_600) HOUSEKEEPING_SECONDS: number = 30;
  /** Seconds between two seals of the audit trail. Default: 5. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(300) AUDIT_SEAL_SECONDS: number = 5;
  /** Days after which audit events are erased, at least a year. 0 keeps them. Default: 2555, seven years. */
  @Transform(toInteger) @IsInt() @IsRetention() AUDIT_RETENTION_DAYS: number = 2_555;

  // --- events ----------------------------------------------------------------------------------------------------
  /** Address to which the worker posts events (deploy/file-payments.md). Without it, they are only stored. */
  @IsOptional() @IsHttpsUrl() EVENT_WEBHOOK_URL?: string;
  /** PEM of the CA of that address; by default the system's CAs. May come from a file. */
  @IsOptional() @IsString() EVENT_WEBHOOK_CA?: string;
  /** Days after which events are deleted, even if undelivered. Default: 30. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_650) EVENT_RETENTION_DAYS: number = 30;

  // --- fair usage ------------------------------------------------------------------------------------------------
  /** Length in seconds of the window in which requests are counted. Default: 10. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_600) RATE_LIMIT_WINDOW_SECONDS: number = 10;
  /**
   * Requests from one client that each process accepts per window; 0: no limit. Divide the limit that you want by the
   * number of instances. Callers without a certificate count by address. Default: 600.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) RATE_LIMIT_PER_CLIENT: number = 600;
  /**
   * Requests and new connections from one address (IPv6: its /64) that each process accepts per window; 0: no limit.
   * Does not apply to INGRESS_ADDRESSES or behind an ingress that ends TLS. Default: 1200.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) RATE_LIMIT_PER_ADDRESS: number = 1_200;

  /**
   * Passwords and one-time codes that each process accepts from one address (IPv6: its /64) per minute; 0: no limit.
   * Does not apply to INGRESS_ADDRESSES: an ingress that ends TLS must set its own limit. Default: 30.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) SIGN_INS_PER_ADDRESS: number = 30;
  /** Passwords that each process accepts for one user name per minute, from any address; 0: no limit. Default: 10. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) SIGN_INS_PER_USER_NAME: number = 10;
  /**
   * Passwords that all processes together accept in one journey; then it ends, but the consent remains. 0: no limit.
   * Default: 10.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) SIGN_INS_PER_SESSION: number = 10;
  /**
   * Passwords and one-time codes that each process accepts per minute from all customers, the last defence against an
   * attacker with many networks: a few times your busiest minute. Sign-ins at /approvals count separately. 0: no limit.
   * Default: 1200.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(1_000_000) SIGN_INS_PER_MINUTE: number = 1_200;

  // --- policies --------------------------------------------------------------------------------------------------
  /**
   * Certificate subjects (RFC 4514, separated by `|`) of the bank's own resource servers that may introspect tokens
   * (RFC 7662). Without this setting there is no introspection.
   */
  @IsOptional() @IsString() INTROSPECTION_CLIENT_SUBJECTS?: string;
  /**
   * PEM of the CAs of these certificates: the bank's own, never those of TPPs, who choose their subjects. Needed with
   * INTROSPECTION_CLIENT_SUBJECTS. May come from a file.
   */
  @IsOptional() @IsString() INTROSPECTION_TRUST_ANCHORS?: string;
  /** Whether customers may authorise scopes without `payments` without an intent id. Default: false. */
  @Transform(toBoolean) @IsBoolean() ALLOW_AUTHORIZATION_WITHOUT_INTENT: boolean = false;
  /**
   * Whether to refuse to start with a setting that weakens the security profile. The log and `open_banking_weakened`
   * name such settings. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() STRICT: boolean = false;
  /**
   * FAPI profiles that clients may have, separated by commas: `fapi1-advanced` (the UK profile), `fapi2-security`
   * (pushed requests), `fapi2-message-signing` (pushed and signed). The first one is that of clients without an
   * assigned profile. Default: fapi1-advanced.
   */
  @Matches(fapiProfileList) FAPI_PROFILES: string = 'fapi1-advanced';
  /**
   * What `response_type=code` of a FAPI 1.0 client needs: `jarm-only` a JWT response mode (FAPI 1.0 Advanced,
   * s5.2.2-2), `refuse` that or PKCE, `allow` neither. Default: refuse.
   */
  @IsIn(['allow', 'refuse', 'jarm-only']) PLAIN_CODE_FLOW: 'allow' | 'refuse' | 'jarm-only' = 'refuse';
  /**
   * Accepted `aud` of client assertions: `endpoints` the issuer, the token endpoint and the PAR endpoint; `issuer` only
   * the issuer (RFC 10070). Default: endpoints.
   */
  @IsIn(['endpoints', 'issuer']) CLIENT_ASSERTION_AUDIENCE: 'endpoints' | 'issuer' = 'endpoints';
  /**
   * Whether each use replaces the refresh token. `always` detects reuse, but a client that loses an answer loses its
   * grant. Default: never.
   */
  @IsIn(['never', 'always']) REFRESH_TOKEN_ROTATION: 'never' | 'always' = 'never';
  /**
   * A client_credentials request without scope: `registered` grants all registered scopes, `refuse` refuses it.
   * Default: registered.
   */
  @IsIn(['registered', 'refuse']) DEFAULT_SCOPE: 'registered' | 'refuse' = 'registered';
  /**
   * Which token POST /file-payments accepts: `psu_only` that of the customer's approval (the standard), `client_only`
   * that of the client, or `either`. Default: either.
   */
  @IsIn(['either', 'psu_only', 'client_only'])
  FILE_PAYMENT_TOKEN_MODE: 'either' | 'psu_only' | 'client_only' = 'either';
  /** Whether a file that contradicts its consent makes the consent Rejected. Default: true. */
  @Transform(toBoolean) @IsBoolean() REJECT_CONSENT_ON_FILE_MISMATCH: boolean = true;
  /** Charge in GBP for a file of CHAPS payments, as a decimal. */
  @IsOptional() @Matches(/^\d{1,13}\.\d{2}$/) CHAPS_CHARGE?: string;
  /**
   * Whether the bank pays to wallets (`UK.OBIE.Wallet` as the scheme of `CreditorAccount`). Otherwise such files are
   * refused. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() PAY_TO_WALLETS: boolean = false;
  /**
   * Most in GBP that one payment of a type may have, separated by commas; a type that is not named has no limit. A file with a payment above
   * it is refused. Default: FPS=1000000.00,BACS=20000000.00.
   */
  @Matches(/^(?:(?:FPS|BACS|CHAPS|BalanceTransfer)=\d{1,13}\.\d{2}(?:,(?!$)|$))*$/)
  PAYMENT_LIMITS: string = 'FPS=1000000.00,BACS=20000000.00';
  /**
   * Cut-off times of payment types in London time, separated by commas: `BACS=16:00,CHAPS=17:40,FPS=23:30/daily`
   * (deploy/file-payments.md).
   */
  @Matches(/^(?:(?:FPS|BACS|CHAPS|BalanceTransfer)=(?:[01]\d|2[0-3]):[0-5]\d(?:\/daily)?(?:,(?!$)|$))*$/)
  CUT_OFF_TIMES: string = '';
  /**
   * Payments after the cut-off: `accept` makes them on the scheme's next day, `reject` refuses them. Default: accept.
   */
  @IsIn(['accept', 'reject']) CUT_OFF_STRATEGY: 'accept' | 'reject' = 'accept';
  /** Days besides weekends on which schemes do not run: `YYYY-MM-DD`, separated by commas. */
  @Matches(/^(?:\d{4}-\d{2}-\d{2}(?:,(?!$)|$))*$/) BANK_HOLIDAYS: string = '';
  /** Log level: fatal, error, warn, info, debug or silent. Default: info. */
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'silent']) LOG_LEVEL: string = 'info';
  /** File to which the log is appended, instead of standard output. */
  @IsOptional() @IsString() LOG_FILE?: string;
}
