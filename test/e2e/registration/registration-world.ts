import { createHmac, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { expect } from '@jest/globals';
import { Config } from '#libs/config';
import { createCompactJws, parseCompactJws, parseJsonPayload, type SigningKey } from '#libs/jws';
import type { TestSigningKey } from '../../support/a-signing-key.js';
import type { Telemetry } from '#libs/telemetry';
import {
  type CertificateProfile,
  issueCertificate,
  type RevocationAddresses,
} from '../../support/apps/certificates.js';
import type { TrustFramework } from '../../support/apps/trust.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import { loadPrograms } from '../../support/load-programs.js';
import type { TestSandbox } from '../../support/start-test-sandbox.js';
import type { KeyStore } from './key-store.js';
import {
  assertionType,
  basicOf,
  type Call,
  type Difference,
  encodeJson,
  MovableClock,
  pemOf,
  type Registered,
  type RegisteringTpp,
  type Subject,
  type TransportCertificate,
} from './registration-values.js';

/** One for all certificates that tests have issued: what differs is what the authority signed. */
const transportKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** One sandbox with everything that hostile TPPs and directories need. */
export class RegistrationWorld {
  readonly sandbox: TestSandbox;
  readonly trust: TrustFramework;
  readonly keyStore: KeyStore;
  readonly clock: MovableClock;
  readonly tpp: RegisteringTpp;
  readonly otherTpp: RegisteringTpp;
  readonly #instances: { close: () => Promise<void> }[] = [];

  constructor(parts: Pick<RegistrationWorld, 'sandbox' | 'trust' | 'keyStore' | 'clock' | 'tpp' | 'otherTpp'>) {
    this.sandbox = parts.sandbox;
    this.trust = parts.trust;
    this.keyStore = parts.keyStore;
    this.clock = parts.clock;
    this.tpp = parts.tpp;
    this.otherTpp = parts.otherTpp;
  }

  get nowSeconds(): number {
    return Math.floor(this.clock.now().getTime() / 1_000);
  }

  /** Sends a request; every call has its own connection. */
  async call(url: string, { certificate = this.tpp.certificate, ...request }: Call = {}): Promise<TestResponse> {
    const identity = certificate === null ? {} : { certificate: certificate.cert, privateKey: certificate.key };
    const agent = httpsAgent({ ca: this.sandbox.ca, ...identity });
    try {
      return await httpsRequest({ url, agent, ...request });
    } finally {
      agent.destroy();
    }
  }

  /** Claims of a good request; the test shows what differs. */
  aPayload(difference: Difference = {}, of: RegisteringTpp = this.tpp): Record<string, unknown> {
    return {
      iss: of.softwareId,
      iat: this.nowSeconds,
      exp: this.nowSeconds + 600,
      aud: this.sandbox.config.signing.organisationId,
      jti: randomUUID(),
      redirect_uris: of.redirectUris,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'client_credentials'],
      response_types: ['code id_token'],
      scope: 'payments openid',
      software_statement: of.softwareStatement,
      application_type: 'web',
      id_token_signed_response_alg: 'PS256',
      request_object_signing_alg: 'PS256',
      ...difference,
    };
  }

  /** A signed request. */
  aRequest(difference: Difference = {}, of: RegisteringTpp = this.tpp, header: Difference = {}): Promise<string> {
    const payload = JSON.stringify(this.aPayload(difference, of));
    return createCompactJws({ header: { typ: 'JWT', ...header }, payload, key: of.signingKey });
  }

  /** A software statement like the TPP's own, signed by the directory unless another key is given. */
  aStatement(
    difference: Difference = {},
    of: RegisteringTpp = this.tpp,
    key?: Pick<SigningKey, 'sign'>,
  ): Promise<string> {
    const claims = parseJsonPayload(parseCompactJws(of.softwareStatement, { maxLength: 32_768 }));
    const payload = JSON.stringify({ ...claims, ...difference });
    return createCompactJws({ header: { typ: 'JWT' }, payload, key: key ?? this.trust.directorySigningKey });
  }

  /** The TPP with another software statement. */
  async withStatement(difference: Difference, of: RegisteringTpp = this.tpp): Promise<RegisteringTpp> {
    return { ...of, softwareStatement: await this.aStatement(difference, of) };
  }

  /** The same software, whose key set is at an address of the test's key store. */
  withKeys(address: string, signingKey: TestSigningKey = this.tpp.signingKey): Promise<RegisteringTpp> {
    return this.withStatement({ software_jwks_endpoint: address }).then((tpp) => ({ ...tpp, signingKey }));
  }

  /** POST /register. */
  post(body: string | Buffer, options: Call = {}): Promise<TestResponse> {
    return this.#postTo(this.sandbox.description.registration_endpoint, body, options);
  }

  /** POST /register with a good request that differs. */
  async tryRegister(difference: Difference = {}, of: RegisteringTpp = this.tpp): Promise<TestResponse> {
    return this.post(await this.aRequest(difference, of), { certificate: of.certificate });
  }

  /** POST /register of another instance with a good request that differs. */
  async registerAt(url: string, difference: Difference = {}, of: RegisteringTpp = this.tpp): Promise<TestResponse> {
    return this.#postTo(url, await this.aRequest(difference, of), { certificate: of.certificate });
  }

  #postTo(url: string, body: string | Buffer, options: Call): Promise<TestResponse> {
    const headers = { 'content-type': 'application/jose', ...options.headers };
    return this.call(url, { method: 'POST', body, ...options, headers });
  }

  /** Registers a client. */
  async register(difference: Difference = {}, of: RegisteringTpp = this.tpp): Promise<Registered> {
    const answer = await this.tryRegister(difference, of);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return answer.json() as Registered;
  }

  /** A request on one registration. */
  manage(client: { client_id: string }, authorization: string | undefined, options: Call = {}): Promise<TestResponse> {
    return this.call(`${this.sandbox.description.registration_endpoint}/${client.client_id}`, {
      ...options,
      headers: { authorization, ...options.headers },
    });
  }

  /** PUT with Basic credentials and a good request that differs. */
  async put(client: Registered, difference: Difference = {}, of: RegisteringTpp = this.tpp): Promise<TestResponse> {
    return this.manage(client, `Basic ${basicOf(client)}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/jwt' },
      body: await this.aRequest(difference, of),
      certificate: of.certificate,
    });
  }

  /** POST to the token endpoint. */
  token(form: Record<string, string> | string, options: Call = {}): Promise<TestResponse> {
    const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
    return this.call(this.sandbox.description.token_endpoint, {
      method: 'POST',
      body,
      ...options,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...options.headers },
    });
  }

  /** A client credentials token of a client of the method client_secret_basic. */
  async aToken(client: Registered, of: RegisteringTpp = this.tpp): Promise<string> {
    const headers = { authorization: `Basic ${basicOf(client)}` };
    const answer = await this.token({ grant_type: 'client_credentials' }, { headers, certificate: of.certificate });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return String(answer.json()['access_token']);
  }

  /** Form parameters with a client assertion (RFC 7523 s2.2); the claims and the header show what differs. */
  async anAssertion(
    clientId: string,
    options: { claims?: Difference; header?: Difference; key?: Pick<SigningKey, 'sign'> } = {},
  ): Promise<Record<string, string>> {
    const { claims = {}, header = {}, key = this.tpp.signingKey } = options;
    const payload = JSON.stringify({
      iss: clientId,
      sub: clientId,
      aud: this.sandbox.description.token_endpoint,
      iat: this.nowSeconds,
      exp: this.nowSeconds + 300,
      jti: randomUUID(),
      ...claims,
    });
    return {
      grant_type: 'client_credentials',
      client_assertion_type: assertionType,
      client_assertion: await createCompactJws({ header: { typ: 'JWT', ...header }, payload, key }),
    };
  }

  /**
   * Form parameters with an assertion signed with the client's secret (OIDC Core s9); HS256 unless the header says
   * otherwise.
   */
  anHmacAssertion(client: Registered, options: { claims?: Difference; secret?: string } = {}): Record<string, string> {
    const { claims = {}, secret = client.client_secret } = options;
    const payload = {
      iss: client.client_id,
      sub: client.client_id,
      aud: this.sandbox.config.issuer,
      iat: this.nowSeconds,
      exp: this.nowSeconds + 300,
      jti: randomUUID(),
      ...claims,
    };
    const input = `${encodeJson({ alg: 'HS256', typ: 'JWT' })}.${encodeJson(payload)}`;
    const signature = createHmac('sha256', secret).update(input).digest('base64url');
    return {
      grant_type: 'client_credentials',
      client_assertion_type: assertionType,
      client_assertion: `${input}.${signature}`,
    };
  }

  /** Form and Authorization header with which a client authenticates by a method. */
  async authentication(
    method: string,
    client: Registered,
  ): Promise<{ form: Record<string, string>; authorization?: string | undefined }> {
    const { client_id, client_secret } = client;
    switch (method) {
      case 'client_secret_basic':
        return { form: {}, authorization: `Basic ${basicOf(client)}` };
      case 'client_secret_post':
        return { form: { client_id, client_secret } };
      case 'client_secret_jwt':
        return { form: this.anHmacAssertion(client) };
      case 'private_key_jwt':
        return { form: await this.anAssertion(client_id) };
      default:
        return { form: { client_id } };
    }
  }

  /** Issues a certificate of the sandbox's authority, or of another. */
  async aCertificate(options: {
    subject: Subject;
    profile?: CertificateProfile;
    issuer?: { certificate: string; privateKey: KeyObject };
    now?: Date;
    days?: number;
    revocation?: RevocationAddresses;
  }): Promise<TransportCertificate> {
    const { revocation } = options;
    const { subject, profile = 'transport', issuer = this.trust.authority, now = new Date(), days = 30 } = options;
    const key = transportKey;
    const wish = { profile, subject, key, issuer, days, now, ...(revocation && { revocation }) };
    return { cert: await issueCertificate(wish), key: pemOf(key) };
  }

  /** Subject of a transport certificate of the directory's older kind: the organisation in OU, the software in CN. */
  legacySubject(orgId = this.tpp.orgId, softwareId = this.tpp.softwareId): Subject {
    return [{ C: ['GB'] }, { O: ['OpenBanking'] }, { OU: [orgId] }, { CN: [softwareId] }];
  }

  /** Subject of the OBWAC of a TPP, as its certificate has it. */
  obwacSubject(name = 'TPP One Ltd'): Subject {
    const { authority_id: _authority, registration_id } = this.#competentAuthority();
    return [{ C: ['GB'] }, { O: [name] }, { '2.5.4.97': [`PSDGB-FCA-${registration_id}`] }, { CN: [this.tpp.orgId] }];
  }

  get organisationIdentifier(): string {
    return `PSDGB-FCA-${this.#competentAuthority().registration_id}`;
  }

  #competentAuthority(): { authority_id: string; registration_id: string } {
    const claims = parseJsonPayload(parseCompactJws(this.tpp.softwareStatement, { maxLength: 32_768 }));
    return claims['organisation_competent_authority_claims'] as { authority_id: string; registration_id: string };
  }

  /**
   * Starts one more instance of the API app on the same database, with other settings.
   * @param telemetry what operators see of it
   * @returns address of its registration endpoint
   */
  async anotherInstance(difference: (config: Config) => Partial<Config>, telemetry?: Telemetry): Promise<string> {
    const { config } = this.sandbox;
    const { api } = await loadPrograms();
    const app = await api(new Config({ ...config, ...difference(config) }), this.clock, telemetry);
    await app.listen(0, '127.0.0.1');
    this.#instances.push(app);
    const { port } = app.getHttpServer().address() as { port: number };
    return `https://localhost:${port}/open-banking/v3.2/register`;
  }

  /** As anotherInstance, of the token app. @returns address of its token endpoint */
  async anotherTokenInstance(difference: (config: Config) => Partial<Config>): Promise<string> {
    const { config } = this.sandbox;
    const { token } = await loadPrograms();
    const app = await token(new Config({ ...config, ...difference(config) }), this.clock);
    await app.listen(0, '127.0.0.1');
    this.#instances.push(app);
    const { port } = app.getHttpServer().address() as { port: number };
    return `https://localhost:${port}/oauth2/token`;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#instances.map((app) => app.close()));
    await this.keyStore.close();
    await this.sandbox.stop();
  }
}

/** Gives a suite the world, which exists only while its tests run. */
export type GetWorld = () => RegistrationWorld;
