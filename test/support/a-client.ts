import {
  constants,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
  randomUUID,
  sign,
  type KeyObject,
} from 'node:crypto';
import type { Agent } from 'node:https';
import { resolve } from 'node:path';
import {
  type TppCredentials,
  registrationClaims,
  type ProviderMetadata,
  loadTppCredentials,
  signJwt,
  type SandboxTpp,
} from './apps/tpp.js';
import { httpsAgent, httpsRequest, type TestResponse } from './https-request.js';
import { type AuthorizationOutcome, openAuthorization } from './page-browser.js';
import type { TestSandbox } from './start-test-sandbox.js';

/** The secret behind a suite's codes, and what its requests say of it (RFC 7636). */
export const verifier = randomBytes(32).toString('base64url');
export const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

/** What a client needs to know about a sandbox, in this process or another. */
export type SandboxAccess = Pick<TestSandbox, 'description' | 'ca' | 'agent'>;

/** Members that differ from a valid message; undefined removes one. */
export type Difference = Readonly<Record<string, unknown>>;
export type AuthenticationMethod =
  'private_key_jwt' | 'tls_client_auth' | 'client_secret_basic' | 'client_secret_post' | 'client_secret_jwt';

export const seconds = (): number => Math.floor(Date.now() / 1_000);
export const ACR_SCA = 'urn:openbanking:psd2:sca';
export const ACR_CA = 'urn:openbanking:psd2:ca';

/** The client of the conformance suite: all its messages are valid, except for the differences that a test asks for. */
export class FapiClient {
  constructor(
    readonly sandbox: SandboxAccess,
    readonly credentials: TppCredentials,
    readonly provider: ProviderMetadata,
    readonly agent: Agent,
    readonly method: AuthenticationMethod,
    readonly clientId: string,
    readonly clientSecret: string,
    readonly redirectUri: string,
  ) {}

  /** Claims of a request object (FAPI 1.0 Advanced s5.2.2). */
  requestObject(difference: Difference = {}): Record<string, unknown> {
    return {
      iss: this.clientId,
      aud: this.provider.issuer,
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      scope: 'openid payments',
      response_type: 'code id_token',
      state: randomBytes(6).toString('hex'),
      nonce: randomBytes(6).toString('hex'),
      nbf: seconds(),
      exp: seconds() + 300,
      ...difference,
    };
  }

  /** Signs with any key, algorithm and header that a test asks for, even if no library would. */
  sign(claims: Difference, signing: SigningDifference = {}): string {
    return this.signText(JSON.stringify(claims), signing);
  }

  /** As {@link sign}, over an unchanged payload. */
  signText(payload: string, { header = {}, key = this.credentials.signingKey }: SigningDifference = {}): string {
    const all = { alg: this.credentials.signingAlgorithm, kid: this.credentials.signingKid, ...header };
    const input = `${base64url(JSON.stringify(all))}.${base64url(payload)}`;
    return `${input}.${signatureOf(input, all.alg, key).toString('base64url')}`;
  }

  /**
   * The address of an authorization request. The query repeats the four parameters that the suite repeats.
   * @param query members of the query that differ; undefined removes one
   */
  authorizationUrl(
    claims: Difference,
    { query = {}, ...signing }: SigningDifference & { query?: Difference } = {},
  ): string {
    const { client_id, redirect_uri, response_type, scope } = claims;
    const all = { client_id, redirect_uri, response_type, scope, request: this.sign(claims, signing), ...query };
    const url = new URL(this.provider.authorization_endpoint);
    for (const [name, value] of Object.entries(all)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.href;
  }

  /** Sends an authorization request and reads its outcome. */
  async authorize(
    claims: Difference,
    options: SigningDifference & { query?: Difference } = {},
  ): Promise<AuthorizationOutcome> {
    return openAuthorization(this.sandbox.agent, this.authorizationUrl(claims, options));
  }

  /** A client assertion (RFC 7523 s3). */
  assertion(difference: Difference = {}, signing: SigningDifference = {}): Record<string, string> {
    const claims = {
      iss: this.clientId,
      sub: this.clientId,
      aud: this.provider.token_endpoint,
      jti: randomBytes(10).toString('hex'),
      iat: seconds(),
      nbf: seconds(),
      exp: seconds() + 60,
      ...difference,
    };
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion:
        this.method === 'client_secret_jwt'
          ? this.sign(claims, {
              header: { alg: 'HS256', kid: undefined },
              key: createSecretKey(Buffer.from(this.clientSecret)),
              ...signing,
            })
          : this.sign(claims, signing),
    };
  }

  /** The form parameters and headers with which this client authenticates. */
  authentication(): { form: Record<string, string>; headers: Record<string, string> } {
    switch (this.method) {
      case 'private_key_jwt':
        return { form: this.assertion(), headers: {} };
      case 'client_secret_jwt':
        return { form: this.assertion(), headers: {} };
      case 'tls_client_auth':
        return { form: { client_id: this.clientId }, headers: {} };
      case 'client_secret_post':
        return { form: { client_id: this.clientId, client_secret: this.clientSecret }, headers: {} };
      case 'client_secret_basic': {
        const pair = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64');
        return { form: {}, headers: { authorization: `Basic ${pair}` } };
      }
    }
  }

  /**
   * POST to the token endpoint or one of its siblings.
   * @param form without credentials
   * @param options.authentication other credentials than this client's own
   */
  async token(
    form: Difference,
    options: {
      authentication?: { form?: Record<string, string>; headers?: Record<string, string> };
      agent?: Agent;
      headers?: Record<string, string | string[]>;
      url?: string;
    } = {},
  ): Promise<TestResponse> {
    const { form: credentials = {}, headers = {} } = options.authentication ?? this.authentication();
    const entries = Object.entries({ ...form, ...credentials }).filter(([, value]) => value !== undefined);
    return httpsRequest({
      url: options.url ?? this.provider.token_endpoint,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...headers,
        ...options.headers,
      },
      body: new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString(),
      agent: options.agent ?? this.agent,
    });
  }

  /** The form of a code exchange; neither scope nor client_id (RFC 6749 s4.1.3). */
  exchange(code: string, difference: Difference = {}): Record<string, unknown> {
    return { grant_type: 'authorization_code', code, redirect_uri: this.redirectUri, ...difference };
  }

  close(): void {
    this.agent.destroy();
  }
}

export interface SigningDifference {
  /** members of the header that differ */
  header?: Difference;
  key?: KeyObject;
}

/** @returns the keys, certificate and software statement of one of the sandbox's TPPs */
export function credentialsOf(tpp: SandboxTpp | undefined): Promise<TppCredentials> {
  if (!tpp) throw new Error('The sandbox has no such TPP.');
  return loadTppCredentials({
    ...tpp,
    transport_cert_file: resolve(tpp.transport_cert_file),
    transport_key_file: resolve(tpp.transport_key_file),
    signing_key_file: resolve(tpp.signing_key_file),
    software_statement_file: resolve(tpp.software_statement_file),
  });
}

/** @returns connections with the TPP's transport certificate */
export function agentOf({ transportCertificate, transportKey }: TppCredentials, ca: string): Agent {
  return httpsAgent({ ca, certificate: transportCertificate, privateKey: transportKey });
}

/** Registers a TPP's software as one more client. */
export async function registerFapiClient(
  sandbox: SandboxAccess,
  tpp: SandboxTpp,
  options: { method: AuthenticationMethod; redirectUri?: string; metadata?: Difference },
): Promise<FapiClient> {
  const credentials = await credentialsOf(tpp);
  const provider: ProviderMetadata = sandbox.description;
  const agent = agentOf(credentials, sandbox.ca);
  const { method } = options;
  const isAssertion = method === 'private_key_jwt' || method === 'client_secret_jwt';
  const claims = {
    ...registrationClaims(provider, credentials),
    token_endpoint_auth_method: method,
    token_endpoint_auth_signing_alg: !isAssertion
      ? undefined
      : method === 'client_secret_jwt'
        ? 'HS256'
        : credentials.signingAlgorithm,
    response_types: ['code id_token'],
    scope: 'openid accounts payments fundsconfirmations',
    id_token_signed_response_alg: credentials.signingAlgorithm,
    jti: randomUUID(),
    ...options.metadata,
  };
  const response = await httpsRequest({
    url: provider.registration_endpoint,
    method: 'POST',
    headers: { 'content-type': 'application/jose', accept: 'application/json' },
    body: await signJwt({ claims, credentials, expiresInSeconds: 300 }),
    agent,
  });
  if (response.status !== 201) throw new Error(`Registration was refused: ${response.text}`);
  const { client_id: clientId, client_secret: clientSecret } = response.json();
  const redirectUri = options.redirectUri ?? credentials.redirectUris[0] ?? '';
  return new FapiClient(
    sandbox,
    credentials,
    provider,
    agent,
    method,
    String(clientId),
    String(clientSecret),
    redirectUri,
  );
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

function signatureOf(input: string, alg: unknown, key: KeyObject): Buffer {
  const bytes = Buffer.from(input);
  switch (alg) {
    case 'PS256':
      return sign('sha256', bytes, {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
      });
    case 'RS256':
      return sign('sha256', bytes, key);
    case 'ES256':
      return sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
    case 'HS256':
      return createHmac('sha256', key).update(bytes).digest();
    default:
      return Buffer.alloc(0);
  }
}
