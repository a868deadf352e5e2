import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Agent } from 'node:https';
import { decodeJwt } from 'jose';
import { runSandboxCommand } from '../../support/apps/commands.js';
import { enrolTpp, readDescription } from '../../support/apps/sandbox.js';
import { register, registrationClaims, signJwt } from '../../support/apps/tpp.js';
import type { ApiVersion } from '../../support/a-payment-file.js';
import { aTpp, aTppIdentity, TestTpp } from '../../support/a-tpp.js';
import { aCertificate } from '../../support/certificates.js';
import { until } from '../../support/expectations.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { areas, DocumentCheck, type Json, type Operation, operationsOf, readDocument } from './api-document.js';
import { DomesticTpp } from '../domestic-payments/domestic-world.js';
import { OfficialDescription } from '../file-payments/official-description.js';
import { DomesticPaymentCalls } from './domestic-payment-calls.js';
import { FilePaymentCalls } from './file-payment-calls.js';

/** The parts of a request; undefined members and headers are not sent. */
export interface Call {
  method?: string;
  path?: string;
  query?: Record<string, string | undefined>;
  headers?: Record<string, string | undefined>;
  body?: string | Buffer;
  agent?: Agent;
}

const resourceServer = { name: 'accounts.bank.example', subject: 'CN=accounts.bank.example,O=Test,C=GB' };
/** Requests that each application handles at once. */
const concurrencyLimit = 24;
/** Requests of one client, by each application, until it is told to wait. */
export const requestLimit = 1_000;

/** Calls a running service by its own documents, and validates every answer against them. */
export class DocumentDriver {
  readonly check = new DocumentCheck();
  readonly operations: readonly Operation[] = areas.flatMap((area) => operationsOf(area));
  readonly sandbox: TestSandbox;
  readonly tpp: TestTpp;
  readonly otherTpp: TestTpp;
  /** of the bank's own resource server */
  readonly bankAgent: Agent;
  /** the calls of file payments, by version */
  readonly filePayments: Readonly<Record<ApiVersion, FilePaymentCalls>>;
  /** likewise of single domestic payments */
  readonly domesticPayments: Readonly<Record<ApiVersion, DomesticPaymentCalls>>;

  constructor(
    parts: Pick<DocumentDriver, 'sandbox' | 'tpp' | 'otherTpp' | 'bankAgent' | 'filePayments' | 'domesticPayments'>,
  ) {
    this.sandbox = parts.sandbox;
    this.tpp = parts.tpp;
    this.otherTpp = parts.otherTpp;
    this.bankAgent = parts.bankAgent;
    this.filePayments = parts.filePayments;
    this.domesticPayments = parts.domesticPayments;
  }

  /** @returns how the kind of an operation is called in its version */
  callsOf({ area }: Operation): FilePaymentCalls | DomesticPaymentCalls {
    const ofKind = area.startsWith('domestic') ? this.domesticPayments : this.filePayments;
    return ofKind[area.endsWith('-4.0') ? '4.0' : '3.1'];
  }

  close(): void {
    const calls = [this.filePayments, this.domesticPayments].flatMap((ofKind) => Object.values(ofKind));
    for (const { tpp } of [...calls, { tpp: this.tpp }, { tpp: this.otherTpp }]) tpp.close();
    this.bankAgent.destroy();
  }

  operation(id: string): Operation {
    const found = this.operations.find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`No document has ${id}.`);
    return found;
  }

  /** @returns the document's schema of a request body, and a finder of others */
  bodySchema(operation: Operation, mediaType: string): { schema: Json; resolve: (ref: string) => Json } {
    const content = operation.item.requestBody?.['content'] as Record<string, Json>;
    const document = readDocument(operation.area);
    const schemas = (document['components'] as { schemas: Record<string, Json> }).schemas;
    const schema = (content[mediaType]?.['schema'] ?? {}) as Json;
    return {
      // If a body may be one of several, the first.
      schema: [schema['oneOf'] ?? schema].flat()[0] as Json,
      resolve: (ref) => schemas[ref.split('/').at(-1) ?? ''] ?? {},
    };
  }

  /** Sends a request and validates the answer against the document. */
  async send(operation: Operation, call: Call): Promise<TestResponse> {
    const response = await this.sendUnchecked(operation, call);
    this.check.check(operation, response);
    const { method = operation.method, path = operation.path } = call;
    const [, version, address] = /^\/open-banking\/v(3\.1|4\.0)\/pisp(.*)$/.exec(path) ?? [];
    if (address !== undefined)
      OfficialDescription.of(version as ApiVersion, 'FILE_PAYMENTS')?.check(method, address, response);
    return response;
  }

  sendUnchecked(operation: Operation, call: Call): Promise<TestResponse> {
    const { method = operation.method, path = operation.path, query = {}, headers = {}, body, agent } = call;
    const url = new URL(`${this.#address(operation)}${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const withBody = body === undefined ? {} : { body };
    return httpsRequest({ url: url.href, method, headers, agent: agent ?? this.tpp.agent, ...withBody });
  }

  /** The sandbox of the committed documents has fixed ports, this one any. */
  #address({ server }: Operation): string {
    const { authorize, token, api } = this.sandbox.ports;
    const ports: Record<string, number> = { 8441: authorize, 8442: token, 8443: api };
    return server.replace(/\d+$/, (port) => String(ports[port]));
  }

  /** @returns a request that the operation answers with its 2xx */
  async goodCall(operation: Operation): Promise<Call> {
    const maker = this.#makers[operation.name] ?? this.callsOf(operation).makers[operation.name];
    if (maker === undefined) throw new Error(`Nobody says how to call ${operation.id}.`);
    return await maker();
  }

  /** @returns a request with valid headers, credentials and form; it need not have an effect */
  async wellFormedCall(operation: Operation): Promise<Call> {
    // A payment that the customer approves takes a dozen requests.
    return /^Create(?:File|Domestic)Payments$/.test(operation.name)
      ? this.callsOf(operation).again()
      : this.goodCall(operation);
  }

  readonly #makers: Record<string, () => Call | Promise<Call>> = {
    authorize: () => this.authorizeCall(),
    authorizeByForm: async () => {
      const { query, agent } = await this.authorizeCall();
      return { ...form(query as Record<string, string>), agent };
    },
    getKeySet: () => ({ agent: this.sandbox.agent }),
    createToken: () => this.formCall({ grant_type: 'client_credentials', scope: 'payments' }),
    pushAuthorizationRequest: async () => this.formCall({ request: await this.#requestWithPkce() }),
    revokeToken: () => this.formCall({ token: 'unknown-token' }),
    introspectToken: () => ({ ...form({ token: this.tpp.accessToken }), agent: this.bankAgent }),
    getUserinfo: () => this.#bearer(this.filePayments['3.1'].customerToken),
    postUserinfo: () => this.#bearer(this.filePayments['3.1'].customerToken),
    GetOpenidConfiguration: () => ({ headers: { accept: 'application/json' } }),
    RegisterClient: () => this.registrationCall(),
    GetClient: () => this.manageCall(this.tpp.clientId),
    UpdateClient: async () => ({ ...this.manageCall(this.tpp.clientId), ...(await this.signedBody()) }),
    DeleteClient: async () => {
      const { tpp } = this;
      const created = await this.sendUnchecked(this.operation('RegisterClient'), await this.registrationCall());
      const { client_id: clientId } = created.json() as { client_id: string };
      const grant = { grant_type: 'client_credentials', scope: 'payments' };
      const { json } = await this.sendUnchecked(this.operation('createToken'), await this.formCall(grant, clientId));
      return this.manageCall(clientId, String(json()['access_token']), tpp.agent);
    },
  };

  #bearer(token: string): Call {
    return { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } };
  }

  manageCall(clientId: string, token = this.tpp.accessToken, agent = this.tpp.agent): Call {
    return { ...this.#bearer(token), path: `/open-banking/v3.2/register/${clientId}`, agent };
  }

  /** A signed registration request, with claims that differ from a valid one. */
  async signedBody(difference: Json = {}): Promise<Call> {
    const { credentials, provider } = this.tpp;
    const claims = { ...registrationClaims(provider, credentials), ...difference };
    const body = await signJwt({ claims, credentials, expiresInSeconds: 300 });
    const { headers } = this.#bearer(this.tpp.accessToken);
    return { body, headers: { ...headers, 'content-type': 'application/jose' } };
  }

  async registrationCall(difference: Json = {}): Promise<Call> {
    const { body, headers } = await this.signedBody(difference);
    return { headers: { ...headers, authorization: undefined }, ...(body !== undefined && { body }) };
  }

  /** A form with private_key_jwt. */
  async formCall(
    values: Record<string, string>,
    clientId = this.tpp.clientId,
    credentials = this.tpp.credentials,
  ): Promise<Call> {
    const { provider } = this.tpp;
    const claims = { iss: clientId, sub: clientId, aud: provider.issuer };
    return form({
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await signJwt({ claims, credentials, expiresInSeconds: 60 }),
      ...values,
    });
  }

  /** @returns a request object as for the authorization endpoint, with the challenge that a pushed one must have */
  async #requestWithPkce(): Promise<string> {
    const { query } = await this.authorizeCall();
    const code_challenge = createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url');
    const claims = { ...decodeJwt(query['request'] ?? ''), code_challenge, code_challenge_method: 'S256' };
    return signJwt({ claims, credentials: this.tpp.credentials, expiresInSeconds: 300 });
  }

  async authorizeCall(consentId?: string): Promise<Call & { query: Record<string, string | undefined> }> {
    const { url } = await this.tpp.createAuthorizationRequest(consentId ?? (await this.tpp.stageFile()));
    return { query: Object.fromEntries(new URL(url).searchParams), agent: this.sandbox.agent };
  }
}

/** A form without client authentication. */
export function form(values: Record<string, string>): Call {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  return { headers, body: new URLSearchParams(values).toString() };
}

/** Starts a service with everything that its documents describe. */
export async function startDocumentDriver(): Promise<DocumentDriver> {
  const bankAuthority = await aCertificate({ profile: 'authority', name: 'Authority of the bank' });
  const sandbox = await startTestSandbox({
    environment: {
      INTROSPECTION_CLIENT_SUBJECTS: resourceServer.subject,
      INTROSPECTION_TRUST_ANCHORS: bankAuthority.certificate,
      REJECT_CONSENT_ON_FILE_MISMATCH: 'false',
      MAX_CONCURRENT_REQUESTS: String(concurrencyLimit),
      // Requests that wait for a table wait as long as possible, all at once.
      DATABASE_POOL_SIZE: String(concurrencyLimit),
      DATABASE_LOCK_TIMEOUT_SECONDS: '14',
      RATE_LIMIT_PER_CLIENT: String(requestLimit),
      RATE_LIMIT_PER_ADDRESS: '10000',
      RATE_LIMIT_WINDOW_SECONDS: '3600',
    },
  });
  // Clients of their own, because many requests count for each client.
  const enrolled: Awaited<ReturnType<typeof enrol>>[] = [];
  for (const name of ['Version 4', 'Single', 'Single in version 4']) enrolled.push(await enrol(sandbox, name));
  const [tpp, otherTpp, further, ofBank] = await Promise.all([
    aTpp(sandbox),
    aTpp(sandbox, { index: 1 }),
    Promise.all(enrolled.map(({ sandbox: known, index }) => aTpp(known, { index }))),
    aCertificate({ profile: 'transport', name: resourceServer.name, issuer: bankAuthority }),
  ]);
  const bankAgent = httpsAgent({
    ca: sandbox.ca,
    certificate: ofBank.certificate,
    privateKey: ofBank.privateKeyPem,
  });
  const [files40, single31, single40] = further as [TestTpp, TestTpp, TestTpp];
  const filePayments = {
    '3.1': await FilePaymentCalls.prepare(tpp),
    '4.0': await FilePaymentCalls.prepare(new TestTpp({ ...files40, version: '4.0' })),
  };
  const domesticPayments = {
    '3.1': await DomesticPaymentCalls.prepare(new DomesticTpp(single31)),
    '4.0': await DomesticPaymentCalls.prepare(new DomesticTpp({ ...single40, version: '4.0' })),
  };
  return new DocumentDriver({ sandbox, tpp, otherTpp, bankAgent, filePayments, domesticPayments });
}

/** @returns a further TPP that the sandbox knows, by its place in sandbox.json */
async function enrol(sandbox: TestSandbox, name: string): Promise<{ sandbox: TestSandbox; index: number }> {
  const redirectUris = [`https://${name.toLowerCase().replaceAll(' ', '-')}.example.com/callback`];
  await enrolTpp(sandbox.directory, { name, redirectUris, keyType: 'ec' }, new Date());
  const description = await readDescription(sandbox.directory);
  return { sandbox: { ...sandbox, description }, index: description.tpps.length - 1 };
}

/** A registered TPP whose keys only registration has fetched when the directory stops serving them. */
export async function aTppWithoutKeys({
  sandbox,
}: DocumentDriver): Promise<Pick<TestTpp, 'agent' | 'client' | 'clientId' | 'credentials'>> {
  const name = 'Out of reach';
  const { sandbox: known, index } = await enrol(sandbox, name);
  const identity = await aTppIdentity(known, index);
  const clientId = await register(identity);
  await runSandboxCommand(sandbox.directory, ['fault', 'set', name, 'directory-dead']);
  return { ...identity, clientId };
}

/**
 * Sends each application more requests than it handles at once, which wait for a table, and waits until no more are
 * accepted.
 * @returns a function that ends them, and waits until requests are accepted again
 */
export async function occupy({ sandbox, tpp }: DocumentDriver): Promise<() => Promise<void>> {
  const { authorization_endpoint: authorize, token_endpoint: token, registration_endpoint: api } = sandbox.description;
  const holder = await sandbox.database.connect();
  await holder.query('BEGIN; LOCK TABLE clients, access_tokens IN ACCESS EXCLUSIVE MODE');
  // One address has a quarter of the places at most.
  const agents = Array.from({ length: 8 }, (_, index) => {
    return new Agent({ ...tpp.agent.options, localAddress: `127.0.0.${2 + index}` });
  });
  const clientId = randomUUID();
  const calls = [
    // Whoever has no session leaves a quarter of the places free.
    { url: `${authorize}?client_id=${clientId}`, headers: { cookie: `__Host-approvals=${'x'.repeat(43)}` } },
    {
      url: token,
      method: 'POST',
      ...form({ grant_type: 'client_credentials', client_id: clientId, client_secret: 'x' }),
    },
    { url: `${api}/${clientId}`, headers: { authorization: `Bearer ${clientId}`, accept: 'application/json' } },
  ];
  const over = new AbortController();
  const repeat = async (call: (typeof calls)[number], agent: Agent): Promise<void> => {
    while (!over.signal.aborted) await httpsRequest({ ...call, agent }).catch(() => undefined);
  };
  const held = calls.flatMap((call) =>
    Array.from({ length: concurrencyLimit + 2 }, (_, index) => repeat(call, agents[index % 8] as Agent)),
  );
  const isFull = async (call: (typeof calls)[number]): Promise<boolean> =>
    (await httpsRequest({ ...call, agent: tpp.agent })).status === 503;
  for (const call of calls) await until(() => isFull(call));
  return async () => {
    over.abort();
    await holder.query('ROLLBACK');
    holder.release();
    await Promise.all(held);
    for (const agent of agents) agent.destroy();
  };
}
