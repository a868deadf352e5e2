import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  attackGroups,
  type AttackGroup,
  type Attacker,
  type Finding,
  checkIngress,
  forgeCredentials,
  isWholeWall,
} from '../../support/apps/ingress-check.js';
import {
  requestToken,
  approve,
  confirm,
  signIn,
  CustomerBrowser,
  HttpsClient,
  register,
} from '../../support/apps/tpp.js';
import { appNames, type AppName } from './bank-host.js';
import { httpsRequest } from '../../support/https-request.js';
import { importOnce } from '../../support/import-once.js';
import { IngressWorld } from './ingress-world.js';
import { haproxyRows, nginxStreamRows } from './pass-through-removals.js';
import { missingPrograms, type Form } from './proxy.js';
import { describeRow, groupOf, removalOf, type Necessity, type Removal, type Row } from './removals.js';
import { nginxTerminatingRows } from './terminating-removals.js';
import type { WeakInstances as Instances, Weakness } from './weak-instances.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { anInitiation } from '../../support/a-consent-request.js';
import { aTppIdentity, fetchBankKeys, TestTpp } from '../../support/a-tpp.js';
import type { SandboxAccess } from '../../support/a-client.js';
import { freePort } from '../../support/free-port.js';

/** The self-test, with certificates of unknown authorities that are made once. */
async function check(attacker: Attacker): Promise<Finding[]> {
  return checkIngress(attacker, new Date(), (like, now) => (forged ??= forgeCredentials(like, now)));
}
let forged: ReturnType<typeof forgeCredentials> | undefined;

/** The findings, in short. */
function faultsOf(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ verdict }) => verdict !== 'held')
    .map(({ profile, attack, verdict, detail }) => `${profile}: ${attack}: ${verdict}: ${detail}`);
}

/** Runs the self-test, which must fail with this finding. */
async function expectFound(attacker: Attacker, found: string): Promise<void> {
  expectFinding(await check(attacker), found);
}

function expectFinding(findings: readonly Finding[], found: string): void {
  expect(isWholeWall(findings)).toBe(false);
  expect(faultsOf(findings)).toContainEqual(expect.stringContaining(found));
}

/** Attacks that end with a time-out. */
const waiting: readonly AttackGroup[] = ['silence', 'sizes', 'flood'];

/** A limit for what hangs, not a measure. */
const mostPatienceSeconds = 60;

/** Runs the self-test, which must not have this finding; waits longer each time, because the machine may be busy. */
async function expectNotFound(attacker: Attacker & { patienceSeconds: number }, found: string): Promise<void> {
  const { patienceSeconds } = attacker;
  const faults = faultsOf(await check(attacker));
  const isFound = faults.some((fault) => fault.includes(found));
  const isWaiting = attacker.only?.some((group) => waiting.includes(group)) === true;
  if (isFound && isWaiting && patienceSeconds < mostPatienceSeconds) {
    return expectNotFound({ ...attacker, patienceSeconds: 2 * patienceSeconds }, found);
  }
  expect(faults).not.toContainEqual(expect.stringContaining(found));
}

/** What came of one journey. */
interface JourneyResult {
  consentStatus: string;
  paymentStatus: number;
  filePaymentId: string;
}

/** @returns a registered TPP, each of its requests sent on its own connection */
async function aSpreadTpp(access: SandboxAccess): Promise<TestTpp> {
  const identity = await aTppIdentity(access);
  const reconnect = (): void => {
    identity.client.close();
    access.agent.destroy();
  };
  const clientId = await register(identity);
  reconnect();
  const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
  const { access_token: accessToken } = await requestToken({ ...identity, clientId, grant });
  reconnect();
  const bankKeys = await fetchBankKeys(access);
  reconnect();
  return new TestTpp({ sandbox: access, ...identity, clientId, accessToken, bankKeys });
}

/**
 * The whole way of a payment file, from consent to report. Before every step all connections are closed, so that the
 * ingress may send it to another instance: also between the pages of one sign-in.
 */
async function makeJourney(tpp: TestTpp): Promise<JourneyResult> {
  const browserClient = new HttpsClient({ ca: tpp.sandbox.ca });
  const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (const connections of [tpp.client, browserClient]) connections.close();
    tpp.agent.destroy();
    return work();
  };
  const file = aPaymentFile({ payments: 3 });
  const consentId = await step(() => tpp.stageConsent(file));
  const uploaded = await step(() => tpp.upload(consentId, file));
  if (uploaded.status !== 200) throw new Error(`The file was refused: ${uploaded.text}`);
  const request = await tpp.createAuthorizationRequest(consentId);
  const [customer] = tpp.sandbox.description.customers;
  if (!customer) throw new Error('The sandbox has no customer.');
  const browser = new CustomerBrowser(browserClient, request.redirectUri);
  await step(() => browser.open(request.url));
  await step(() => signIn(browser, customer));
  const accountName = customer.accounts[0]?.name ?? '';
  await step(() => approve(browser, { accountName, expected: [] }));
  const location = await step(() => confirm(browser, customer));
  const consent = { consentId, initiation: anInitiation(file), location, request };
  const accessToken = await step(() => tpp.exchangeCode(consent));
  const paid = await step(() => tpp.pay(consent, { accessToken }));
  const { FilePaymentId: filePaymentId } = (paid.json()['Data'] ?? {}) as { FilePaymentId: string };
  const read = await step(() => tpp.get(`/file-payments/${filePaymentId}`));
  const consentStatus = await step(() => tpp.consentStatus(consentId));
  browserClient.close();
  return { consentStatus, paymentStatus: paid.status === 201 ? read.status : paid.status, filePaymentId };
}

/** More than any of the configurations takes from one address. */
const floodCount = 1_500;
/** Shorter than any limit that is not made shorter. */
const patienceSeconds = 0.8;

/**
 * @param removals of the form: those that say the same of another application are removed and attacked with it
 * @returns what is found without the directive of this row
 */
async function attackWithout(
  world: IngressWorld,
  form: Form,
  row: Removal,
  removals: readonly Removal[],
): Promise<Finding[]> {
  const alike = removals.filter((each) => groupOf(each) === groupOf(row));
  const port = await freePort();
  const whole = world.attacker(form);
  const isAlone = ['forms', 'flood', 'silence', 'sizes'].includes(row.by);
  const attacker = {
    ...whole,
    targets: whole.targets.filter(({ profile }) => !isAlone || alike.some(({ found }) => found.startsWith(profile))),
    only: [row.by],
    floodCount,
    patienceSeconds,
    impostor: { address: '127.0.0.1', port },
  };
  const behind = row.behind && { authorize: port, token: port, api: port };
  if (row.shortened !== undefined) {
    await world.startIngress(form, { change: removalOf(form, row, row.shortened) });
    await expectNotFound(attacker, row.found);
  }
  if (behind) {
    await world.startIngress(form, { behind });
    await expectNotFound(attacker, row.found);
  }
  const change = (text: string): string => alike.reduce((left, each) => removalOf(form, each)(left), text);
  await world.startIngress(form, { change, ...(behind && { behind }) });
  return check(attacker);
}

const missing = missingPrograms();
if (missing !== undefined) process.stderr.write(`The ingress tests are skipped: ${missing} is not installed.\n`);
const describeIngress = missing === undefined ? describe : describe.skip;

const everythingButSilence = attackGroups.filter((group) => group !== 'silence');

const passThroughForms: readonly Form[] = ['haproxy-pass-through', 'nginx-pass-through'];

describeIngress('the shipped ingress configurations', () => {
  let world: IngressWorld;
  let WeakInstances: typeof Instances;
  const silence = new Map<Form, Promise<Finding[]>>();

  beforeAll(async () => {
    world = await IngressWorld.create();
    // The modules that the worker has loaded for the sandbox, not a second copy of them.
    ({ WeakInstances } = await importOnce<typeof import('./weak-instances.js')>('../e2e/ingress/weak-instances.ts'));
  });

  afterAll(async () => {
    await Promise.allSettled(silence.values());
    await world?.stop();
  });

  /** A journey, and enough requests besides that every instance must have got some. */
  async function expectJourneyOverAllInstances(): Promise<void> {
    const { sandbox, description } = world;
    const tpp = await aSpreadTpp({ description, ca: sandbox.ca, agent: sandbox.agent });
    const { filePaymentId, ...result } = await makeJourney(tpp);
    expect(result).toEqual({ consentStatus: 'Consumed', paymentStatus: 200 });
    expect(filePaymentId).not.toBe('');
    const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
    for (let count = 0; count < 8; count += 1) {
      tpp.client.close();
      await requestToken({ ...tpp, grant });
    }
    tpp.close();
    for (const instance of world.instances) {
      expect({ app: instance.app, port: instance.port, isUsed: (await instance.answered()) > 0 }).toMatchObject({
        isUsed: true,
      });
    }
  }

  /**
   * Connections that say nothing are left open for a while: at an ingress of their own, while everything else is done.
   */
  async function keepSilent(forms: readonly Form[]): Promise<void> {
    for (const form of forms) {
      const second = await world.startSecondIngress(form);
      const findings = check({ ...second.attacker, only: ['silence'], patienceSeconds: mostPatienceSeconds });
      silence.set(
        form,
        findings.finally(() => second.stop()),
      );
    }
  }

  /** The first instance of each application. */
  function portsOfInstances(): Record<AppName, number> {
    const ports = appNames.map((app) => [app, world.instances.find((instance) => instance.app === app)?.port ?? 0]);
    return Object.fromEntries(ports) as Record<AppName, number>;
  }

  describe.each<{ form: Form; rows: readonly Row[] }>([
    { form: 'haproxy-pass-through', rows: haproxyRows },
    { form: 'nginx-pass-through', rows: nginxStreamRows },
    { form: 'nginx-terminating', rows: nginxTerminatingRows },
  ])('$form', ({ form, rows }) => {
    beforeAll(async () => {
      const isRunning = world.instances.length > 0 && form !== 'nginx-terminating';
      if (!isRunning) await world.startInstances(form);
      await world.startIngress(form);
      // Silent connections of both pass-through forms, opened when the first of them begins.
      if (!isRunning) await keepSilent(form === 'nginx-terminating' ? [form] : passThroughForms);
    }, 400_000);

    it('carries the whole journey, its requests spread over three instances of each application', async () => {
      await expectJourneyOverAllInstances();
    });

    it("leads the payment hub's reports to the API, which knows them by their signature alone", async () => {
      const [url, agent] = [`${world.url('api')}/bank/v1/payment-outcomes`, world.sandbox.agent];
      const headers = { 'content-type': 'application/jwt' };
      const { status, headers: answered } = await httpsRequest({
        url,
        agent,
        method: 'POST',
        headers,
        body: 'no.such.report',
      });
      expect({ status, isFromService: 'x-fapi-interaction-id' in answered }).toEqual({
        status: 401,
        isFromService: true,
      });
    });

    it('leaves no hole, neither in front nor behind', async () => {
      const attacker = { ...world.attacker(form, portsOfInstances()), floodCount };
      const only = everythingButSilence.filter((group) => group !== 'impostor');
      expect(faultsOf(await check({ ...attacker, only }))).toEqual([]);
    });

    const removals = rows.filter((row): row is Removal => 'found' in row);
    const findings = new Map<string, Promise<Finding[]>>();

    it.each(removals.map((row) => ({ ...row, what: `${describeRow(row)} ${row.instead ?? ''}`.trim() })))(
      'without "$what", "$found" is found',
      async (row) => {
        const group = groupOf(row);
        const found = findings.get(group) ?? attackWithout(world, form, row, removals);
        findings.set(group, found);
        expectFinding(await found, row.found);
      },
    );

    it('ends connections that say nothing', async () => {
      expect(faultsOf((await silence.get(form)) ?? [])).toEqual([]);
      expect(await silence.get(form)).not.toHaveLength(0);
    });

    const necessities = rows.filter((row): row is Necessity => 'isNecessary' in row);
    it.each(necessities.map((row) => ({ ...row, what: describeRow(row) })))(
      'without "$what" it does not start',
      async (row) => {
        await expect(world.startIngress(form, { change: removalOf(form, row) })).rejects.toThrow('has ended');
      },
    );
  });

  // What the self-test finds here is not among what it finds without a directive of an ingress.
  describe('with one protection of the applications removed, in pass-through form', () => {
    const form = 'haproxy-pass-through';
    let weak: Instances;

    beforeAll(async () => {
      weak = await WeakInstances.start(world.environment(form));
      await world.startIngress(form, { behind: weak.ports });
    });

    afterAll(() => weak?.stop());

    it.each<{ weakness: Weakness; by: AttackGroup; found: string }>([
      { weakness: 'chain not verified', by: 'certificates', found: 'api: expired certificate: hole' },
      { weakness: 'Host not looked at', by: 'hosts', found: 'api: Host of another profile: hole' },
      { weakness: 'two Hosts taken', by: 'hosts', found: 'token: two Hosts: hole' },
      { weakness: 'server name not looked at', by: 'instances', found: 'different SNI and Host: hole' },
    ])('$weakness: "$found"', async ({ weakness, by, found }) => {
      await weak.without(weakness, () =>
        expectFound({ ...world.attacker(form, weak.ports), only: [by], patienceSeconds }, found),
      );
    });

    it.each<{ weakness: Weakness; base: Weakness; found: string; seconds: number }>([
      {
        weakness: 'handshakes waited for',
        base: 'handshakes given little time',
        found: 'api: silence after the ClientHello: hole',
        seconds: patienceSeconds,
      },
      {
        weakness: 'heads of requests waited for',
        base: 'heads given little time',
        found: 'api: silence after the handshake: hole',
        // Node looks once a second.
        seconds: 1.8,
      },
    ])('$weakness: "$found"', async ({ weakness, base, found, seconds }) => {
      const attacker = { ...world.attacker(form), only: ['silence' as const], patienceSeconds: seconds };
      await weak.without(base, () => expectNotFound(attacker, found));
      await weak.without(weakness, () => expectFound(attacker, found));
    });

    it('revocation not asked for: "api: revoked certificate"', async () => {
      const settings = { CLIENT_CERTIFICATE_REVOCATION: 'off' };
      const careless = await WeakInstances.start(world.environment(form, settings), ['api']);
      try {
        const { api } = careless.ports;
        await world.startIngress(form, { behind: { authorize: api, token: api, api } });
        const attacker = world.attacker(form);
        const targets = attacker.targets.filter(({ profile }) => profile === 'api');
        await expectFound({ ...attacker, targets, only: ['certificates'] }, 'api: revoked certificate: hole');
      } finally {
        await careless.stop();
      }
    });
  });

  describe('with one protection of the applications removed, behind an ingress that ends TLS', () => {
    const form = 'nginx-terminating';
    let weak: Instances;

    beforeAll(async () => {
      weak = await WeakInstances.start(world.environment(form));
    });

    afterAll(() => weak?.stop());

    const askInstances = (ports: Readonly<Partial<Record<AppName, number>>>): Attacker => ({
      ...world.attacker(form, ports),
      targets: [],
      only: ['instances'],
    });

    it.each<{ weakness: Weakness; found: string }>([
      { weakness: 'TLS 1.1 spoken', found: 'TLS 1.1: hole' },
      { weakness: 'every suite accepted', found: 'weak suites under TLS 1.2: hole' },
      { weakness: 'sessions resumed', found: 'session of its own resumed (TLSv1.2): hole' },
      { weakness: 'Host not looked at', found: 'unknown Host: hole' },
      { weakness: 'two Hosts taken', found: 'two Hosts: hole' },
    ])('$weakness: "$found" at every application', async ({ weakness, found }) => {
      const findings = await weak.without(weakness, () => check(askInstances(weak.ports)));
      const holes = faultsOf(findings).filter((fault) => fault.includes(found));
      expect(holes.map((fault) => fault.split(':', 1)[0])).toEqual(appNames);
    });

    it.each<{ weakness: Weakness; found: string }>([
      { weakness: 'chain not verified', found: 'certificate from the ingress, of another authority: hole' },
      { weakness: 'chain not verified', found: 'certificate from the ingress, expired: hole' },
      { weakness: 'headers of other forms passed over', found: 'of another form from the ingress (client-cert): hole' },
    ])('$weakness: "$found"', async ({ weakness, found }) => {
      await weak.without(weakness, () => expectFound(askInstances(weak.ports), found));
    });

    it.each<{ settings: () => Record<string, string>; found: string; weakness?: Weakness }>([
      { settings: () => ({ INGRESS_ADDRESSES: '0.0.0.0/0' }), found: 'header from another address: hole' },
      {
        settings: () => ({ INGRESS_TRUST_ANCHORS: world.sandbox.ca }),
        found: 'header from a client: hole',
      },
      {
        settings: () => ({ CLIENT_CERTIFICATE_REVOCATION: 'off' }),
        found: 'certificate from the ingress, revoked: hole',
      },
      {
        // In the other forms two values in one header make no sense; in this one the last counts.
        settings: () => ({ CLIENT_CERTIFICATE_SOURCE: 'envoy' }),
        weakness: 'a header twice taken',
        found: 'header twice from the ingress: hole',
      },
    ])('"$found"', async ({ settings, found, weakness }) => {
      const careless = await WeakInstances.start(world.environment(form, settings()), ['api']);
      try {
        const attack = () => expectFound(askInstances(careless.ports), found);
        await (weakness === undefined ? attack() : careless.without(weakness, attack));
      } finally {
        await careless.stop();
      }
    });
  });
});
