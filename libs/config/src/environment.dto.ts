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

/** `id:hex,…`, 32 octets or more each */
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

  /**
   * Further host names that the service accepts, besides those of the three addresses above, separated by commas.
   * Requests for any other host get 421.
   */
  @IsOptional() @Matches(/^[0-9A-Za-z.:[\]-]+(?:,[0-9A-Za-z.:[\]-]+)*$/) ADDITIONAL_HOSTS?: string;
  /**
   * Maximum requests that one process handles at a time, each from when its body is there. Further requests get 503 and
   * Retry-After; a quarter is kept for callers with a certificate or a session. One address (IPv6: its /64) may use a
   * quarter of them; beyond that it gets 429. The quarter does not apply with RATE_LIMIT_PER_ADDRESS=0, to
   * INGRESS_ADDRESSES, or behind an ingress that ends TLS. Default: 256.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(100_000) MAX_CONCURRENT_REQUESTS: number = 256;
  /**
   * Maximum connections of one process, about 55 kB each. Beyond it the process closes the connection that has been
   * idle longest or, if none is idle, the new one. One address may hold a quarter of them, with the same exceptions as
   * for requests. Default: 2000.
   */
  @Transform(toInteger) @IsInt() @Min(4) @Max(100_000) MAX_CONNECTIONS: number = 2_000;
  /**
   * Seconds for which a stopping process reports itself as not ready but keeps serving, so that load balancers stop
   * using it before it refuses connections. It ends within ten seconds in all. Default: 2.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(2) SHUTDOWN_DRAIN_SECONDS: number = 2;

  // --- administration --------------------------------------------------------------------------------------------
  /**
   * Address on which each process serves `/metrics`, `/health/live` and `/health/ready` to operators, on its
   * administration port. Default: 127.0.0.1.
   */
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
   * of requests and statements; the OpenTelemetry library reads its other OTEL_ variables itself. Without both, the
   * library is not loaded.
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
   * postgres:// URL. It may list the primary and standbys of one database, separated by commas
   * (`postgres://user:password@first:5432,second:5432/name`); the process finds the one that accepts writes. Secret.
   * May come from a file.
   */
  @IsPostgresUrl() DATABASE_URL!: string;
  /**
   * TLS to PostgreSQL. `verify-full`: DATABASE_URL and DATABASE_REPLICA_URL must contain `sslmode=verify-full`, so that the server's
   * certificate proves that it is the host in the URL; `sslrootcert=<file>` names the CA if the system does not
   * trust it. `any`: as DATABASE_URL says, possibly without TLS. Default: verify-full.
   */
  @IsIn(['verify-full', 'any']) DATABASE_TLS: 'verify-full' | 'any' = 'verify-full';
  /**
   * postgres:// URL of one streaming replica of the database. Report files and operators' lists are read there while it keeps up, and on the
   * primary otherwise; what they show is at most a second old. Not with DATABASE_DISTRIBUTED. Secret. May come from a file.
   */
  @IsOptional() @IsPostgresUrl() DATABASE_REPLICA_URL?: string;
  /** Maximum connections of one process. Default: 10. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(200) DATABASE_POOL_SIZE: number = 10;
  /**
   * Whether to use named prepared statements. Set it to false behind a pooler in transaction mode that does not track
   * them (PgBouncer before 1.21, or without max_prepared_statements). Default: true.
   */
  @Transform(toBoolean) @IsBoolean() DATABASE_PREPARED_STATEMENTS: boolean = true;
  /**
   * Whether rows are distributed by client over several servers, as `npm run migrate -- distribute` lays them out on Citus. Every process
   * has the same value.
   */
  @Transform(toBoolean) @IsBoolean() DATABASE_DISTRIBUTED: boolean = false;

  /**
   * Seconds for which a statement waits for a locked table or row. After that the request gets 503 and Retry-After,
   * and the worker tries again later. 0 means the limit of every statement, 15 seconds. Default: 3.
   */
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
   * Where the service reads the TPP's certificate: `tls` (from the connection: TLS ends here), or from a header that
   * the ingress sets: `client-cert` (RFC 9440), `nginx` (ssl-client-cert) or `envoy` (x-forwarded-client-cert).
   * Default: tls.
   */
  @IsIn(['tls', 'client-cert', 'nginx', 'envoy'])
  CLIENT_CERTIFICATE_SOURCE: 'tls' | 'client-cert' | 'nginx' | 'envoy' = 'tls';
  /**
   * Source addresses or CIDR ranges of the ingress, separated by commas, as narrow as possible. Needed unless
   * CLIENT_CERTIFICATE_SOURCE is tls, and with PROXY_PROTOCOL. No limit per address applies to them, because all
   * callers behind the ingress share them.
   */
  @IsOptional() @IsAddressList() INGRESS_ADDRESSES?: string;
  /**
   * Whether a pass-through ingress sends client addresses (PROXY protocol, version 1 or 2). If so, every connection
   * must come from INGRESS_ADDRESSES and begin with a PROXY header; the service closes any other. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() PROXY_PROTOCOL: boolean = false;
  /**
   * PEM of the CA that issues the ingress's own client certificate. Needed unless CLIENT_CERTIFICATE_SOURCE is tls.
   * May come from a file.
   */
  @IsOptional() @IsString() INGRESS_TRUST_ANCHORS?: string;

  // --- signing ---------------------------------------------------------------------------------------------------
  /**
   * `jwks_uri` in discovery, if TPPs fetch the bank's public keys from another address than `AUTH_URL` +
   * `/oauth2/jwks`, for example from the directory's key store. That host must publish each key of the service before
   * the key signs.
   */
  @IsOptional() @Matches(/^https:\/\/[^\s?#]{1,2000}$/) JWKS_URI?: string;
  /**
   * Private JWK set of the bank; signs ID tokens and responses. The first PS256 key is the current one. Secret. May
   * come from a file.
   * @rotation `npm run keys`: next, current, retired, without downtime
   */
  @IsString() SIGNING_KEYS!: string;
  /**
   * Address of a signing service that holds private keys of SIGNING_KEYS, with the API of the transit engine of
   * Vault and OpenBao: `https://vault.bank.example/v1/transit`. Such a key has `transit` (`<name>:<version>`)
   * instead of its private members. Default: none.
   */
  @IsOptional() @IsHttpsUrl() SIGNING_SERVICE_URL?: string;
  /**
   * Token for the signing service; it should allow signing with those keys and nothing else. Needed with
   * SIGNING_SERVICE_URL. Secret. May come from a file.
   * @rotation as the signing service requires; restart the instances one by one
   */
  @IsOptional() @IsString() SIGNING_SERVICE_TOKEN?: string;
  /** PEM of the CA of the signing service; by default the system's CAs. May come from a file. */
  @IsOptional() @IsString() SIGNING_SERVICE_CA?: string;
  /** The bank's id at the Open Banking directory, 18 letters and digits: `iss` of response signatures. */
  @Matches(/^[0-9A-Za-z]{18}$/) ORGANISATION_ID!: string;
  /** Trust anchor named in response signatures. Default: openbanking.org.uk. */
  @IsString() SIGNATURE_TRUST_ANCHOR: string = 'openbanking.org.uk';
  /** Form of response signatures: `b64-false` (3.1.2, 3.1.3) or `b64-absent` (3.1.4 and later). Default: b64-false. */
  @IsIn(['b64-false', 'b64-absent']) RESPONSE_SIGNATURE_FORM: 'b64-false' | 'b64-absent' = 'b64-false';

  /**
   * What to do with a POST whose x-jws-signature is missing or invalid: `enforce` refuses it, `log` accepts it and
   * logs a warning (the waiver for signatures in 3.1 to 3.1.3). Default: enforce.
   */
  @IsIn(['enforce', 'log']) REQUEST_SIGNATURE_VERIFICATION: 'enforce' | 'log' = 'enforce';

  /**
   * Maximum age of an x-jws-signature in seconds, for each version of the Read/Write API, separated by commas. A
   * version that is not listed accepts any age. Clients may retry a request with the same signature for a day.
   * Default: v4.0=86400.
   */
  @Matches(/^(?:v\d\.\d=\d{1,8}(?:,(?!$)|$))*$/) REQUEST_SIGNATURE_MAX_AGE_SECONDS: string = 'v4.0=86400';
  /**
   * Versions of the Read/Write API to serve, separated by commas: `3.1`, `4.0` or both. Paths of other versions get
   * 404. Default: 3.1,4.0.
   */
  @Matches(/^(?:3\.1|4\.0|3\.1,4\.0|4\.0,3\.1)$/) READ_WRITE_VERSIONS: string = '3.1,4.0';
  /** Whether consents and file payments show the debtor account once it is known (`Data.Debtor`). Default: false. */
  @Transform(toBoolean) @IsBoolean() SHOW_DEBTOR: boolean = false;

  // --- secrets ---------------------------------------------------------------------------------------------------
  /**
   * Keys of the hashes of client secrets: `id:64 or more hex digits`, separated by commas. The first one hashes, all
   * of them verify (deploy/keys.md). One may have no id, as in earlier versions. Secret. May come from a file.
   * @rotation `npm run keys -- secrets`; a hash is renewed when its client manages its registration with the secret, or gets a new secret
   */
  @Matches(namedKeys) CLIENT_SECRET_PEPPER!: string;
  /**
   * AES-256 keys for the secrets of client_secret_jwt clients: `id:64 hex digits`, separated by commas. The first
   * one encrypts, all of them decrypt. Secret. May come from a file.
   * @rotation `npm run keys -- secrets`, then `npm run operator -- secrets re-encrypt`
   */
  @Matches(/^[0-9A-Za-z_-]+:[0-9a-f]{64}(?:,[0-9A-Za-z_-]+:[0-9a-f]{64})*$/i) CLIENT_SECRET_ENCRYPTION_KEYS!: string;
  /**
   * Key of the pairwise subject identifiers: `id:64 or more hex digits`, or without an id. Must never change.
   * Secret. May come from a file.
   * @rotation never: every customer would get a new identifier at every TPP
   */
  @Matches(/^(?:[0-9A-Za-z_-]+:)?(?:[0-9a-f]{2}){32,}$/i) PAIRWISE_SUBJECT_KEY!: string;
  /**
   * Keys from which the next value of a customer's session cookie and its authorization code are derived: `id:64 or
   * more hex digits`, separated by commas. The first one derives new values, all of them recognise derived values
   * (deploy/keys.md). Secret. May come from a file.
   * @rotation `npm run keys -- secrets`; remove the old key once the longest session has ended
   */
  @Matches(namedKeys) SESSION_KEYS!: string;
  /**
   * Keys of the digests by which the audit trail tells which accounts a customer agreed to: `id:64 or more hex digits`,
   * separated by commas. The first one is used. Without any, the trail has no such digests. Secret. May come from a
   * file.
   * @rotation `npm run keys -- secrets`; keep old keys elsewhere as long as the trail: nobody can check digests without
   */
  @IsOptional() @Matches(namedKeys) AUDIT_DIGEST_KEYS?: string;

  // --- directory -------------------------------------------------------------------------------------------------
  /** `iss` of trusted software statements. */
  @IsString() DIRECTORY_ISSUER!: string;
  /** Address of the directory's own key set. */
  @IsHttpsUrl() DIRECTORY_JWKS_URI!: string;
  /** Hosts (host or host:port) from which the service may fetch TPPs' key sets, separated by commas. */
  @IsString() DIRECTORY_KEY_HOSTS!: string;
  /** PEM of the CA of the directory's servers; by default the system's CAs. May come from a file. */
  @IsOptional() @IsString() DIRECTORY_CA?: string;
  /** Whether the service may fetch key sets and revocation lists from private or loopback addresses. Default: false. */
  @Transform(toBoolean) @IsBoolean() DIRECTORY_ALLOW_PRIVATE_ADDRESSES: boolean = false;
  /** Maximum age of a software statement in seconds; 0 means no limit. Default: 1800. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(31_536_000) SOFTWARE_STATEMENT_MAX_AGE_SECONDS: number = 1_800;
  /** Accepted values of `software_environment`, separated by commas. Default: production. */
  @IsString() SOFTWARE_ENVIRONMENTS: string = 'production';

  /**
   * More directories: a JSON array of objects with `issuer`, `jwks_uri`, `key_hosts` (array) and, if they differ
   * from the first directory's, `ca` (PEM), `environments` (array) and `client_trust_anchors` (PEM; the directory's
   * software may use only certificates under these, and no other software may). May come from a file.
   */
  @IsOptional() @IsString() FURTHER_DIRECTORIES?: string;
  /**
   * Interval in seconds at which the service reads the sets of revoked keys named in software statements
   * (`software_jwks_revoked_endpoint`) again. It refuses these keys. 0 means never. Default: 86400.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(604_800) REVOKED_KEYS_SECONDS: number = 86_400;
  /** Whether the Crown Dependencies' roles CD_AISP and CD_CBPII allow what AISP and CBPII allow. Default: false. */
  @Transform(toBoolean) @IsBoolean() CROWN_DEPENDENCY_ROLES: boolean = false;

  // --- revocation ------------------------------------------------------------------------------------------------
  /**
   * Whether the service checks with CAs that a TPP's certificate is not revoked: `off`, `soft` (accepts a
   * certificate while its status is unavailable) or `hard` (refuses it). Default: soft.
   */
  @IsIn(['off', 'soft', 'hard']) CLIENT_CERTIFICATE_REVOCATION: 'off' | 'soft' | 'hard' = 'soft';
  /** Sources for the revocation check, in order: `crl,ocsp`, `ocsp,crl`, `crl` or `ocsp`. Default: crl,ocsp. */
  @IsIn(['crl,ocsp', 'ocsp,crl', 'crl', 'ocsp']) CLIENT_CERTIFICATE_REVOCATION_SOURCES: string = 'crl,ocsp';
  /** Addresses of revocation lists besides those named in certificates, separated by commas. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s,]+(?:,https?:\/\/[^\s,]+)*$/)
  CLIENT_CERTIFICATE_REVOCATION_LISTS?: string;
  /**
   * Seconds after which the service renews a revocation list or OCSP answer; it never uses one after its nextUpdate.
   * Default: 600.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(86_400) CLIENT_CERTIFICATE_REVOCATION_CACHE_SECONDS: number = 600;

  // --- egress ----------------------------------------------------------------------------------------------------
  /**
   * http:// address of a proxy for all requests to directories and CAs (key sets, revocation), with user and
   * password if the proxy needs them. By default connections are direct. Secret. May come from a file.
   */
  @IsOptional() @Matches(/^http:\/\/[^/?#]+\/?$/) EGRESS_PROXY_URL?: string;

  // --- registration ----------------------------------------------------------------------------------------------
  /**
   * Whether a client may manage its registration with its secret (Basic) as well as with an access token. Default:
   * true.
   */
  @Transform(toBoolean) @IsBoolean() DCR_MANAGEMENT_BASIC: boolean = true;
  /** Whether the Base64 of `ClientID:ClientSecret` is accepted without the word Basic before it. Default: true. */
  @Transform(toBoolean) @IsBoolean() DCR_SCHEMELESS_BASIC: boolean = true;
  /** Maximum number of clients for one software of one directory; 0 means no limit. Default: 10. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(1_000) DCR_MAX_PER_SOFTWARE: number = 10;
  /**
   * Client authentication methods that clients may register, separated by commas, in the order of preference shown
   * in discovery. For FAPI only: `tls_client_auth,private_key_jwt`. Default: all five.
   */
  @Matches(
    /^(?:tls_client_auth|private_key_jwt|client_secret_(?:jwt|basic|post))(?:,(?:tls_client_auth|private_key_jwt|client_secret_(?:jwt|basic|post)))*$/,
  )
  DCR_TOKEN_ENDPOINT_AUTH_METHODS: string =
    'tls_client_auth,private_key_jwt,client_secret_jwt,client_secret_basic,client_secret_post';
  /**
   * Which of `FAPI_PROFILES` clients may choose with `fapi_profile` when they register, separated by commas. An operator
   * can assign any of `FAPI_PROFILES` to a client. Default: the first of `FAPI_PROFILES`.
   */
  @IsOptional() @Matches(fapiProfileList) DCR_FAPI_PROFILES?: string;
  /**
   * What to do with a registration without scope: `permitted` registers every scope that the roles in the software
   * statement allow, `refuse` answers with an error. Default: permitted.
   */
  @IsIn(['permitted', 'refuse']) DCR_DEFAULT_SCOPE: 'permitted' | 'refuse' = 'permitted';
  /**
   * What to do with a registration with an unknown scope: `refuse` answers with an error, `drop` registers the other
   * scopes, which the answer shows (RFC 7591 section 2). A known scope that the roles in the software statement do not
   * allow is always refused. Default: refuse.
   */
  @IsIn(['refuse', 'drop']) DCR_UNKNOWN_SCOPE: 'refuse' | 'drop' = 'refuse';
  /**
   * Whether registration errors contain `error` and `error_description` (RFC 7591) in addition to OBErrorResponse1.
   * Default: true.
   */
  @Transform(toBoolean) @IsBoolean() DCR_RFC7591_ERRORS: boolean = true;
  /**
   * Whether `iss` of a registration request may be the software's host name instead of its software_id. Default:
   * false.
   */
  @Transform(toBoolean) @IsBoolean() DCR_ACCEPT_HOST_ISS: boolean = false;
  /**
   * Which clients get a client_secret: `always` every client, `when_needed` only those whose authentication method
   * uses one. Default: always.
   */
  @IsIn(['always', 'when_needed']) DCR_ISSUE_SECRET: 'always' | 'when_needed' = 'always';
  /** Status for a registration body with the wrong media type: 415, or 400 with an error body. Default: 415. */
  @Transform(toInteger) @IsIn([400, 415]) DCR_UNSUPPORTED_MEDIA_TYPE_STATUS: 400 | 415 = 415;
  /**
   * Whether a request for another client's registration gets 401, as for an unknown client, instead of 403. Default:
   * false.
   */
  @Transform(toBoolean) @IsBoolean() DCR_HIDE_OTHER_CLIENTS: boolean = false;
  /**
   * Whether a TPP may register only with a certificate that the directory publishes as `x5c` of a key with the use
   * `tls`, in the key set of its software or organisation. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() DCR_REQUIRE_LISTED_CERTIFICATE: boolean = false;

  /**
   * Names that no client may use, separated by commas. The service also refuses names that look the same: it ignores
   * accents, case and spaces, and recognises look-alike letters of other scripts. A reserved name of several words may
   * not occur within a longer name either. An empty value reserves no name. Default: `BANK_NAME`.
   */
  @IsOptional() @IsString() DCR_RESERVED_CLIENT_NAMES?: string;
  /**
   * Redirect URIs on the customer's own machine (`localhost`, 127.0.0.1, [::1]) that clients may register, exactly
   * as given, separated by commas; they may use plain HTTP (RFC 8252 s7.3). For test environments only. Default:
   * none.
   */
  @IsOptional()
  @Matches(
    /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/[^\s,#*\\]{0,200}(?:,https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/[^\s,#*\\]{0,200})*$/,
  )
  DCR_LOOPBACK_REDIRECT_URIS?: string;

  // --- bank ------------------------------------------------------------------------------------------------------
  /** The bank's name, shown to customers. */
  @IsString() BANK_NAME!: string;
  /** The word for this bank in the error codes of its own, `UK.<word>.…`: letters and digits. Default: Bank. */
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
   * Public JWK set (PS256, ES256) of the bank's payment hub. It enables the hub to report the outcome of payments
   * (deploy/bank-openapi.yaml, paymentOutcomes). May come from a file.
   */
  @IsOptional() @IsString() BANK_CALLBACK_KEYS?: string;
  /**
   * Only for a bank without challenges (deploy/bank-openapi.yaml, startChallenge): whether the service accepts
   * one-time codes that nothing links to the amount and the payees (SCA-RTS art. 5). Every start then records a
   * warning in the log and the audit trail. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() UNBOUND_ONE_TIME_CODES: boolean = false;
  /**
   * Whether the token endpoint asks the bank, at each use of a code or refresh token, if the customer is locked or
   * closed (deploy/bank-openapi.yaml, findPsuState). If the bank does not answer, `hard` issues no token (503
   * `temporarily_unavailable`) and `soft` continues. `off` does not ask, for a bank without this operation; the token
   * app then needs no connection to the bank. Default: hard.
   */
  @IsIn(['hard', 'soft', 'off']) CUSTOMER_STATE_CHECK: 'hard' | 'soft' | 'off' = 'hard';
  /** Milliseconds to wait for each answer from the bank. Default: 5000. */
  @Transform(toInteger) @IsInt() @Min(100) @Max(60_000) BANK_TIMEOUT_MILLISECONDS: number = 5_000;

  // --- look of the pages -----------------------------------------------------------------------------------------
  /**
   * The bank's logo, shown beside its name on BANK_COLOUR: an SVG of at most 64 kB without scripts, event handlers,
   * foreignObject or references to anything outside it (deploy/pages.md). May come from a file.
   */
  @IsOptional() @IsString() BANK_LOGO?: string;
  /**
   * Colour of the header, buttons and links, as #rrggbb. Its contrast with white text and with the pages' grey must
   * be at least 4.5 to 1; otherwise the service does not start. Default: #0b3d66.
   */
  @Matches(/^#[0-9a-fA-F]{6}$/) BANK_COLOUR: string = '#0b3d66';
  /**
   * Colour of buttons and links in the dark scheme, as #rrggbb. Its contrast with the dark pages must be at least
   * 4.5 to 1. By default BANK_COLOUR, lightened until it is readable.
   */
  @IsOptional() @Matches(/^#[0-9a-fA-F]{6}$/) BANK_COLOUR_DARK?: string;
  /** How customers can get help, shown on every page: `0345 600 0000, Monday to Friday, 8am to 6pm`. */
  @IsOptional() @Matches(/^[^\p{Cc}<>]{1,120}$/u) BANK_HELP_LINE?: string;
  /** Address of the bank's help for these pages; every page links to it. */
  @IsOptional() @IsHttpsUrl() BANK_HELP_URL?: string;
  /** Address of the bank's privacy notice; every page links to it. */
  @IsOptional() @IsHttpsUrl() BANK_PRIVACY_URL?: string;
  /** Address of the bank's accessibility statement; every page links to it. */
  @IsOptional() @IsHttpsUrl() BANK_ACCESSIBILITY_URL?: string;
  /**
   * A JSON object of English texts that replace the shipped ones (deploy/pages.md). With an unknown key, or a text
   * that omits a value, the service does not start. May come from a file.
   */
  @IsOptional() @IsString() WORDING_EN?: string;
  /** The same for Welsh. May come from a file. */
  @IsOptional() @IsString() WORDING_CY?: string;

  // --- lifetimes -------------------------------------------------------------------------------------------------
  /** Lifetime of an access token in seconds. Default: 300. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(86_400) ACCESS_TOKEN_SECONDS: number = 300;
  /**
   * Seconds for which refresh tokens can renew a lasting approval (scopes without `payments`, for clients that
   * registered the grant); see REFRESH_TOKEN_ROTATION. Default: 7776000, 90 days.
   */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) REFRESH_TOKEN_SECONDS: number = 7_776_000;
  /** Lifetime of an authorization code in seconds. Default: 60. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(600) AUTHORIZATION_CODE_SECONDS: number = 60;
  /** Seconds within which the browser must present a pushed authorization request. Default: 60. */
  @Transform(toInteger) @IsInt() @Min(5) @Max(600) PUSHED_REQUEST_SECONDS: number = 60;
  /**
   * Seconds of inactivity (no page opened, no button pressed) after which a customer's session ends (SCA-RTS art.
   * 4(3)(d)). Default: 300.
   */
  @Transform(toInteger) @IsInt() @Min(10) @Max(3_600) AUTHORIZATION_IDLE_SECONDS: number = 300;
  /** Seconds after which a customer's session ends even if the customer is active. Default: 1800. */
  @Transform(toInteger) @IsInt() @Min(10) @Max(14_400) AUTHORIZATION_SESSION_SECONDS: number = 1_800;
  /**
   * Whether customers authenticate with both factors before they see anything, for banks that show balances or must
   * not list accounts after the password alone. Customers confirm the approval in either case. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() BOTH_FACTORS_FIRST: boolean = false;
  /**
   * Seconds for which a file payment may wait for the further approvers of its account. Default: 604800, seven days.
   */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) APPROVAL_SECONDS: number = 604_800;
  /** Seconds after which a consent that has not progressed becomes Rejected. Default: 86400. */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) CONSENT_EXPIRY_SECONDS: number = 86_400;
  /**
   * Seconds for which a worker keeps a file payment without progress before another worker may take it. Default: 15.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_600) PAYMENT_LEASE_SECONDS: number = 15;
  /**
   * Number of attempts that end with an answer outside the bank's API (outages and refusals do not count) before the
   * file payment is held for a person. The pause between attempts grows to a minute. Default: 10.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(1_000) PAYMENT_FAULT_LIMIT: number = 10;
  /**
   * Whether a second person must confirm (`payments confirm`) the operator commands with a final or global effect on
   * payments: `payments reject`, `payments conclude`, and `payments stop` and `resume` with `--all`. The database account
   * says who a person is, so each operator needs one. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() OPERATOR_FOUR_EYES: boolean = false;
  /**
   * Days after its execution within which a payment must reach its final status; allow for BACS and holidays. After
   * that it is held for a person. Default: 10.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(366) PAYMENT_SETTLEMENT_DAYS: number = 10;
  /**
   * Seconds between two rounds of reconciliation (deploy/file-payments.md). 0 disables reconciliation. Default: 300.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(86_400) RECONCILIATION_SECONDS: number = 300;
  /**
   * Seconds after the last status change of a file payment or its payments before the worker compares it with the
   * bank's book. Default: 60.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(86_400) RECONCILIATION_DELAY_SECONDS: number = 60;
  /**
   * Days after the end of a consent before the personal data in the consent, its file and its payments is erased, and
   * not before all its payments are final. Totals, ids and statuses remain (deploy/retention.md). 0 keeps the data.
   * Default: 2555, seven years.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(36_500) FILE_RETENTION_DAYS: number = 2_555;
  /**
   * Days after the end of an account access consent before its accounts are erased. Ids, permissions, statuses and
   * times remain (deploy/retention.md). 0 keeps the accounts. Default: 2555, seven years.
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
  /**
   * Address to which the worker posts events on consents and file payments (deploy/file-payments.md). Without it, events
   * are only stored.
   */
  @IsOptional() @IsHttpsUrl() EVENT_WEBHOOK_URL?: string;
  /** PEM of the CA of that address; by default the system's CAs. May come from a file. */
  @IsOptional() @IsString() EVENT_WEBHOOK_CA?: string;
  /** Days after which events are deleted, even if undelivered. Default: 30. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_650) EVENT_RETENTION_DAYS: number = 30;

  // --- fair usage ------------------------------------------------------------------------------------------------
  /** Length in seconds of the window in which requests are counted. Default: 10. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_600) RATE_LIMIT_WINDOW_SECONDS: number = 10;
  /**
   * Requests from one client that each process accepts per window; 0 means no limit. n instances of an app accept up to
   * n times as many: for a limit of them all, set that limit divided by n. Callers without a certificate are counted by
   * address, unless RATE_LIMIT_PER_ADDRESS is 0. Default: 600.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) RATE_LIMIT_PER_CLIENT: number = 600;
  /**
   * Requests and new connections from one address (IPv6: its /64) that each process accepts per window; 0 means no
   * limit. INGRESS_ADDRESSES, and callers behind an ingress that ends TLS, are not counted. Default: 1200.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) RATE_LIMIT_PER_ADDRESS: number = 1_200;

  /**
   * Passwords and one-time codes, right or wrong, that each process accepts from one address (IPv6: its /64) per
   * minute; 0 means no limit. This keeps strangers from locking many customers' accounts. INGRESS_ADDRESSES are not
   * counted: an ingress that ends TLS must set its own limit. Default: 30.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) SIGN_INS_PER_ADDRESS: number = 30;
  /**
   * Passwords, right or wrong, that each process accepts for one user name per minute; 0 means no limit. This slows
   * down attackers who guess one customer's password from many networks. The process stores only a keyed hash of the
   * name. Default: 10.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) SIGN_INS_PER_USER_NAME: number = 10;
  /**
   * Passwords that all processes together accept in one journey, whatever the user name; 0 means no limit. At the
   * limit the journey ends, but the consent remains. Default: 10.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) SIGN_INS_PER_SESSION: number = 10;
  /**
   * Passwords and one-time codes that each process accepts per minute, across all customers; 0 means no limit. Only
   * forms that the service's own pages send within a session count. Sign-ins at /approvals, where anybody can get a
   * session, count separately, so that they cannot lock out other customers. This is the last defence against an
   * attacker with many networks and user names: set it to a few times your busiest minute. Default: 1200.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(1_000_000) SIGN_INS_PER_MINUTE: number = 1_200;

  // --- policies --------------------------------------------------------------------------------------------------
  /**
   * Certificate subjects (RFC 4514, separated by `|`) of the bank's own resource servers that may introspect tokens
   * (RFC 7662). INTROSPECTION_TRUST_ANCHORS must issue their certificates. Without this setting the introspection
   * endpoint does not exist.
   */
  @IsOptional() @IsString() INTROSPECTION_CLIENT_SUBJECTS?: string;
  /**
   * PEM of the CAs that issue these certificates. Use the bank's own CAs, never those of TPPs, because TPPs choose the
   * subjects of their certificates. Needed with INTROSPECTION_CLIENT_SUBJECTS. May come from a file.
   */
  @IsOptional() @IsString() INTROSPECTION_TRUST_ANCHORS?: string;
  /** Whether customers may authorise scopes without `payments` without an intent id. Default: false. */
  @Transform(toBoolean) @IsBoolean() ALLOW_AUTHORIZATION_WITHOUT_INTENT: boolean = false;
  /**
   * Whether the service refuses to start with a setting that weakens the security profile. The log at start and the
   * metric `open_banking_weakened` name each such setting. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() STRICT: boolean = false;
  /**
   * FAPI profiles that clients may have, separated by commas: `fapi1-advanced` (the UK profile), `fapi2-security`
   * (requests are pushed, signed or not), `fapi2-message-signing` (requests are pushed and signed). A client without an
   * assigned profile has the first one. Discovery states only the request rules that all of them share. Default:
   * fapi1-advanced.
   */
  @Matches(fapiProfileList) FAPI_PROFILES: string = 'fapi1-advanced';
  /**
   * What `response_type=code` of a FAPI 1.0 client needs: `jarm-only` demands a JWT response mode, as FAPI 1.0 Advanced
   * does (s5.2.2-2); `refuse` also takes PKCE, and `allow` neither, which deviate from it. Default: refuse.
   */
  @IsIn(['allow', 'refuse', 'jarm-only']) PLAIN_CODE_FLOW: 'allow' | 'refuse' | 'jarm-only' = 'refuse';
  /**
   * Accepted `aud` of client assertions: `endpoints` accepts the issuer, the token endpoint and the PAR endpoint, alone
   * or in an array; `issuer` accepts only the issuer (RFC 10070). Default: endpoints.
   */
  @IsIn(['endpoints', 'issuer']) CLIENT_ASSERTION_AUDIENCE: 'endpoints' | 'issuer' = 'endpoints';
  /**
   * Whether each use replaces the refresh token. `always` detects reuse, but a client that loses an answer loses its
   * grant. Tokens are bound to certificates either way (RFC 9700 s2.2.2). Default: never.
   */
  @IsIn(['never', 'always']) REFRESH_TOKEN_ROTATION: 'never' | 'always' = 'never';
  /**
   * What to do with a client_credentials request without scope: `registered` grants all registered scopes, `refuse`
   * answers with an error. Default: registered.
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
  /** Charge in GBP for a file of CHAPS payments, as a decimal. Without it, no charge is shown. */
  @IsOptional() @Matches(/^\d{1,13}\.\d{2}$/) CHAPS_CHARGE?: string;
  /**
   * Whether the bank pays to wallets: `UK.OBIE.Wallet` (3.1.11 and later) as the scheme of `CreditorAccount`. Its system gets the identification
   * as the TPP gives it. Otherwise a file with such a payee is refused (`Unsupported.Scheme`). Default: false.
   */
  @Transform(toBoolean) @IsBoolean() PAY_TO_WALLETS: boolean = false;
  /**
   * Cut-off times of payment types in London time, separated by commas: `BACS=16:00,CHAPS=17:40,FPS=23:30/daily`.
   * Schemes do not run on Saturdays, Sundays and BANK_HOLIDAYS unless the time ends in `/daily`. Without this setting
   * there are no cut-off times.
   */
  @Matches(/^(?:(?:FPS|BACS|CHAPS|BalanceTransfer)=(?:[01]\d|2[0-3]):[0-5]\d(?:\/daily)?(?:,(?!$)|$))*$/)
  CUT_OFF_TIMES: string = '';
  /** What to do after the cut-off: `accept` payments and make them on the scheme's next day, or `reject`. Default: accept. */
  @IsIn(['accept', 'reject']) CUT_OFF_STRATEGY: 'accept' | 'reject' = 'accept';
  /** Days besides weekends on which schemes do not run: `YYYY-MM-DD`, separated by commas. */
  @Matches(/^(?:\d{4}-\d{2}-\d{2}(?:,(?!$)|$))*$/) BANK_HOLIDAYS: string = '';
  /** Log level: fatal, error, warn, info, debug or silent. Default: info. */
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'silent']) LOG_LEVEL: string = 'info';
  /** File to which the log is appended. Without it, the log goes to standard output. */
  @IsOptional() @IsString() LOG_FILE?: string;
}
