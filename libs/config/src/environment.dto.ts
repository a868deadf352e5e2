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
  /** Public base address of the API, discovery and registration: `{base_url}` (no slash at the end). */
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
   * Host names, besides those of the three addresses above, under which requests are answered, separated by commas. Requests
   * for any other host are answered with 421.
   */
  @IsOptional() @Matches(/^[0-9A-Za-z.:[\]-]+(?:,[0-9A-Za-z.:[\]-]+)*$/) ADDITIONAL_HOSTS?: string;
  /**
   * Requests that one process answers at a time; more are refused with 503 and Retry-After, and with 429 when a quarter of them come from
   * one address (of IPv6 its /64; not with RATE_LIMIT_PER_ADDRESS=0, nor of INGRESS_ADDRESSES, nor behind an ingress that ends TLS). Default: 256.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(100_000) MAX_CONCURRENT_REQUESTS: number = 256;
  /**
   * Connections that one process holds, about 55 kB each. Beyond it those close that have waited longest for a next request, and where none
   * waits, new ones. One address has a quarter of them at most, as of the requests. Default: 2000.
   */
  @Transform(toInteger) @IsInt() @Min(4) @Max(100_000) MAX_CONNECTIONS: number = 2_000;
  /**
   * Seconds for which a process that was asked to stop goes on serving, not ready any more, so that load balancers notice before
   * it lets nobody in. It ends within ten seconds in all. Default: 2.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(2) SHUTDOWN_DRAIN_SECONDS: number = 2;

  // --- administration --------------------------------------------------------------------------------------------
  /**
   * Address on which each process serves `/metrics`, `/health/live` and `/health/ready` to operators, on a port of its own.
   * Default: 127.0.0.1.
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
  /** PEM of the authorities of operators' and scrapers' certificates. Needed for mutual. May come from a file. */
  @IsOptional() @IsString() ADMIN_TRUST_ANCHORS?: string;

  /**
   * http(s) address of an OpenTelemetry collector (OTLP over HTTP, JSON). With it, or with the next one, requests and statements are
   * traced; the OpenTelemetry library reads its other OTEL_ variables itself. Without either nothing of it is loaded.
   */
  @IsOptional() @Matches(/^https?:\/\/\S+$/) OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  /** The same for traces alone, with its whole path. */
  @IsOptional() @Matches(/^https?:\/\/\S+$/) OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;
  /** Name of this process in traces; without it the name of the application. */
  @IsOptional() @IsString() OTEL_SERVICE_NAME?: string;
  /** Turns tracing off, whatever else is set. Default: false. */
  @Transform(toBoolean) @IsBoolean() OTEL_SDK_DISABLED: boolean = false;

  // --- database --------------------------------------------------------------------------------------------------
  /**
   * postgres:// URL. Several servers of one database, primary and standbys, are separated by commas
   * (`postgres://user:password@first:5432,second:5432/name`): the one that takes writes is found. Secret. May come from a file.
   */
  @IsPostgresUrl() DATABASE_URL!: string;
  /**
   * TLS to PostgreSQL. `verify-full`: DATABASE_URL must say `sslmode=verify-full`, so that the server proves by its certificate that it is the
   * host of the URL; `sslrootcert=<file>` names the authority, where it is none of the system's. `any`: as DATABASE_URL has it, which may be
   * without TLS. Default: verify-full.
   */
  @IsIn(['verify-full', 'any']) DATABASE_TLS: 'verify-full' | 'any' = 'verify-full';
  /** Most connections of one process. Default: 10. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(200) DATABASE_POOL_SIZE: number = 10;
  /**
   * Whether PostgreSQL keeps parsed statements under their names. Set it to false behind a pooler that gives each transaction
   * another connection and does not follow them (PgBouncer before 1.21, or without max_prepared_statements). Default: true.
   */
  @Transform(toBoolean) @IsBoolean() DATABASE_PREPARED_STATEMENTS: boolean = true;

  /**
   * Seconds for which a statement waits for a table or row that something else has locked. Then the request is answered with 503 and
   * Retry-After, and the worker tries again later; 0: as long as a statement may take, which is 15 seconds. Default: 3.
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
  /** PEM of the certificate authorities that issue TPPs' certificates. May come from a file. */
  @IsString() CLIENT_TRUST_ANCHORS!: string;
  /**
   * Where the TPP's certificate is read: `tls` (TLS ends here), or a header that the ingress sets: `client-cert`
   * (RFC 9440), `nginx` (ssl-client-cert) or `envoy` (x-forwarded-client-cert). Default: tls.
   */
  @IsIn(['tls', 'client-cert', 'nginx', 'envoy'])
  CLIENT_CERTIFICATE_SOURCE: 'tls' | 'client-cert' | 'nginx' | 'envoy' = 'tls';
  /**
   * Addresses or CIDR ranges that the ingress connects from, separated by commas, as narrow as can be. Needed unless the source is tls, and
   * with PROXY_PROTOCOL. They stand for all callers behind the ingress, so no limit counts them.
   */
  @IsOptional() @IsAddressList() INGRESS_ADDRESSES?: string;
  /**
   * Whether an ingress that passes TLS through says where clients are (PROXY protocol, version 1 or 2). Then every connection must come from
   * INGRESS_ADDRESSES and begin with such a header; any other is closed. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() PROXY_PROTOCOL: boolean = false;
  /** PEM of the authority that issues the ingress' own client certificate. Needed unless the source is tls. May come from a file. */
  @IsOptional() @IsString() INGRESS_TRUST_ANCHORS?: string;

  // --- signing ---------------------------------------------------------------------------------------------------
  /**
   * Where the bank's public keys are, if TPPs find them somewhere else than at `AUTH_URL` + `/oauth2/jwks`, as at the directory's key store:
   * `jwks_uri` of discovery. Whoever hosts them publishes what the service's own address has, before a key signs.
   */
  @IsOptional() @Matches(/^https:\/\/[^\s?#]{1,2000}$/) JWKS_URI?: string;
  /**
   * Private JWK set of the bank: signs ID tokens and responses; the first PS256 key is the current one. Secret. May come from a file.
   * @rotation next, current, retired by `npm run keys`, without a gap
   */
  @IsString() SIGNING_KEYS!: string;
  /**
   * Address of a signing service that keeps private keys of SIGNING_KEYS, in the API of the transit engine of Vault and OpenBao:
   * `https://vault.bank.example/v1/transit`. A key that is there has `transit` (`<name>:<version>`) instead of its private members. Default: none.
   */
  @IsOptional() @IsHttpsUrl() SIGNING_SERVICE_URL?: string;
  /**
   * Token for it, which may sign with those keys and nothing else. Needed with SIGNING_SERVICE_URL. Secret. May come from a file.
   * @rotation as the signing service has it; restart the instances one by one
   */
  @IsOptional() @IsString() SIGNING_SERVICE_TOKEN?: string;
  /** PEM of the authority of its server; without it the system's authorities count. May come from a file. */
  @IsOptional() @IsString() SIGNING_SERVICE_CA?: string;
  /** The bank's id at the Open Banking directory, 18 letters and digits: `iss` of response signatures. */
  @Matches(/^[0-9A-Za-z]{18}$/) ORGANISATION_ID!: string;
  /** Trust anchor named in response signatures. Default: openbanking.org.uk. */
  @IsString() SIGNATURE_TRUST_ANCHOR: string = 'openbanking.org.uk';
  /** Form of response signatures: `b64-false` (3.1.2, 3.1.3) or `b64-absent` (3.1.4 and later). Default: b64-false. */
  @IsIn(['b64-false', 'b64-absent']) RESPONSE_SIGNATURE_FORM: 'b64-false' | 'b64-absent' = 'b64-false';

  /**
   * What becomes of a POST whose x-jws-signature is missing or does not verify: `enforce` refuses it, `log` writes a warning
   * and goes on (the waiver for signatures of 3.1 to 3.1.3). Default: enforce.
   */
  @IsIn(['enforce', 'log']) REQUEST_SIGNATURE_VERIFICATION: 'enforce' | 'log' = 'enforce';

  /**
   * How old an x-jws-signature may be by its time of signing, in seconds, for each version of the Read/Write API, separated by commas; a version
   * that is not named takes any age. A retry with the same idempotency key may be a day late. Default: v4.0=86400.
   */
  @Matches(/^(?:v\d\.\d=\d{1,8}(?:,(?!$)|$))*$/) REQUEST_SIGNATURE_MAX_AGE_SECONDS: string = 'v4.0=86400';
  /**
   * Versions of the Read/Write API that are served, separated by commas: `3.1`, `4.0` or both. A version that is not answers like an unknown
   * path. Add 4.0 once no process of a version before this one runs any more (upgrade.md). Default: 3.1.
   */
  @Matches(/^(?:3\.1|4\.0|3\.1,4\.0|4\.0,3\.1)$/) READ_WRITE_VERSIONS: string = '3.1';
  /** Whether consents and file payments show the account that pays, once it is known (`Data.Debtor`). Default: false. */
  @Transform(toBoolean) @IsBoolean() SHOW_DEBTOR: boolean = false;

  // --- secrets ---------------------------------------------------------------------------------------------------
  /**
   * Keys of the hashes under which client secrets are stored: `id:64 or more hex digits`, separated by commas; the first one hashes, all
   * compare (deploy/keys.md). One may be without an id, as before there were ids. Secret. May come from a file.
   * @rotation `npm run keys -- secrets`; a hash follows when its client manages its registration with the secret, or gets a new one
   */
  @Matches(namedKeys) CLIENT_SECRET_PEPPER!: string;
  /**
   * AES-256 keys for the secrets of client_secret_jwt clients: `id:64 hex digits`, separated by commas; the first one
   * encrypts, all decrypt. Secret. May come from a file.
   * @rotation `npm run keys -- secrets`, then `npm run operator -- secrets re-encrypt`
   */
  @Matches(/^[0-9A-Za-z_-]+:[0-9a-f]{64}(?:,[0-9A-Za-z_-]+:[0-9a-f]{64})*$/i) CLIENT_SECRET_ENCRYPTION_KEYS!: string;
  /**
   * Key of the pairwise subject identifiers: `id:64 or more hex digits`, or without an id. Must never change. Secret. May come from a file.
   * @rotation never: every customer would be another one to every TPP
   */
  @Matches(/^(?:[0-9A-Za-z_-]+:)?(?:[0-9a-f]{2}){32,}$/i) PAIRWISE_SUBJECT_KEY!: string;
  /**
   * Keys from which the next value of a customer's session and its authorization code are derived: `id:64 or more hex digits`, separated by
   * commas; the first one derives, all find what was derived (deploy/keys.md). Secret. May come from a file.
   * @rotation `npm run keys -- secrets`; the old one may go once the longest session is over
   */
  @Matches(namedKeys) SESSION_KEYS!: string;

  // --- directory -------------------------------------------------------------------------------------------------
  /** `iss` of the software statements that are trusted. */
  @IsString() DIRECTORY_ISSUER!: string;
  /** Address of the directory's own key set. */
  @IsHttpsUrl() DIRECTORY_JWKS_URI!: string;
  /** Hosts (host or host:port), separated by commas, from which TPPs' key sets may be fetched. */
  @IsString() DIRECTORY_KEY_HOSTS!: string;
  /** PEM of the authority of the directory's servers; without it the system's authorities count. May come from a file. */
  @IsOptional() @IsString() DIRECTORY_CA?: string;
  /** Whether key sets and revocation lists may be fetched from private or loopback addresses. Default: false. */
  @Transform(toBoolean) @IsBoolean() DIRECTORY_ALLOW_PRIVATE_ADDRESSES: boolean = false;
  /** Greatest age of a software statement in seconds, 0 for any. Default: 1800. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(31_536_000) SOFTWARE_STATEMENT_MAX_AGE_SECONDS: number = 1_800;
  /** `software_environment` values accepted, separated by commas. Default: production. */
  @IsString() SOFTWARE_ENVIRONMENTS: string = 'production';

  /**
   * More directories: a JSON array of objects with `issuer`, `jwks_uri`, `key_hosts` (array), and where they differ from the first
   * directory's `ca` (PEM), `environments` (array) and `client_trust_anchors` (PEM; only certificates under these count for its
   * software, and they count for no other). May come from a file.
   */
  @IsOptional() @IsString() FURTHER_DIRECTORIES?: string;
  /**
   * The sets of revoked keys that software statements name (`software_jwks_revoked_endpoint`) are read again after so many
   * seconds, and a key in them is refused; 0: they are not read. Default: 86400.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(604_800) REVOKED_KEYS_SECONDS: number = 86_400;
  /** Whether the roles CD_AISP and CD_CBPII of the Crown Dependencies allow what AISP and CBPII allow. Default: false. */
  @Transform(toBoolean) @IsBoolean() CROWN_DEPENDENCY_ROLES: boolean = false;

  // --- revocation ------------------------------------------------------------------------------------------------
  /**
   * Whether authorities are asked if they have revoked a TPP's certificate: `off`, `soft` (a certificate counts while no
   * answer can be had) or `hard` (only with an answer). Default: soft.
   */
  @IsIn(['off', 'soft', 'hard']) CLIENT_CERTIFICATE_REVOCATION: 'off' | 'soft' | 'hard' = 'soft';
  /** What is asked, in this order: `crl,ocsp`, `ocsp,crl`, `crl` or `ocsp`. Default: crl,ocsp. */
  @IsIn(['crl,ocsp', 'ocsp,crl', 'crl', 'ocsp']) CLIENT_CERTIFICATE_REVOCATION_SOURCES: string = 'crl,ocsp';
  /** Addresses of revocation lists besides those named in the certificates, separated by commas. */
  @IsOptional()
  @Matches(/^https?:\/\/[^\s,]+(?:,https?:\/\/[^\s,]+)*$/)
  CLIENT_CERTIFICATE_REVOCATION_LISTS?: string;
  /** An answer is asked for again after so many seconds; it never counts beyond its own nextUpdate. Default: 600. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(86_400) CLIENT_CERTIFICATE_REVOCATION_CACHE_SECONDS: number = 600;

  // --- egress ----------------------------------------------------------------------------------------------------
  /**
   * http:// address of a proxy for everything fetched from directories and authorities (key sets, revocation), with user
   * and password where it wants them. Secret. May come from a file. Without it connections are made directly.
   */
  @IsOptional() @Matches(/^http:\/\/[^/?#]+\/?$/) EGRESS_PROXY_URL?: string;

  // --- registration ----------------------------------------------------------------------------------------------
  /** Whether a client may manage its registration with its secret (Basic) besides an access token. Default: true. */
  @Transform(toBoolean) @IsBoolean() DCR_MANAGEMENT_BASIC: boolean = true;
  /** Whether the Base64 of `ClientID:ClientSecret` counts without the word Basic in front of it. Default: true. */
  @Transform(toBoolean) @IsBoolean() DCR_SCHEMELESS_BASIC: boolean = true;
  /** Most clients of one software of one directory that exist at a time, 0 for any number. Default: 10. */
  @Transform(toInteger) @IsInt() @Min(0) @Max(1_000) DCR_MAX_PER_SOFTWARE: number = 10;
  /**
   * Methods of client authentication that may be registered, separated by commas, in the order of preference that
   * discovery announces. For FAPI alone: `tls_client_auth,private_key_jwt`. Default: all five.
   */
  @Matches(
    /^(?:tls_client_auth|private_key_jwt|client_secret_(?:jwt|basic|post))(?:,(?:tls_client_auth|private_key_jwt|client_secret_(?:jwt|basic|post)))*$/,
  )
  DCR_TOKEN_ENDPOINT_AUTH_METHODS: string =
    'tls_client_auth,private_key_jwt,client_secret_jwt,client_secret_basic,client_secret_post';
  /**
   * FAPI profiles of `FAPI_PROFILES` that clients may choose by `fapi_profile` when they register, separated by commas. The operator can give
   * a client any of `FAPI_PROFILES`. Default: the first of `FAPI_PROFILES`.
   */
  @IsOptional() @Matches(fapiProfileList) DCR_FAPI_PROFILES?: string;
  /**
   * A registration without scope: `permitted` gives all that the roles in the software statement allow, `refuse` is an error.
   * Default: permitted.
   */
  @IsIn(['permitted', 'refuse']) DCR_DEFAULT_SCOPE: 'permitted' | 'refuse' = 'permitted';
  /** Whether errors of registration hold `error` and `error_description` (RFC 7591) besides OBErrorResponse1. Default: true. */
  @Transform(toBoolean) @IsBoolean() DCR_RFC7591_ERRORS: boolean = true;
  /** Whether `iss` of a request may be the host of the software instead of its software_id. Default: false. */
  @Transform(toBoolean) @IsBoolean() DCR_ACCEPT_HOST_ISS: boolean = false;
  /** Who gets a client_secret: `always` every client, `when_needed` only those whose method uses one. Default: always. */
  @IsIn(['always', 'when_needed']) DCR_ISSUE_SECRET: 'always' | 'when_needed' = 'always';
  /** Status for a registration body of another media type: 415, or 400 with an error body. Default: 415. */
  @Transform(toInteger) @IsIn([400, 415]) DCR_UNSUPPORTED_MEDIA_TYPE_STATUS: 400 | 415 = 415;
  /**
   * Whether one client's credentials at another client's registration are answered 401, as where there is none, instead of 403.
   * Default: false.
   */
  @Transform(toBoolean) @IsBoolean() DCR_HIDE_OTHER_CLIENTS: boolean = false;
  /**
   * Whether a TPP may register only over a certificate that the directory publishes, as `x5c` of a key with the use `tls`, in the
   * key set of its software or organisation. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() DCR_REQUIRE_LISTED_CERTIFICATE: boolean = false;

  /**
   * Names that no client may have, nor one that looks like them, separated by commas: accents, case, spaces and look-alikes of other scripts do
   * not tell names apart. A name of several words is refused inside longer names, too. Empty reserves none. Default: `BANK_NAME`.
   */
  @IsOptional() @IsString() DCR_RESERVED_CLIENT_NAMES?: string;
  /**
   * Redirect URIs on the customer's own machine (`localhost`, 127.0.0.1, [::1]) that may be registered nevertheless, letter by letter and
   * separated by commas; such a one may be plain HTTP (RFC 8252 s7.3). For test environments only. Default: none.
   */
  @IsOptional()
  @Matches(
    /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/[^\s,#*\\]{0,200}(?:,https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/[^\s,#*\\]{0,200})*$/,
  )
  DCR_LOOPBACK_REDIRECT_URIS?: string;

  // --- bank ------------------------------------------------------------------------------------------------------
  /** The bank's name, shown to customers. */
  @IsString() BANK_NAME!: string;
  /** Word for the bank in its own error codes, `UK.<word>.…`: letters and digits. Default: Bank. */
  @Matches(/^[0-9A-Za-z]{1,30}$/) BANK_ERROR_NAMESPACE: string = 'Bank';
  /** Address of the bank's side of customer authentication, accounts and payments. */
  @IsHttpsUrl() BANK_URL!: string;
  /** PEM of the authority of the bank's server. May come from a file. */
  @IsString() BANK_CA!: string;
  /** PEM of the client certificate that this service shows to the bank. May come from a file. */
  @IsString() BANK_CLIENT_CERTIFICATE!: string;
  /**
   * PEM of its private key. Secret. May come from a file.
   * @rotation with the certificate, as the bank has it; restart the instances one by one
   */
  @IsString() BANK_CLIENT_PRIVATE_KEY!: string;
  /**
   * Public JWK set (PS256, ES256) of the bank's payment hub; with it the hub may report on payments by itself
   * (deploy/bank-openapi.yaml, paymentOutcomes). May come from a file.
   */
  @IsOptional() @IsString() BANK_CALLBACK_KEYS?: string;
  /**
   * Only for a bank that has no challenges yet (deploy/bank-openapi.yaml, startChallenge): its one-time codes are taken although nothing links
   * them to the amount and the payees (SCA-RTS art. 5). Every start warns of it, in the log and in the audit trail. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() UNBOUND_ONE_TIME_CODES: boolean = false;
  /**
   * Whether the token endpoint asks the bank, at each use of a code or refresh token, if the customer is locked or closed
   * (deploy/bank-openapi.yaml, findPsuState): `hard` issues nothing without its answer (503 `temporarily_unavailable`), `soft` goes on without
   * one, `off` does not ask, for a bank that has no such operation; then the token app needs no connection to the bank. Default: hard.
   */
  @IsIn(['hard', 'soft', 'off']) CUSTOMER_STATE_CHECK: 'hard' | 'soft' | 'off' = 'hard';
  /** Longest wait for one answer of the bank, in milliseconds. Default: 5000. */
  @Transform(toInteger) @IsInt() @Min(100) @Max(60_000) BANK_TIMEOUT_MILLISECONDS: number = 5_000;

  // --- look of the pages -----------------------------------------------------------------------------------------
  /**
   * The bank's logo, shown beside its name on BANK_COLOUR: an SVG of at most 64 kB without scripts, event handlers, foreignObject and
   * references to anything outside it (deploy/pages.md). May come from a file.
   */
  @IsOptional() @IsString() BANK_LOGO?: string;
  /**
   * Colour of the header, buttons and links, as #rrggbb. White on it, and it on the pages' grey, must have a contrast of 4.5 to 1, else
   * the service does not start. Default: #0b3d66.
   */
  @Matches(/^#[0-9a-fA-F]{6}$/) BANK_COLOUR: string = '#0b3d66';
  /**
   * Colour of buttons and links in the dark scheme, as #rrggbb; its contrast with the dark pages must be 4.5 to 1. Without it BANK_COLOUR
   * is made lighter until it has that.
   */
  @IsOptional() @Matches(/^#[0-9a-fA-F]{6}$/) BANK_COLOUR_DARK?: string;
  /** How customers reach somebody who helps, as it is shown on every page: `0345 600 0000, Monday to Friday, 8am to 6pm`. */
  @IsOptional() @Matches(/^[^\p{Cc}<>]{1,120}$/u) BANK_HELP_LINE?: string;
  /** Address of the bank's help for these pages; each page links to it. */
  @IsOptional() @IsHttpsUrl() BANK_HELP_URL?: string;
  /** Address of the bank's privacy notice; each page links to it. */
  @IsOptional() @IsHttpsUrl() BANK_PRIVACY_URL?: string;
  /** Address of the bank's accessibility statement; each page links to it. */
  @IsOptional() @IsHttpsUrl() BANK_ACCESSIBILITY_URL?: string;
  /**
   * A JSON object of English texts that take the place of the shipped ones (deploy/pages.md). A key that is none, or a text that leaves out
   * a value, keeps the service from starting. May come from a file.
   */
  @IsOptional() @IsString() WORDING_EN?: string;
  /** The same for Welsh. May come from a file. */
  @IsOptional() @IsString() WORDING_CY?: string;

  // --- lifetimes -------------------------------------------------------------------------------------------------
  /** Life of an access token in seconds. Default: 300. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(86_400) ACCESS_TOKEN_SECONDS: number = 300;
  /**
   * Time in seconds for which refresh tokens renew an approval that lasts (scopes without `payments`, for clients that registered the
   * grant); see REFRESH_TOKEN_ROTATION. Default: 7776000, 90 days.
   */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) REFRESH_TOKEN_SECONDS: number = 7_776_000;
  /** Life of an authorization code in seconds. Default: 60. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(600) AUTHORIZATION_CODE_SECONDS: number = 60;
  /** Time in seconds within which a pushed authorization request has to be brought to the authorization endpoint. Default: 60. */
  @Transform(toInteger) @IsInt() @Min(5) @Max(600) PUSHED_REQUEST_SECONDS: number = 60;
  /**
   * Time in seconds after which a customer's session ends if nothing is done in it: no page opened, no button pressed (SCA-RTS art. 4(3)(d)).
   * Default: 300.
   */
  @Transform(toInteger) @IsInt() @Min(10) @Max(3_600) AUTHORIZATION_IDLE_SECONDS: number = 300;
  /** Time in seconds after which a customer's session ends in any case. Default: 1800. */
  @Transform(toInteger) @IsInt() @Min(10) @Max(14_400) AUTHORIZATION_SESSION_SECONDS: number = 1_800;
  /**
   * Whether both factors are asked for before the customer sees anything; for banks that show balances or must not list accounts after the
   * password alone. The challenge at the approval stays. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() BOTH_FACTORS_FIRST: boolean = false;
  /** Time for which a file payment may wait for the further approvers of its account, in seconds. Default: 604800, seven days. */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) APPROVAL_SECONDS: number = 604_800;
  /** A consent that has not progressed for so many seconds becomes Rejected. Default: 86400. */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) CONSENT_EXPIRY_SECONDS: number = 86_400;
  /**
   * A worker that has taken a file payment on keeps it for so many seconds beyond its last progress; then any other takes it
   * up. Default: 15.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_600) PAYMENT_LEASE_SECONDS: number = 15;
  /**
   * Attempts that end with an answer of the bank that its API does not provide for (no outage, no refusal) before a file
   * payment is held for a person to look at; the pause between them grows to a minute. Default: 10.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(1_000) PAYMENT_FAULT_LIMIT: number = 10;
  /**
   * Whether a second person has to confirm, with `operator confirm`, what the operator's commands do to payments for good or for all:
   * `payments reject`, `payments conclude`, and `payments stop` and `resume` with `--all`. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() OPERATOR_FOUR_EYES: boolean = false;
  /**
   * Days from the execution of a payment within which its final state is expected, BACS and holidays included; later ones are
   * held for a person to look at. Default: 10.
   */
  @Transform(toInteger) @IsInt() @Min(1) @Max(366) PAYMENT_SETTLEMENT_DAYS: number = 10;
  /**
   * Pause of the worker between two rounds of reconciliation, in seconds (deploy/file-payments.md). 0: it compares nothing by itself.
   * Default: 300.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(86_400) RECONCILIATION_SECONDS: number = 300;
  /**
   * A file payment is compared with the bank's book so many seconds after the last change of its state or of its payments'.
   * Default: 60.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(86_400) RECONCILIATION_DELAY_SECONDS: number = 60;
  /**
   * What a consent, its file and its payments say of people is erased so many days after the consent ended, once nothing more
   * can come of it; totals, ids and states stay (deploy/retention.md). 0: it is kept. Default: 2555, seven years.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(36_500) FILE_RETENTION_DAYS: number = 2_555;
  /**
   * The accounts of a consent to access are erased so many days after the consent ended; ids, permissions, states and times stay
   * (deploy/retention.md). 0: they are kept. Default: 2555, seven years.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(36_500) ACCESS_CONSENT_RETENTION_DAYS: number = 2_555;
  /** An idempotency key counts for so many seconds. Default: 86400. */
  @Transform(toInteger) @IsInt() @Min(60) @Max(31_536_000) IDEMPOTENCY_RETENTION_SECONDS: number = 86_400;

  /** Pause of the worker between two rounds of housekeeping, in seconds. Default: 30. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_600) HOUSEKEEPING_SECONDS: number = 30;
  /** Pause of the worker between two seals of the audit trail, in seconds. Default: 5. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(300) AUDIT_SEAL_SECONDS: number = 5;
  /** Audit events are erased after so many days, never before a year is over. 0: they are kept. Default: 2555, seven years. */
  @Transform(toInteger) @IsInt() @IsRetention() AUDIT_RETENTION_DAYS: number = 2_555;

  // --- events ----------------------------------------------------------------------------------------------------
  /** Address to which events on consents and file payments are posted (libs/events); without it they are only kept. */
  @IsOptional() @IsHttpsUrl() EVENT_WEBHOOK_URL?: string;
  /** PEM of the authority of that address; without it the system's authorities count. May come from a file. */
  @IsOptional() @IsString() EVENT_WEBHOOK_CA?: string;
  /** Events are deleted after so many days, delivered or not. Default: 30. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_650) EVENT_RETENTION_DAYS: number = 30;

  // --- fair usage ------------------------------------------------------------------------------------------------
  /** Length of the window in which requests are counted, in seconds. Default: 10. */
  @Transform(toInteger) @IsInt() @Min(1) @Max(3_600) RATE_LIMIT_WINDOW_SECONDS: number = 10;
  /**
   * Requests of one client in a window, counted by each process; 0 for any number. A caller without a certificate is counted by its address,
   * but not where RATE_LIMIT_PER_ADDRESS is 0. Default: 600.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) RATE_LIMIT_PER_CLIENT: number = 600;
  /**
   * Requests from one address (of IPv6 its /64) in a window, and new connections, counted by each process; 0 for any number. Nothing is
   * counted of INGRESS_ADDRESSES, nor behind an ingress that ends TLS. Default: 1200.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) RATE_LIMIT_PER_ADDRESS: number = 1_200;

  /**
   * Passwords and one-time codes that may be sent from one address (of IPv6 its /64) in a minute, right or wrong, counted by each process;
   * 0 for any number. It keeps strangers from locking many customers' accounts. Nothing is counted of INGRESS_ADDRESSES, nor behind an
   * ingress that ends TLS: there the ingress has to. Default: 30.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) SIGN_INS_PER_ADDRESS: number = 30;
  /**
   * Passwords that may be sent for one user name in a minute, right or wrong, counted by each process; 0 for any number. The process keeps
   * no name, only a keyed hash of it. It slows down who guesses one customer's password from many networks. Default: 10.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) SIGN_INS_PER_USER_NAME: number = 10;
  /**
   * Passwords that may be sent in one journey, for whatever user names, counted by all processes together; then the journey ends, and the
   * consent waits on. 0 for any number. Default: 10.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(10_000) SIGN_INS_PER_SESSION: number = 10;
  /**
   * Passwords and one-time codes that each process takes in a minute from everybody together; 0 for any number. Only forms of our own pages in
   * a session count, and sign-ins at /approvals, where anybody has one, count by themselves: they shut out nobody else. It is the last
   * limit on somebody with many networks and many user names: set it to a few times what your busiest minute has. Default: 1200.
   */
  @Transform(toInteger) @IsInt() @Min(0) @Max(1_000_000) SIGN_INS_PER_MINUTE: number = 1_200;

  // --- policies --------------------------------------------------------------------------------------------------
  /**
   * Subjects (RFC 4514, separated by `|`) of the certificates with which the bank's own resource servers may introspect tokens
   * (RFC 7662); issued under INTROSPECTION_TRUST_ANCHORS. Without it there is no introspection endpoint.
   */
  @IsOptional() @IsString() INTROSPECTION_CLIENT_SUBJECTS?: string;
  /**
   * PEM certificates of the authorities of those certificates: the bank's own, not those of TPPs, whose subjects others choose. Needed with
   * INTROSPECTION_CLIENT_SUBJECTS. May come from a file.
   */
  @IsOptional() @IsString() INTROSPECTION_TRUST_ANCHORS?: string;
  /** Whether scopes without `payments` may be authorised without an intent id. Default: false. */
  @Transform(toBoolean) @IsBoolean() ALLOW_AUTHORIZATION_WITHOUT_INTENT: boolean = false;
  /**
   * Whether the service refuses to start with a setting that weakens the security profile; each of them is named at the start and in the
   * metric `open_banking_weakened`. Default: false.
   */
  @Transform(toBoolean) @IsBoolean() STRICT: boolean = false;
  /**
   * FAPI profiles that clients may have here, separated by commas; the first is that of a client that nobody gave one: `fapi1-advanced` (the UK
   * profile), `fapi2-security` (requests are pushed, signed or not), `fapi2-message-signing` (requests are pushed and signed). Discovery says
   * of requests what holds for all of them. Default: fapi1-advanced.
   */
  @Matches(fapiProfileList) FAPI_PROFILES: string = 'fapi1-advanced';
  /**
   * Whether `response_type=code` is taken without PKCE and without a JWT response mode: `allow` deviates from FAPI 1.0 Advanced
   * (s5.2.2-2). Default: refuse.
   */
  @IsIn(['allow', 'refuse']) PLAIN_CODE_FLOW: 'allow' | 'refuse' = 'refuse';
  /**
   * What client assertions name as `aud`: `endpoints` takes the issuer, the token endpoint or the PAR endpoint, alone or in an array of
   * nothing else; `issuer` the issuer alone (RFC 10070). Default: endpoints.
   */
  @IsIn(['endpoints', 'issuer']) CLIENT_ASSERTION_AUDIENCE: 'endpoints' | 'issuer' = 'endpoints';
  /**
   * Whether a refresh token is replaced at each use: `always` finds out reuse, and a client that loses an answer loses its grant. Tokens are
   * bound to certificates either way (RFC 9700 s2.2.2). Default: never.
   */
  @IsIn(['never', 'always']) REFRESH_TOKEN_ROTATION: 'never' | 'always' = 'never';
  /** A client_credentials request without scope: `registered` gives all that the client registered, `refuse` none. Default: registered. */
  @IsIn(['registered', 'refuse']) DEFAULT_SCOPE: 'registered' | 'refuse' = 'registered';
  /** Token for POST /file-payments: `either`, `psu_only` (the standard) or `client_only`. Default: either. */
  @IsIn(['either', 'psu_only', 'client_only'])
  FILE_PAYMENT_TOKEN_MODE: 'either' | 'psu_only' | 'client_only' = 'either';
  /** Whether a file that contradicts its consent makes the consent Rejected. Default: true. */
  @Transform(toBoolean) @IsBoolean() REJECT_CONSENT_ON_FILE_MISMATCH: boolean = true;
  /** Charge in GBP for a CHAPS payment, as a decimal, charged per file; without it none is shown. */
  @IsOptional() @Matches(/^\d{1,13}\.\d{2}$/) CHAPS_CHARGE?: string;
  /**
   * Cut-off times of payment types in London time, separated by commas: `BACS=16:00,CHAPS=17:40,FPS=23:30/daily`; schemes
   * rest on Saturdays, Sundays and BANK_HOLIDAYS unless `/daily` is there. Without it there are none.
   */
  @Matches(/^(?:(?:FPS|BACS|CHAPS|BalanceTransfer)=(?:[01]\d|2[0-3]):[0-5]\d(?:\/daily)?(?:,(?!$)|$))*$/)
  CUT_OFF_TIMES: string = '';
  /** What becomes of payments after the cut-off: `accept` (made on the scheme's next day) or `reject`. Default: accept. */
  @IsIn(['accept', 'reject']) CUT_OFF_STRATEGY: 'accept' | 'reject' = 'accept';
  /** Days on which schemes rest besides weekends: `YYYY-MM-DD`, separated by commas. */
  @Matches(/^(?:\d{4}-\d{2}-\d{2}(?:,(?!$)|$))*$/) BANK_HOLIDAYS: string = '';
  /** Log level: fatal, error, warn, info, debug or silent. Default: info. */
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'silent']) LOG_LEVEL: string = 'info';
  /** File to which the log is appended; without it the log goes to standard output. */
  @IsOptional() @IsString() LOG_FILE?: string;
}
