import { randomUUID, type JsonWebKey } from 'node:crypto';
import type { Agent } from 'node:https';
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
} from './apps/tpp.js';
import { aConsentRequest, aPaymentRequest, anInitiation, type Members } from './a-consent-request.js';
import { type ApiVersion, aPaymentFile, type TestPaymentFile } from './a-payment-file.js';
import { agentOf, credentialsOf, FapiClient, type SandboxAccess } from './a-client.js';
import { aJwsHeader, signDetached, withoutB64 } from './detached-jws.js';
import { httpsRequest, type TestRequest, type TestResponse } from './https-request.js';

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

/** What a {@link TestTpp} has of its own, beside what every client has. */
type TestTppParts = Pick<
  TestTpp,
  'sandbox' | 'credentials' | 'clientId' | 'accessToken' | 'agent' | 'client' | 'provider'
> &
  Partial<Pick<TestTpp, 'version' | 'bankKeys' | 'method' | 'clientSecret' | 'redirectUri'>>;

/** A customer in the sandbox: alice has money, bob shares an account, dave has none. */
export type CustomerName = 'alice' | 'bob' | 'carol' | 'dave';

/** A client with a token that uses the resources. All its requests are valid, unless a test changes them. */
export class TestTpp extends FapiClient {
  /** version of the API that it uses */
  readonly version: ApiVersion;
  readonly accessToken: string;
  readonly client: HttpsClient;
  readonly bankKeys: readonly (JsonWebKey & { kid?: string })[];

  constructor(parts: TestTppParts) {
    const { sandbox, credentials, provider, agent, method = 'private_key_jwt', clientId, clientSecret = '' } = parts;
    const redirectUri = parts.redirectUri ?? credentials.redirectUris[0] ?? '';
    super(sandbox, credentials, provider, agent, method, clientId, clientSecret, redirectUri);
    this.version = parts.version ?? '3.1';
    this.accessToken = parts.accessToken;
    this.client = parts.client;
    this.bankKeys = parts.bankKeys ?? [];
  }

  /** @returns the resource side of a client, with a token of its own */
  static async of(client: FapiClient, version: ApiVersion = '3.1'): Promise<TestTpp> {
    const response = await client.token({ grant_type: 'client_credentials', scope: 'payments' });
    if (response.status !== 200) throw new Error(`No token: ${response.text}`);
    const accessToken = String(response.json()['access_token']);
    return new TestTpp({ ...client, accessToken, version, client: new HttpsClient({ ca: client.sandbox.ca }) });
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
        'x-jws-signature': this.signBody(body, jws),
        ...headers,
      },
      agent: agent ?? this.agent,
    });
  }

  /** @returns x-jws-signature over a body */
  signBody(body: string | Buffer, members?: Members): string {
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
  override close(): void {
    super.close();
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
  return { credentials, client, agent: agentOf(credentials, ca), provider: description };
}

/** @returns the public keys of the bank */
export async function fetchBankKeys({ description, agent }: SandboxAccess): Promise<TestTpp['bankKeys']> {
  const jwks = await httpsRequest({ url: description.jwks_uri, agent });
  return (jwks.json() as { keys: (JsonWebKey & { kid?: string })[] }).keys;
}
