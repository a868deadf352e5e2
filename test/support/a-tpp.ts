import { randomUUID, type JsonWebKey } from 'node:crypto';
import type { Agent } from 'node:https';
import { resolve } from 'node:path';
import {
  approve,
  confirm,
  signIn,
  CustomerBrowser,
  HttpsClient,
  createAuthorizationRequest,
  type AuthorizationRequest,
  register,
  requestToken,
  type ProviderMetadata,
  loadTppCredentials,
  type TppCredentials,
  type SandboxTpp,
} from './apps/tpp.js';
import { aConsentRequest, aPaymentRequest, anInitiation, type Members } from './a-consent-request.js';
import { type ApiVersion, aPaymentFile, type TestPaymentFile } from './a-payment-file.js';
import { aJwsHeader, signDetached, withoutB64 } from './detached-jws.js';
import { httpsAgent, httpsRequest, type TestRequest, type TestResponse } from './https-request.js';
import type { TestSandbox } from './start-test-sandbox.js';

/** Header names with values; undefined: not sent. */
export type Headers = NonNullable<TestRequest['headers']>;

/** Differences of a resource request from a valid one. */
export interface Differences {
  method?: string;
  headers?: Headers;
  /** members of the signature's header */
  jws?: Members;
  accessToken?: string;
  agent?: Agent;
}

/** A consent that the customer has approved. */
export interface AuthorisedConsent {
  consentId: string;
  initiation: Record<string, unknown>;
  /** address the customer was sent back to, with code and ID token */
  location: string;
  request: AuthorizationRequest;
}

/** What a TPP needs to know about a sandbox, in this process or in another. */
export type SandboxAccess = Pick<TestSandbox, 'description' | 'ca' | 'agent'>;

/** The parts of a {@link TestTpp}. */
export type TestTppParts = Pick<
  TestTpp,
  'sandbox' | 'credentials' | 'clientId' | 'accessToken' | 'agent' | 'client' | 'provider' | 'bankKeys'
>;

/** A customer in the sandbox: alice has money, bob shares an account, dave has none. */
export type CustomerName = 'alice' | 'bob' | 'carol' | 'dave';

/** A registered TPP with a token. All its requests are valid, unless a test changes them. */
export class TestTpp {
  readonly sandbox: SandboxAccess;
  /** version of the API that it uses */
  readonly version: ApiVersion;
  readonly credentials: TppCredentials;
  readonly clientId: string;
  readonly accessToken: string;
  readonly agent: Agent;
  readonly client: HttpsClient;
  readonly provider: ProviderMetadata;
  readonly bankKeys: readonly (JsonWebKey & { kid?: string })[];

  constructor(parts: TestTppParts & { version?: ApiVersion }) {
    this.sandbox = parts.sandbox;
    this.version = parts.version ?? '3.1';
    this.credentials = parts.credentials;
    this.clientId = parts.clientId;
    this.accessToken = parts.accessToken;
    this.agent = parts.agent;
    this.client = parts.client;
    this.provider = parts.provider;
    this.bankKeys = parts.bankKeys;
  }

  /** @returns address of a file payment resource */
  url(path: string): string {
    return `${this.sandbox.description.base_url}/open-banking/v${this.version}/pisp${path}`;
  }

  /** GET, or another method without a body. */
  get(path: string, { method = 'GET', headers, accessToken, agent }: Differences = {}): Promise<TestResponse> {
    return httpsRequest({
      url: this.url(path),
      method,
      headers: { authorization: `Bearer ${accessToken ?? this.accessToken}`, accept: 'application/json', ...headers },
      agent: agent ?? this.agent,
    });
  }

  /** POST with a new idempotency key and a signature over the body. */
  post(path: string, body: string | Buffer, differences: Differences = {}): Promise<TestResponse> {
    const { method = 'POST', headers, jws, accessToken, agent } = differences;
    return httpsRequest({
      url: this.url(path),
      method,
      body,
      headers: {
        authorization: `Bearer ${accessToken ?? this.accessToken}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'x-idempotency-key': randomUUID(),
        'x-jws-signature': this.sign(body, jws),
        ...headers,
      },
      agent: agent ?? this.agent,
    });
  }

  /** @returns x-jws-signature over a body */
  sign(body: string | Buffer, members?: Members): string {
    const header = aJwsHeader(this.credentials, { ...(this.version === '3.1' ? {} : withoutB64), ...members });
    return signDetached(body, this.credentials.signingKey, header);
  }

  /** @returns a payment file of its version */
  file(options: Parameters<typeof aPaymentFile>[0] = {}): TestPaymentFile {
    return aPaymentFile({ version: this.version, ...options });
  }

  /** Stages a consent for a file. */
  async stageConsent(file: TestPaymentFile = this.file(), initiation: Members = {}): Promise<string> {
    const response = await this.post('/file-payment-consents', aConsentRequest({ file, initiation }));
    if (response.status !== 201) throw new Error(`The consent was refused: ${response.text}`);
    return (response.json()['Data'] as { ConsentId: string }).ConsentId;
  }

  /** Uploads a file to a consent. */
  upload(consentId: string, file: TestPaymentFile, differences: Differences = {}): Promise<TestResponse> {
    return this.post(`/file-payment-consents/${consentId}/file`, file.body, differences);
  }

  /** Stages a consent with its file. */
  async stageFile(file: TestPaymentFile = this.file(), initiation: Members = {}): Promise<string> {
    const consentId = await this.stageConsent(file, initiation);
    const response = await this.upload(consentId, file);
    if (response.status !== 200) throw new Error(`The file was refused: ${response.text}`);
    return consentId;
  }

  /** Has a customer approve a consent with its file in the pages. */
  async authorise(
    file: TestPaymentFile = this.file(),
    options: { initiation?: Members; customer?: CustomerName; accountName?: string } = {},
  ): Promise<AuthorisedConsent> {
    const { initiation = {}, customer = 'alice', accountName } = options;
    const consentId = await this.stageFile(file, initiation);
    const request = await this.createAuthorizationRequest(consentId);
    const location = await this.approveInPages(request, customer, accountName);
    return { consentId, initiation: anInitiation(file, initiation), location, request };
  }

  /** @returns the address to send the customer to */
  createAuthorizationRequest(consentId: string): Promise<AuthorizationRequest> {
    const { provider, credentials, clientId } = this;
    return createAuthorizationRequest({ provider, credentials, clientId, consentId });
  }

  /** @returns the address at the TPP that the bank leads back to after the approval */
  async approveInPages(
    request: Pick<AuthorizationRequest, 'url' | 'redirectUri'>,
    customerName: CustomerName = 'alice',
    accountName?: string,
  ): Promise<string> {
    const customer = this.sandbox.description.customers.find(({ username }) => username === customerName);
    if (!customer) throw new Error(`There is no ${customerName}.`);
    const client = new HttpsClient({ ca: this.sandbox.ca });
    try {
      const browser = new CustomerBrowser(client, request.redirectUri);
      await browser.open(request.url);
      await signIn(browser, customer);
      await approve(browser, { accountName: accountName ?? customer.accounts[0]?.name ?? '', expected: [] });
      return await confirm(browser, customer);
    } finally {
      client.close();
    }
  }

  /** @returns the token for the code that came back with the customer */
  async exchangeCode({ location, request }: AuthorisedConsent): Promise<string> {
    const code = new URLSearchParams(new URL(location).hash.slice(1)).get('code') ?? '';
    const { client, provider, credentials, clientId } = this;
    const grant = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: request.redirectUri,
      scope: 'payments',
    } as const;
    return (await requestToken({ client, provider, credentials, clientId, grant })).access_token;
  }

  /** POST /file-payments for an approved consent. */
  pay(
    { consentId, initiation }: Pick<AuthorisedConsent, 'consentId' | 'initiation'>,
    differences: Differences = {},
  ): Promise<TestResponse> {
    return this.post('/file-payments', aPaymentRequest(consentId, initiation), differences);
  }

  /** @returns the consent's status, by the API */
  async consentStatus(consentId: string): Promise<string> {
    const { Data } = (await this.get(`/file-payment-consents/${consentId}`)).json() as { Data: { Status: string } };
    return Data.Status;
  }

  /** Closes its connections. */
  close(): void {
    this.agent.destroy();
    this.client.close();
  }
}

/** Registers one of the sandbox's TPPs (by its index in sandbox.json) and gets it a token for payments. */
export async function aTpp(sandbox: SandboxAccess, options: { index?: number } = {}): Promise<TestTpp> {
  const identity = await aTppIdentity(sandbox, options.index);
  const clientId = await register(identity);
  const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
  const { access_token: accessToken } = await requestToken({ ...identity, clientId, grant });
  return new TestTpp({ sandbox, ...identity, clientId, accessToken, bankKeys: await fetchBankKeys(sandbox) });
}

/** @returns one of the sandbox's TPPs before it has registered, with its connections */
export async function aTppIdentity(
  { description, ca }: SandboxAccess,
  index = 0,
): Promise<Pick<TestTpp, 'credentials' | 'client' | 'agent' | 'provider'>> {
  const credentials = await credentialsOf(description.tpps[index]);
  const identity = { certificate: credentials.transportCertificate, privateKey: credentials.transportKey };
  const client = new HttpsClient({ ca, ...identity });
  return { credentials, client, agent: httpsAgent({ ca, ...identity }), provider: description };
}

/** @returns the public keys of the bank */
export async function fetchBankKeys({ description, agent }: SandboxAccess): Promise<TestTpp['bankKeys']> {
  const jwks = await httpsRequest({ url: description.jwks_uri, agent });
  return (jwks.json() as { keys: (JsonWebKey & { kid?: string })[] }).keys;
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
