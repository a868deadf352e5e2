import { enrolTpp } from '../../support/apps/sandbox.js';
import { HttpsClient } from '../../support/apps/tpp.js';
import { assertForm } from '../../support/assert-form.js';
import { httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { TestTpp } from '../../support/a-tpp.js';
import {
  ACR_CA,
  ACR_SCA,
  FapiClient,
  registerFapiClient,
  toOutcome,
  type AuthenticationMethod,
  type AuthorizationOutcome,
  type Difference,
  type ReachableSandbox,
} from './fapi-client.js';

/** The two clients of the conformance suite, once for each way of authenticating and each algorithm. */
export interface ClientPair {
  first: FapiClient;
  /** its redirect URI has a query */
  second: FapiClient;
}

/** What a customer sees in the pages; test material of the sandbox. */
export const alice = { username: 'alice', password: 'alice-password', oneTimeCode: '111111' };

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
    metadata?: Difference;
  }): Promise<FapiClient> {
    const { method, keyType = 'rsa', name = 'Suite', isSecond = false, metadata = {} } = options;
    const callback = `https://${name.toLowerCase()}.example.com/callback`;
    const redirectUri = isSecond ? `${callback}?dummy1=lorem&dummy2=ipsum` : callback;
    const id = `${name} ${keyType} ${isSecond ? 'two' : 'one'}`;
    const known = this.#tpps.get(id);
    const tpp = known ?? (await enrolTpp(this.#folder, { name: id, redirectUris: [redirectUri], keyType }, new Date()));
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

  get #folder(): string {
    return this.sandbox.directory;
  }

  /** The UK pre-authorisation, with this product's intent: a consent for a file of payments, uploaded. */
  async stageIntent(client: FapiClient): Promise<string> {
    return (await this.asTpp(client)).stageFile();
  }

  /** The resource side of a client. */
  async asTpp(client: FapiClient): Promise<TestTpp> {
    const response = await client.token({ grant_type: 'client_credentials', scope: 'payments' });
    if (response.status !== 200) throw new Error(`No token: ${response.text}`);
    return new TestTpp({
      sandbox: this.sandbox,
      credentials: client.credentials,
      clientId: client.clientId,
      accessToken: String(response.json()['access_token']),
      agent: client.agent,
      client: new HttpsClient({ ca: this.sandbox.ca }),
      provider: client.provider,
      bankKeys: [],
    });
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

/** The customer signs in and decides; of several accounts the first one is chosen. */
export async function decideInPages(
  sandbox: ReachableSandbox,
  url: string,
  decision: 'approve' | 'decline',
  customer = alice,
): Promise<AuthorizationOutcome> {
  const browser = new PageBrowser(sandbox);
  const page = await browser.get(url);
  if (page.kind === 'redirect') return page;
  if (decision === 'decline') return browser.submit(page, '/decline');
  return approveInPages(browser, await signIn(browser, page, customer), customer);
}

/** @returns the page after the password */
export function signIn(
  browser: PageBrowser,
  page: AuthorizationOutcome,
  { username, password } = alice,
): Promise<AuthorizationOutcome> {
  return browser.submit(page, '/sign-in', { username, password });
}

/** From the page that says what it is about: an account if there is a choice, the button, the code. */
export async function approveInPages(
  browser: PageBrowser,
  page: AuthorizationOutcome,
  { oneTimeCode }: { oneTimeCode: string },
  account = /name="debtor_account"[^>]* value="([^"]+)"/.exec(page.html)?.[1],
): Promise<AuthorizationOutcome> {
  const asked = await browser.submit(page, '/consent', account === undefined ? {} : { debtor_account: account });
  return asked.kind === 'redirect' ? asked : browser.submit(asked, '/challenge', { one_time_code: oneTimeCode });
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

type FormFields = Readonly<Record<string, string | readonly string[]>>;

/** Keeps cookies, sends forms with their hidden fields, follows redirects inside the bank. */
export class PageBrowser {
  readonly cookies = new Map<string, string>();

  constructor(private readonly sandbox: ReachableSandbox) {}

  async get(url: string): Promise<AuthorizationOutcome> {
    return this.#go('GET', url);
  }

  /** The form of another site. */
  async post(url: string, form: string): Promise<AuthorizationOutcome> {
    return this.#go('POST', url, form);
  }

  /** Sends a form of the page. Decline may be a link to the page that asks why. */
  async submit(page: AuthorizationOutcome, path: string, fields: FormFields = {}): Promise<AuthorizationOutcome> {
    const [, link] = (path.endsWith('/decline') && /id="decline"[^>]* href="([^"]+)"/.exec(page.html)) || [];
    if (link === undefined) {
      assertForm(page.html, path);
      return this.force(page, path, fields);
    }
    return this.submit(await this.get(new URL(link.replaceAll('&amp;', '&'), this.#origin).href), path, fields);
  }

  /** Sends what the page need not have a form for, with its hidden fields. */
  async force(page: AuthorizationOutcome, path: string, fields: FormFields = {}): Promise<AuthorizationOutcome> {
    const hidden = [...page.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
    const form = new URLSearchParams();
    const all = { ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])), ...fields };
    for (const [name, values] of Object.entries(all)) for (const value of [values].flat()) form.append(name, value);
    return this.#go('POST', new URL(path, this.#origin).href, form.toString());
  }

  get #origin(): string {
    return new URL(this.sandbox.description.authorization_endpoint).origin;
  }

  async #go(method: string, url: string, body?: string): Promise<AuthorizationOutcome> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await httpsRequest({
      url,
      method,
      agent: this.sandbox.agent,
      headers: {
        cookie: cookie === '' ? undefined : cookie,
        'content-type': body === undefined ? undefined : 'application/x-www-form-urlencoded',
      },
      ...(body !== undefined && { body }),
    });
    for (const line of response.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.cookies.set(name, value);
    }
    const { location } = response.headers;
    const target = location === undefined ? undefined : new URL(location, url);
    if (target?.origin === this.#origin) return this.#go('GET', target.href);
    return toOutcome(response);
  }
}
