import { enrolTpp } from '../../support/apps/sandbox.js';
import { alice, type AuthorizationOutcome, decideInPages } from '../../support/page-browser.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { TestTpp } from '../../support/a-tpp.js';
import {
  ACR_CA,
  ACR_SCA,
  FapiClient,
  registerFapiClient,
  type AuthenticationMethod,
  type Difference,
} from '../../support/a-client.js';

/** The two clients of the conformance suite, once for each way of authenticating and each algorithm. */
export interface ClientPair {
  first: FapiClient;
  /** its redirect URI has a query */
  second: FapiClient;
}

/** The whole service with TPPs of both kinds of key. */
export class FapiWorld {
  sandbox!: TestSandbox;
  readonly clients: FapiClient[] = [];
  readonly #tpps = new Map<string, Parameters<typeof registerFapiClient>[1]>();

  async start(environment: Record<string, string> = {}): Promise<void> {
    this.sandbox = await startTestSandbox({ environment });
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.close();
    await this.sandbox?.stop();
  }

  /** Registers a client of its own organisation. */
  async client(options: {
    method: AuthenticationMethod;
    keyType?: 'rsa' | 'ec';
    name?: string;
    isSecond?: boolean;
    onBehalfOf?: string;
    metadata?: Difference;
  }): Promise<FapiClient> {
    const { method, keyType = 'rsa', name = 'Suite', isSecond = false, onBehalfOf, metadata = {} } = options;
    const callback = `https://${name.toLowerCase()}.example.com/callback`;
    const redirectUri = isSecond ? `${callback}?dummy1=lorem&dummy2=ipsum` : callback;
    const id = `${name} ${keyType} ${isSecond ? 'two' : 'one'}`;
    const software = { name: id, redirectUris: [redirectUri], keyType, onBehalfOf };
    const tpp = this.#tpps.get(id) ?? (await enrolTpp(this.sandbox.directory, software, new Date()));
    this.#tpps.set(id, tpp);
    const client = await registerFapiClient(this.sandbox, tpp, { method, redirectUri, metadata });
    this.clients.push(client);
    return client;
  }

  /** Both clients of the suite's configuration. */
  async pair(method: AuthenticationMethod, keyType: 'rsa' | 'ec'): Promise<ClientPair> {
    return {
      first: await this.client({ method, keyType }),
      second: await this.client({ method, keyType, isSecond: true }),
    };
  }

  /** The UK pre-authorisation, with this product's intent: a consent for a file of payments, uploaded. */
  async stageIntent(client: FapiClient): Promise<string> {
    return (await this.asTpp(client)).stageFile();
  }

  /** The resource side of a client. */
  asTpp(client: FapiClient): Promise<TestTpp> {
    return TestTpp.of(client);
  }

  /** A request object for a new intent, ready to be signed. */
  async request(client: FapiClient, difference: Difference = {}): Promise<Record<string, unknown>> {
    return client.requestObject({ claims: intentClaims(await this.stageIntent(client)), ...difference });
  }

  /** The customer signs in and decides. */
  async decide(url: string, decision: 'approve' | 'decline', customer = alice): Promise<AuthorizationOutcome> {
    return decideInPages(this.sandbox, url, decision, customer);
  }

  /** A whole authorisation with a new intent. */
  async authorise(client: FapiClient, difference: Difference = {}): Promise<Authorised> {
    const claims = await this.request(client, difference);
    const outcome = await this.decide(client.authorizationUrl(claims), 'approve');
    return { claims, outcome, code: (outcome.fragment.get('code') ?? outcome.query.get('code')) || '' };
  }
}

export interface Authorised {
  claims: Record<string, unknown>;
  outcome: AuthorizationOutcome;
  code: string;
}

export function intentClaims(consentId: string, acr?: Difference): Difference {
  return {
    id_token: {
      openbanking_intent_id: { value: consentId, essential: true },
      acr: acr ?? { values: [ACR_SCA, ACR_CA], essential: true },
    },
  };
}

/** @returns the intent that a request is about */
export function intentOf(claims: Difference): string {
  const { id_token: idToken } = claims['claims'] as { id_token: { openbanking_intent_id: { value: string } } };
  return idToken.openbanking_intent_id.value;
}
