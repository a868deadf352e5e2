import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { startSandbox, type RunningSandbox } from '../../support/apps/start-sandbox.js';
import { type ApiVersion, aPaymentFile, type TestPaymentFile } from '../../support/a-payment-file.js';
import { freePorts } from '../../support/free-port.js';
import { httpsAgent, httpsRequest, type TestResponse, type TestRequest } from '../../support/https-request.js';
import { registerFapiClient, type FapiClient } from '../../support/a-client.js';
import { Random } from '../chaos/random.js';
import { Fleet, otherThan, type Version, versions } from './fleet.js';
import { buildProgram, findOlderVersions, type OlderVersion } from './older-program.js';
import { openTestPool } from '../../support/open-test-pool.js';
import { copyCredentials } from '../../support/started-before.js';
import { findForm, HttpsClient } from '../../support/apps/tpp.js';
import { aConsentRequest, aPaymentRequest, anInitiation } from '../../support/a-consent-request.js';
import { TestTpp } from '../../support/a-tpp.js';
import { alice, bob, carol, type AuthorizationOutcome, PageBrowser } from '../../support/page-browser.js';
import { intentClaims } from '../authorization/fapi-world.js';

/** What a journey consists of. */
type Operation =
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
type Route = (operation: Operation) => Version;

/** A file payment that a version has acknowledged. */
interface AcknowledgedFile {
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

/** Which account each of them pays from. */
const accounts = {
  alice: 'UK.OBIE.SortCodeAccountNumber:20000112345678',
  bob: 'UK.OBIE.SortCodeAccountNumber:20000155779911',
} as const;

/** A TPP, and its customers, whose journeys go from version to version. */
class CrossingTpp {
  readonly acknowledged: AcknowledgedFile[] = [];
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
    const journey = new Journey(this.fleet, this.client, route);
    try {
      const made = await journey.make(options);
      this.acknowledged.push(made);
      return made;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.abandoned.push({ way: journey.way, reason: error.message });
      return undefined;
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
  const { sandbox } = client;
  const base_url = fleet.at(version, sandbox.description.base_url, 'api').replace(/\/$/, '');
  const description = { ...sandbox.description, base_url };
  return new TestTpp({
    ...client,
    sandbox: { ...sandbox, description },
    accessToken,
    version: apiVersion,
    client: unusedClient,
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
  ) {}

  get way(): string {
    return this.#steps.join(' ');
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
    const code = await this.#approve(consentId, approvers === 1 ? 'alice' : 'bob');
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
  async #approve(consentId: string, who: keyof typeof accounts): Promise<string> {
    const client = this.client;
    const customer = this.#customer();
    const { username, password, oneTimeCode } = { alice, bob }[who];
    const url = new URL(client.authorizationUrl(client.requestObject({ claims: intentClaims(consentId) })));
    await customer.open('authorize', `${url.pathname}${url.search}`);
    const outcome = await customer.goThrough(
      { username, password, one_time_code: oneTimeCode, debtor_account: accounts[who] },
      { decide: 'approve', until: () => false },
    );
    const code = outcome?.fragment.get('code');
    if (typeof code !== 'string') throw new Refused(`no code came back: ${String(outcome?.headers.location)}`);
    return code;
  }

  async #approveFurther(filePaymentId: string): Promise<void> {
    const { username, password, oneTimeCode } = carol;
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
      const answer = await repeatWhileBusy(() => ask(version));
      if (statuses.includes(answer.status)) {
        this.#steps.push(`${operation} ${version}`);
        return answer;
      }
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

/** The payments of a file in the service's database and in the bank's, in file order. */
interface Account {
  readonly status: string;
  readonly rows: readonly { readonly id: string; readonly isOpen: boolean }[];
  readonly booked: readonly { readonly name: string; readonly pence: string }[];
}

/** Every difference between acknowledged, stored and booked payments; none: nothing was lost or doubled. */
async function findDifferences(
  service: Pool,
  bank: Pool,
  acknowledged: readonly AcknowledgedFile[],
): Promise<string[]> {
  const accounts = await readAccounts(service, bank);
  const known = new Set(acknowledged.map(({ filePaymentId }) => filePaymentId));
  const differences = acknowledged.flatMap((file) => differencesOf(file, accounts.get(file.filePaymentId)));
  for (const id of accounts.keys()) if (!known.has(id)) differences.push(`${id}: nobody was told of it`);
  const { rows: strangers } = await bank.query<{ payment_id: string }>('SELECT payment_id FROM payments');
  const stored = new Set([...accounts.values()].flatMap(({ rows }) => rows.map(({ id }) => id)));
  for (const { payment_id: id } of strangers) if (!stored.has(id)) differences.push(`${id}: only the bank has it`);
  return differences;
}

function differencesOf(file: AcknowledgedFile, account: Account | undefined): string[] {
  const { filePaymentId, way, payments } = file;
  if (account === undefined) return [`${filePaymentId}: it is not stored (${way})`];
  const found = {
    status: account.status,
    rows: account.rows.length,
    open: account.rows.filter(({ isOpen }) => isOpen).length,
    booked: JSON.stringify(account.booked),
  };
  const expected = {
    status: 'InitiationCompleted',
    rows: payments.length,
    open: 0,
    booked: JSON.stringify(payments.map(({ name, pence }) => ({ name, pence }))),
  };
  return (Object.keys(expected) as (keyof typeof expected)[])
    .filter((name) => found[name] !== expected[name])
    .map((name) => `${filePaymentId}: ${name} ${found[name]}, not ${expected[name]} (${way})`);
}

async function readAccounts(service: Pool, bank: Pool): Promise<Map<string, Account>> {
  const { rows: files } = await service.query<{ id: string; status: string }>(
    'SELECT payment_order_id AS id, status FROM payment_orders',
  );
  const { rows: payments } = await service.query<{ id: string; file: string; status: string }>(
    'SELECT payment_id AS id, payment_order_id AS file, status FROM payments ORDER BY position',
  );
  const { rows: booked } = await bank.query<{ id: string; name: string; pence: string }>(
    `SELECT payment_id AS id, instruction->>'endToEndIdentification' AS name, pence FROM payments`,
  );
  const books = new Map(booked.map(({ id, name, pence }) => [id, { name, pence }]));
  const accounts = files.map(({ id, status }): [string, Account] => {
    const own = payments.filter(({ file }) => file === id);
    const rows = own.map((row) => ({ id: row.id, isOpen: row.status === 'Pending' }));
    return [id, { status, rows, booked: rows.flatMap((row) => books.get(row.id) ?? []) }];
  });
  return new Map(accounts);
}

/** @returns the number of acknowledged files with payments that are still to be made */
async function countOpen(service: Pool): Promise<number> {
  const { rows } = await service.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM payment_orders WHERE status = 'InitiationPending'`,
  );
  return rows[0]?.open ?? 0;
}

/**
 * Changes of acknowledged files that were recorded not at all or twice. In either version each change has an event, an
 * audit event and an entry for reconciliation. The same for clients, which are registered and deleted once.
 */
async function findWrongRecords(service: Pool): Promise<unknown[]> {
  const { rows: clients } = await service.query(
    `SELECT * FROM (
       SELECT client_id, status,
              (SELECT count(*)::int FROM audit_events AS event
                WHERE event.client_id = client.client_id AND event.action = 'registration.create') AS creations,
              (SELECT count(*)::int FROM audit_events AS event WHERE event.client_id = client.client_id
                  AND event.action = 'registration.status' AND event.details ->> 'to' = 'Deleted') AS deletions
         FROM clients AS client) AS found
      WHERE creations <> 1 OR deletions <> (status = 'Deleted')::int`,
  );
  const { rows } = await service.query(
    `SELECT * FROM (
       SELECT file.payment_order_id, file.approvals_received, file.status,
              (SELECT count(*)::int FROM reconciliations AS known WHERE known.consent_id = file.consent_id) AS reconciliations,
              (SELECT array_agg(event.status ORDER BY event.status) FROM domain_events AS event
                WHERE event.resource_id = file.consent_id) AS of_consent,
              (SELECT array_agg(event.status) FROM domain_events AS event
                WHERE event.resource_id = file.payment_order_id AND event.event_type = 'file-payment.status') AS of_file,
              (SELECT count(*)::int FROM domain_events AS event
                WHERE event.resource_id = file.payment_order_id AND event.event_type = 'file-payment.approval') AS approvals,
              (SELECT array_agg(event.action ORDER BY event.action) FROM audit_events AS event
                WHERE event.details ->> 'consentId' = file.consent_id::text AND event.action LIKE 'consent.%') AS trail_of_consent,
              (SELECT count(*)::int FROM audit_events AS event
                WHERE event.details ->> 'filePaymentId' = file.payment_order_id::text AND event.action = 'payment.approved') AS trail_of_approvals
         FROM payment_orders AS file WHERE file.status = 'InitiationCompleted') AS found
      WHERE reconciliations <> 1 OR of_consent IS DISTINCT FROM ARRAY['Authorised', 'Consumed']
         OR of_file IS DISTINCT FROM ARRAY['InitiationCompleted'] OR approvals <> approvals_received - 1
         OR trail_of_consent IS DISTINCT FROM ARRAY['consent.authorised'] OR trail_of_approvals <> approvals_received - 1`,
  );
  return [...clients, ...rows];
}

/** Seconds of each rolling step: one, or more by hand. The requests are random, except in CI. */
const stepSeconds = Number(process.env['UPGRADE_STEP_SECONDS'] ?? '1');
const seed = Number(process.env['UPGRADE_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const callers = 3;
/** Operations unknown to the older version are not sent to it. */
const apiVersions: [ApiVersion, ...ApiVersion[]] = ['3.1', '4.0'];
const drainSeconds = 120;
/** A limit for what hangs, on a machine that is busy with much else. */
const longestMilliseconds = 900_000 + 6_000 * stepSeconds;

const older = await findOlderVersions();
if (typeof older === 'string') process.stderr.write(`The upgrade test is skipped: ${older}.\n`);

/**
 * No limit on requests: all of them come from this machine. A short lease, so that the work of a stopped worker is soon
 * taken over.
 */
const environment = {
  RATE_LIMIT_PER_ADDRESS: '0',
  RATE_LIMIT_PER_CLIENT: '0',
  SIGN_INS_PER_ADDRESS: '0',
  PAYMENT_LEASE_SECONDS: '3',
  LOG_LEVEL: 'error',
};

/** Two versions on one database, with access to both. */
class World {
  private constructor(
    readonly sandbox: RunningSandbox & { ca: string; agent: Agent },
    readonly fleet: Fleet,
    readonly client: FapiClient,
    readonly service: Pool,
    readonly bank: Pool,
  ) {}

  static async start(oldProgram: string): Promise<World> {
    const directory = await mkdtemp(join(tmpdir(), 'upgrade-'));
    await copyCredentials(directory);
    const running = await startSandbox({ directory, ports: await freePorts(), apps: {}, environment });
    const ca = await readFile(resolve(running.description.ca_file), 'utf8');
    const sandbox = { ...running, ca, agent: httpsAgent({ ca }) };
    const programs = { old: oldProgram, new: resolve('.') };
    const fleet = await Fleet.start(programs, sandbox, environment).catch(async (error) => {
      await running.stop();
      throw error;
    });
    const client = await registerAt(sandbox, fleet, 'old');
    const service = openTestPool({ connectionString: sandbox.databaseUrl, max: 2 });
    const bank = openTestPool({ connectionString: sandbox.postgres.url('sandbox_bank'), max: 2 });
    // They end together with the database.
    for (const pool of [service, bank]) pool.on('error', () => undefined);
    return new World(sandbox, fleet, client, service, bank);
  }

  async stop(): Promise<void> {
    await this.fleet.stop();
    this.client.close();
    this.sandbox.agent.destroy();
    await Promise.all([this.service.end(), this.bank.end()]);
    await this.sandbox.stop();
    await this.sandbox.postgres.remove();
    await rm(this.sandbox.directory, { recursive: true, force: true });
  }

  /** Waits until every file payment has ended, or the time is up. */
  async drain(seconds: number): Promise<boolean> {
    const deadline = Date.now() + seconds * 1_000;
    while ((await countOpen(this.service)) > 0) {
      if (Date.now() > deadline) return false;
      await sleep(100);
    }
    return true;
  }
}

/** A client that one version has registered. */
function registerAt(sandbox: World['sandbox'], fleet: Fleet, version: Version): Promise<FapiClient> {
  const [tpp] = sandbox.description.tpps;
  if (tpp === undefined) throw new Error('The sandbox has a TPP.');
  const registration_endpoint = fleet.at(version, sandbox.description.registration_endpoint, 'api');
  const reachable = { ...sandbox, description: { ...sandbox.description, registration_endpoint } };
  return registerFapiClient(reachable, tpp, { method: 'private_key_jwt' });
}

/**
 * Each way of a file through the versions: uploaded, approved and paid at any of them, and what belongs to such a step
 * at the other one, so that every operation follows every other one of the other version.
 */
function everyRoute(): Route[] {
  const chosen = versions.flatMap((upload) =>
    versions.flatMap((approve) => versions.map((pay) => ({ upload, approve, pay }))),
  );
  return chosen.map(({ upload, approve, pay }) => {
    const places: Readonly<Record<Operation, Version>> = {
      stage: otherThan(upload),
      upload,
      authorize: otherThan(approve),
      'sign-in': approve,
      'second-factor': otherThan(approve),
      approve,
      token: otherThan(pay),
      pay,
      approvals: pay,
      'further-approval': otherThan(pay),
      status: otherThan(pay),
    };
    return (operation) => places[operation];
  });
}

/**
 * Each way once, in turn with one approver and with two, and two by two in each version of the API: in the other one
 * with the other worker.
 */
async function makeEachCrossing(tpp: CrossingTpp, worker: Version): Promise<void> {
  const turn = worker === 'old' ? 0 : 1;
  for (const [index, route] of everyRoute().entries()) {
    const apiVersion = apiVersions[((index >> 1) + turn) % 2] ?? '3.1';
    await tpp.makeJourney(route, { apiVersion, approvers: (index + turn) % 2 === 0 ? 1 : 2 });
  }
  for (const version of versions) await tpp.makeJourney(() => version, { apiVersion: '3.1', approvers: 1 });
}

/** Under load, instances of a new version take over one after the other, and then the old version returns. */
async function roll(world: World, tpp: CrossingTpp, random: Random): Promise<void> {
  const both = versions;
  const steps: readonly (readonly Version[])[] = [['old'], both, ['new'], both, ['old'], both];
  for (const serving of steps) {
    world.fleet.serving = serving;
    await world.fleet.employ(...serving);
    const endsAt = Date.now() + stepSeconds * 1_000;
    const route: Route = () => random.pick(serving as [Version, ...Version[]]);
    const call = async (): Promise<void> => {
      do {
        const [apiVersion, approvers] = [random.pick(apiVersions), random.pick<1 | 2>([1, 1, 2])];
        await tpp.makeJourney(route, { apiVersion, approvers, payments: random.between(1, 12) });
      } while (Date.now() < endsAt);
    };
    await Promise.all(Array.from({ length: callers }, call));
  }
}

/** Each version reads, changes and ends clients of the other. */
async function crossRegistration({ sandbox, fleet }: World, made: Version): Promise<void> {
  const other = otherThan(made);
  const client = await registerAt(sandbox, fleet, made);
  const grant = { grant_type: 'client_credentials', scope: 'payments' };
  const url = fleet.at(other, client.provider.token_endpoint, 'token');
  const granted = await client.token(grant, { url });
  expect({ made, other, granted: granted.status }).toEqual({ made, other, granted: 200 });
  const ask = (method: string, version: Version): Promise<TestResponse> =>
    httpsRequest({
      url: fleet.at(version, `${sandbox.description.registration_endpoint}/${client.clientId}`, 'api'),
      method,
      headers: { authorization: `Bearer ${String(granted.json()['access_token'])}`, accept: 'application/json' },
      agent: client.agent,
    });
  for (const version of versions) {
    const read = await ask('GET', version);
    expect({ version, status: read.status, id: read.json()['client_id'] }).toEqual({
      version,
      status: 200,
      id: client.clientId,
    });
  }
  expect((await ask('DELETE', other)).status).toBe(204);
  for (const version of versions) expect((await ask('GET', version)).status).toBe(401);
  client.close();
}

/** The crossings one by one, first with the older worker and then with the newer one; then all of it under load. */
async function practise(world: World, tpp: CrossingTpp): Promise<void> {
  for (const worker of versions) {
    await world.fleet.employ(worker);
    await makeEachCrossing(tpp, worker);
    // The newer worker finishes what the older one must not.
    await world.drain(worker === 'old' ? 20 : drainSeconds);
  }
  for (const version of versions) await crossRegistration(world, version);
  await roll(world, tpp, new Random(seed));
  await world.drain(drainSeconds);
}

/**
 * The newer version reports every payment; the older one does too, or says that it cannot.
 * @returns the number of reports that the older one could not give
 */
async function expectReports({ fleet, client }: World, tpp: CrossingTpp): Promise<number> {
  const url = fleet.at('new', client.provider.token_endpoint, 'token');
  const token = await client.token({ grant_type: 'client_credentials', scope: 'payments' }, { url });
  let refused = 0;
  for (const file of tpp.acknowledged) {
    for (const version of versions) {
      const report = await tpp.read(version, file, '/report-file', String(token.json()['access_token']));
      if (version === 'old' && report.status >= 400) {
        refused += 1;
        continue;
      }
      const { Data } = report.json() as { Data: { DomesticPayments: { EndToEndIdentification: string }[] } };
      expect(Data.DomesticPayments.map((item) => item.EndToEndIdentification)).toEqual(
        file.payments.map(({ name }) => name),
      );
    }
  }
  return refused;
}

/** A summary for the output. */
function summarise({ acknowledged, abandoned }: CrossingTpp): string {
  const payments = acknowledged.flatMap((file) => file.payments);
  return `${acknowledged.length} file payments of ${payments.length} payments; ${abandoned.length} journeys refused`;
}

describe('a version beside the one before it, on the newer schema', () => {
  let world: World | undefined;
  afterEach(async () => {
    await world?.stop();
    world = undefined;
  });

  const loseNothing = async ({ commit, title }: OlderVersion): Promise<void> => {
    console.log(`UPGRADE_SEED=${seed} UPGRADE_STEP_SECONDS=${stepSeconds}`);
    const startedAt = performance.now();
    const program = await buildProgram(commit);
    const builtAfter = Math.round(performance.now() - startedAt);
    world = await World.start(program);
    const { fleet, client, service, bank } = world;
    const readyAfter = Math.round(performance.now() - startedAt);
    const tpp = new CrossingTpp(fleet, client);
    await practise(world, tpp);
    console.log(
      `${title} (${commit.slice(0, 10)}): built after ${builtAfter} ms, ready after ${readyAfter} ms, ` +
        `${Math.round(performance.now() - startedAt)} ms in all; ${summarise(tpp)}`,
    );
    expect(fleet.ended).toEqual([]);
    expect(await findDifferences(service, bank, tpp.acknowledged)).toEqual([]);
    expect(await findWrongRecords(service)).toEqual([]);
    const unreported = await expectReports(world, tpp);
    if (unreported > 0) console.log(`${unreported} reports could be read at the newer version only.`);
    // A journey in the newer version alone is never refused, and some are made in both.
    expect(tpp.abandoned.filter(({ way }) => !way.includes('old'))).toEqual([]);
    for (const apiVersion of apiVersions) {
      const made = tpp.acknowledged.filter((file) => file.apiVersion === apiVersion);
      expect(made.some(({ way }) => way.includes('old') && way.includes('new'))).toBe(true);
    }
  };

  if (typeof older === 'string') it.skip('loses nothing, forward and back', () => undefined);
  else it.each(older)('loses nothing, forward and back: $title', loseNothing, longestMilliseconds);
});
