import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { findForm, HttpsClient } from '../../support/apps/tpp.js';
import { aConsentRequest, aPaymentRequest, anInitiation } from '../../support/a-consent-request.js';
import { type ApiVersion, aPaymentFile, type TestPaymentFile } from '../../support/a-payment-file.js';
import { TestTpp } from '../../support/a-tpp.js';
import { httpsRequest, type TestRequest, type TestResponse } from '../../support/https-request.js';
import { type AuthorizationOutcome, PageBrowser } from '../../support/page-browser.js';
import type { FapiClient } from '../authorization/fapi-client.js';
import { intentClaims } from '../authorization/fapi-world.js';
import { type Fleet, otherThan, type Version } from './fleet.js';

/** What a journey consists of. */
export type Operation =
  | 'stage'
  | 'upload'
  | 'authorize'
  | 'sign-in'
  | 'second-factor'
  | 'approve'
  | 'token'
  | 'pay'
  | 'approvals'
  | 'further-approval'
  | 'status';

/** Which version each operation of a journey is asked of. */
export type Route = (operation: Operation) => Version;

/** A limit for what hangs, in milliseconds. */
const longestAnswer = 60_000;

/** A file payment that a version has acknowledged. */
export interface AcknowledgedFile {
  readonly filePaymentId: string;
  readonly consentId: string;
  readonly apiVersion: ApiVersion;
  /** how it went, as `stage:old upload:new ...` */
  readonly way: string;
  /** in file order: the TPP's word for each payment, and its amount in pence */
  readonly payments: readonly { readonly name: string; readonly pence: string }[];
}

/** Neither version did it: said, not lost. */
class Refused extends Error {
  override readonly name = 'Refused';
}

const people = {
  alice: {
    username: 'alice',
    password: 'alice-password',
    oneTimeCode: '111111',
    account: 'UK.OBIE.SortCodeAccountNumber:20000112345678',
  },
  bob: {
    username: 'bob',
    password: 'bob-password',
    oneTimeCode: '222222',
    account: 'UK.OBIE.SortCodeAccountNumber:20000155779911',
  },
  carol: { username: 'carol', password: 'carol-password', oneTimeCode: '333333' },
} as const;

/** A TPP, and its customers, whose journeys go from version to version. */
export class CrossingTpp {
  readonly acknowledged: AcknowledgedFile[] = [];
  /** `operation version status`, and how often */
  readonly refusals = new Map<string, number>();
  /** `operation version>operation version`, and how often: what followed each other */
  readonly crossings = new Map<string, number>();
  /** journeys that neither version would continue with */
  readonly abandoned: { readonly way: string; readonly reason: string }[] = [];

  constructor(
    private readonly fleet: Fleet,
    private readonly client: FapiClient,
  ) {}

  /**
   * From the consent to the payment and its status, with one approver or two.
   * @returns the file payment; undefined if it was refused on the way
   */
  async makeJourney(
    route: Route,
    options: { apiVersion: ApiVersion; approvers: 1 | 2; payments?: number },
  ): Promise<AcknowledgedFile | undefined> {
    const journey = new Journey(this.fleet, this.client, route, this);
    try {
      const made = await journey.make(options);
      this.acknowledged.push(made);
      return made;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.abandoned.push({ way: journey.way, reason: error.message });
      return undefined;
    } finally {
      journey.close();
    }
  }

  /** @returns what a version says of a file payment */
  read(version: Version, file: AcknowledgedFile, rest: string, accessToken: string): Promise<TestResponse> {
    const tpp = testTppAt(this.fleet, this.client, version, { accessToken, apiVersion: file.apiVersion });
    return tpp.get(`/file-payments/${file.filePaymentId}${rest}`);
  }
}

function testTppAt(
  fleet: Fleet,
  client: FapiClient,
  version: Version,
  { accessToken, apiVersion }: { accessToken: string; apiVersion: ApiVersion },
): TestTpp {
  const { sandbox, credentials, clientId, agent, provider } = client;
  const base_url = fleet.at(version, sandbox.description.base_url, 'api').replace(/\/$/, '');
  return new TestTpp({
    sandbox: { ...sandbox, description: { ...sandbox.description, base_url } },
    credentials,
    clientId,
    accessToken,
    version: apiVersion,
    agent,
    client: unusedClient,
    provider,
    bankKeys: [],
  });
}

/** Requests of a journey all go by the agent of the client. */
const unusedClient = new HttpsClient({ ca: '' });

const mostPages = 10;

/** In the order of the search: a page that asks for a code also has a button for another one. */
const buttons: readonly { id: string; operation?: Operation; names: readonly string[] }[] = [
  { id: 'sign-in', operation: 'sign-in', names: ['username', 'password'] },
  { id: 'continue', operation: 'second-factor', names: ['one_time_code'] },
  { id: 'approve', names: ['debtor_account'] },
  { id: 'again', operation: 'second-factor', names: [] },
];

/**
 * A customer whose pages and forms may each be answered by another version: pages are linked by their addresses alone.
 */
class CrossingCustomer extends PageBrowser {
  #operation: Operation = 'authorize';
  #page: AuthorizationOutcome | undefined;

  constructor(
    bank: FapiClient['sandbox'],
    /** sends a request to one of the versions, and to the other one if it is refused there */
    private readonly ask: (
      operation: Operation,
      send: (origin: string) => Promise<TestResponse>,
    ) => Promise<TestResponse>,
  ) {
    super(bank);
  }

  /** Follows an address of the bank. */
  async open(operation: Operation, path: string): Promise<void> {
    this.#operation = operation;
    this.#page = await this.get(path);
  }

  /**
   * Fills in each page and presses its button, whichever version made it and in whatever order it asks.
   * @returns where it ends at the TPP, if it does
   */
  async goThrough(
    fields: Readonly<Record<string, string>>,
    { decide, until }: { decide: Operation; until: () => boolean },
  ): Promise<AuthorizationOutcome | undefined> {
    for (let page = 0; page < mostPages && !until(); page += 1) {
      const button = buttons.find(({ id }) => this.sees(` id="${id}"`));
      const action = button && findForm(this.#page?.html ?? '', button.id)?.action;
      if (this.#page === undefined || button === undefined || action === undefined) break;
      const wanted = button.names.filter((name) => this.sees(` name="${name}"`) && fields[name] !== undefined);
      this.#operation = button.operation ?? decide;
      this.#page = await this.force(
        this.#page,
        action,
        Object.fromEntries(wanted.map((name) => [name, fields[name] ?? ''])),
      );
      if (this.#page.kind === 'redirect') return this.#page;
    }
    return undefined;
  }

  /** @returns whether the open page contains this */
  sees(text: string): boolean {
    return this.#page?.html.includes(text) ?? false;
  }

  protected override exchange({ url, ...request }: TestRequest): Promise<TestResponse> {
    const { pathname, search } = new URL(url);
    return this.ask(this.#operation, (origin) =>
      httpsRequest({ ...request, url: new URL(`${pathname}${search}`, origin).href }),
    );
  }
}

class Journey {
  #steps: string[] = [];
  #apiVersion: ApiVersion = '3.1';

  constructor(
    private readonly fleet: Fleet,
    private readonly client: FapiClient,
    private readonly route: Route,
    private readonly notes: Pick<CrossingTpp, 'refusals' | 'crossings'>,
  ) {}

  get way(): string {
    return this.#steps.join(' ');
  }

  close(): void {
    for (const [index, step] of this.#steps.entries()) {
      const before = this.#steps[index - 1];
      if (before !== undefined) count(this.notes.crossings, `${before}>${step}`);
    }
  }

  async make({
    apiVersion,
    approvers,
    payments = 3,
  }: {
    apiVersion: ApiVersion;
    approvers: 1 | 2;
    payments?: number;
  }): Promise<AcknowledgedFile> {
    this.#apiVersion = apiVersion;
    const names = Array.from({ length: payments }, () => randomUUID().slice(0, 30));
    const items = names.map((name, index) => ({ name, pence: String(1_010 + 7 * index) }));
    const file = aPaymentFile({
      version: apiVersion,
      payments,
      item: (index) => ({
        EndToEndIdentification: names[index],
        InstructedAmount: { Amount: toPounds(items[index]?.pence ?? '0'), Currency: 'GBP' },
      }),
    });
    const accessToken = await this.#token({ grant_type: 'client_credentials', scope: 'payments' });
    const consentId = await this.#stage(file, accessToken);
    const code = await this.#approve(consentId, approvers === 1 ? people.alice : people.bob);
    const payToken = await this.#token(this.client.exchange(code));
    const filePaymentId = await this.#pay(consentId, file, payToken);
    if (approvers === 2) await this.#approveFurther(filePaymentId);
    await this.#api('status', (tpp) => tpp.get(`/file-payments/${filePaymentId}`), accessToken, 200);
    return { filePaymentId, consentId, apiVersion, way: this.way, payments: items };
  }

  async #stage(file: TestPaymentFile, token: string): Promise<string> {
    const [stage, upload] = [withKey(), withKey()];
    const body = aConsentRequest({ file });
    const staged = await this.#api('stage', (tpp) => tpp.post('/file-payment-consents', body, stage), token, 201);
    const consentId = String(dataOf(staged)['ConsentId']);
    await this.#api('upload', (tpp) => tpp.upload(consentId, file, upload), token, 200);
    return consentId;
  }

  async #pay(consentId: string, file: TestPaymentFile, token: string): Promise<string> {
    const [body, key] = [aPaymentRequest(consentId, anInitiation(file)), withKey()];
    const paid = await this.#api('pay', (tpp) => tpp.post('/file-payments', body, key), token, 201);
    return String(dataOf(paid)['FilePaymentId']);
  }

  /** @returns the code that comes back with the customer */
  async #approve(consentId: string, who: (typeof people)['alice' | 'bob']): Promise<string> {
    const client = this.client;
    const customer = this.#customer();
    const url = new URL(client.authorizationUrl(client.requestObject({ claims: intentClaims(consentId) })));
    await customer.open('authorize', `${url.pathname}${url.search}`);
    const outcome = await customer.goThrough(
      { username: who.username, password: who.password, one_time_code: who.oneTimeCode, debtor_account: who.account },
      { decide: 'approve', until: () => false },
    );
    const code = outcome?.fragment.get('code');
    if (typeof code !== 'string') throw new Refused(`no code came back: ${String(outcome?.headers.location)}`);
    return code;
  }

  async #approveFurther(filePaymentId: string): Promise<void> {
    const { username, password, oneTimeCode } = people.carol;
    const customer = this.#customer();
    await customer.open('approvals', '/approvals');
    const fields = { username, password, one_time_code: oneTimeCode };
    await customer.goThrough(fields, {
      decide: 'further-approval',
      until: () => customer.sees('href="/approvals/access"'),
    });
    await customer.open('approvals', `/approvals/payment?file_payment=${filePaymentId}`);
    await customer.goThrough(fields, { decide: 'further-approval', until: () => customer.sees('id="outcome"') });
    if (!customer.sees('id="outcome"')) throw new Error('The further approval had no outcome.');
  }

  #customer(): CrossingCustomer {
    const { sandbox, provider } = this.client;
    return new CrossingCustomer(sandbox, (operation, send) =>
      this.#ask(
        operation,
        (version) => send(this.fleet.at(version, provider.authorization_endpoint, 'authorize')),
        [200, 302, 303],
      ),
    );
  }

  async #token(form: Readonly<Record<string, unknown>>): Promise<string> {
    const url = (version: Version): string => this.fleet.at(version, this.client.provider.token_endpoint, 'token');
    const ask = (version: Version): Promise<TestResponse> => this.client.token(form, { url: url(version) });
    return String((await this.#ask('token', ask, [200])).json()['access_token']);
  }

  #api(
    operation: Operation,
    ask: (tpp: TestTpp) => Promise<TestResponse>,
    accessToken: string,
    status: number,
  ): Promise<TestResponse> {
    const parts = { accessToken, apiVersion: this.#apiVersion };
    return this.#ask(operation, (version) => ask(testTppAt(this.fleet, this.client, version, parts)), [status]);
  }

  /**
   * A version that refuses is asked no more; the other one is, as a caller does who is led elsewhere when it tries
   * again.
   */
  async #ask(
    operation: Operation,
    ask: (version: Version) => Promise<TestResponse>,
    statuses: readonly number[],
  ): Promise<TestResponse> {
    const first = this.route(operation);
    let refusal = '';
    for (const version of [first, otherThan(first)]) {
      const answer = await repeatWhileBusy(() => inTime(ask(version), `${operation} at ${version}`));
      if (statuses.includes(answer.status)) {
        this.#steps.push(`${operation} ${version}`);
        return answer;
      }
      count(this.notes.refusals, `${operation} ${version} ${answer.status}`);
      refusal = `${operation} at ${version}: ${answer.status} ${answer.text.slice(0, 300)}`;
    }
    throw new Refused(refusal);
  }
}

const dataOf = (answer: TestResponse): Record<string, unknown> => answer.json()['Data'] as Record<string, unknown>;

const withKey = () => ({ headers: { 'x-idempotency-key': randomUUID() } });

const toPounds = (pence: string): string => `${pence.slice(0, -2)}.${pence.slice(-2)}`;

/** Whoever is told when to come again does so, a few times. */
async function repeatWhileBusy(ask: () => Promise<TestResponse>): Promise<TestResponse> {
  for (let again = 0; again < 3; again += 1) {
    const answer = await ask();
    if (answer.status !== 503 || answer.headers['retry-after'] === undefined) return answer;
    await sleep(1_000);
  }
  return ask();
}

async function inTime<Answer>(answer: Promise<Answer>, what: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${longestAnswer / 1_000} s: ${what}`)), longestAnswer);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
