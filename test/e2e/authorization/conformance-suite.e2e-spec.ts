import { createServer as createHttpsServer } from 'node:https';
import { createServer, request, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { enrolTpp } from '../../support/apps/sandbox.js';
import { httpsRequest } from '../../support/https-request.js';
import { suiteRuns } from './conformance-plans.js';
import { registerFapiClient, type FapiClient } from '../../support/a-client.js';
import { FapiWorld } from './fapi-world.js';
import { aCertificate } from '../../support/certificates.js';

/** A module of a plan, with its result. */
interface ModuleResult {
  name: string;
  /** PASSED, REVIEW (somebody has to look at a page), SKIPPED, WARNING, FAILED */
  result: string;
  /** what the suite says went wrong */
  findings: string[];
}

interface Plan {
  id: string;
  modules: { testModule: string; variant?: object }[];
}

interface LogEntry {
  result?: string;
  src?: string;
  msg?: string;
}

const ended = ['FINISHED', 'INTERRUPTED'];

/** The OpenID Foundation's conformance suite, running on this machine in its development mode, without TLS. */
class ConformanceSuite {
  readonly #address: URL;
  readonly #base: URL;
  readonly #servers: Server[] = [];

  /**
   * @param address where the suite listens, http
   * @param base its `fintechlabs.base_url`, the address that it believes to have; https and not localhost, because
   * redirect URIs must be
   */
  constructor(address: string, base: string) {
    this.#address = new URL(address);
    this.#base = new URL(base);
  }

  /** @returns the redirect URI of the tests under an alias */
  callback(alias: string, query = ''): string {
    return `${this.#base.origin}/test/a/${alias}/callback${query}`;
  }

  /**
   * Ends TLS in front of the suite.
   * @param proxyPort of a proxy that delays a little, as a network does: the suite's TLS probes keep writing after the
   *   server has refused them, and without a delay they lose the alert
   */
  async serve(proxyPort: number): Promise<void> {
    const { privateKeyPem: key, certificate: cert } = await aCertificate({
      profile: 'server',
      name: this.#base.hostname,
    });
    const forwarded = {
      host: this.#base.host,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': this.#base.hostname,
      'x-forwarded-port': this.#base.port,
    };
    const front = createHttpsServer({ key, cert }, (incoming, answer) => {
      const { url: path, method, headers } = incoming;
      const { hostname, port } = this.#address;
      const onward = request({ hostname, port, path, method, headers: { ...headers, ...forwarded } }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      incoming.pipe(onward);
    });
    await this.#listen(front, Number(this.#base.port));
    await this.#listen(createSlowProxy(), proxyPort);
  }

  stop(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  createPlan(name: string, variant: object, config: object): Promise<Plan> {
    const query = new URLSearchParams({ planName: name, variant: JSON.stringify(variant) });
    return this.#ask<Plan>('POST', `plan?${query.toString()}`, JSON.stringify(config));
  }

  /** Runs one module to its end. */
  async run(plan: Plan, { testModule: test, variant }: Plan['modules'][number]): Promise<ModuleResult> {
    const query = new URLSearchParams({ test, plan: plan.id, ...(variant && { variant: JSON.stringify(variant) }) });
    const { id } = await this.#ask<{ id: string }>('POST', `runner?${query.toString()}`);
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const info = await this.#ask<{ status?: string; result?: string }>('GET', `info/${id}`);
      if (ended.includes(info.status ?? '')) {
        const { result = 'FAILED' } = info;
        return { name: test, result, findings: result === 'PASSED' ? [] : await this.#findings(id) };
      }
      await pause(200);
    }
    return { name: test, result: 'FAILED', findings: ['It did not end within two minutes.'] };
  }

  async #findings(id: string): Promise<string[]> {
    const entries = await this.#ask<LogEntry[]>('GET', `log/${id}`);
    return entries
      .filter(({ result }) => result === 'FAILURE' || result === 'WARNING')
      .map(({ result, src, msg }) => `${result} ${src}: ${msg}`.slice(0, 500));
  }

  async #ask<Answer>(method: string, path: string, body?: string): Promise<Answer> {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': this.#base.host,
    };
    const response = await fetch(new URL(`/api/${path}`, this.#address), { method, headers, ...(body && { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as Answer;
  }

  async #listen(server: Server, port: number): Promise<void> {
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  }
}

/** Accepts CONNECT and forwards everything 15 ms later. */
function createSlowProxy(): Server {
  const server = createServer();
  server.on('connect', ({ url = '' }, client: Socket) => {
    const target = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    passSlowly(client, target);
    passSlowly(target, client);
  });
  return server;
}

const later = (step: () => void): NodeJS.Timeout => setTimeout(step, 15);

function passSlowly(from: Socket, to: Socket): void {
  from.on('data', (bytes: Buffer) => later(() => to.writable && to.write(bytes)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => later(() => to.end()));
}

// The OpenID Foundation's own suite, which is not part of this repository: see README.md here. CONFORMANCE_SUITE is its
// address.
const address = process.env['CONFORMANCE_SUITE'];
const base = process.env['CONFORMANCE_SUITE_BASE'] ?? 'https://suite.example.com:9543';
const proxyPort = Number(process.env['CONFORMANCE_SUITE_PROXY_PORT'] ?? 9555);
const only = new RegExp(process.env['CONFORMANCE_MODULES'] ?? '');
const describeWithSuite = address === undefined ? describe.skip : describe;

const alias = 'open-banking-provider';
/** Modules that must end on a page of the bank; somebody has to look at its picture. */
const endsOnPage = [
  'ensure-registered-redirect-uri',
  'ensure-request-object-without-redirect-uri-fails',
  'ensure-redirect-uri-in-authorization-request',
  'par-attempt-to-use-request_uri-for-different-client',
];

describeWithSuite.each(
  suiteRuns.map((run) => [`${run.plan}, ${run.keyType}, ${Object.values(run.variant).join(', ')}`, run] as const),
)('%s', (_title, { plan: planName, variant, method, keyType, metadata }) => {
  const isUk = variant['fapi_profile'] === 'openbanking_uk';
  const world = new FapiWorld();
  const suite = new ConformanceSuite(address ?? 'http://localhost', base);
  let config: object;

  beforeAll(async () => {
    await Promise.all([world.start({ PLAIN_CODE_FLOW: 'refuse' }), suite.serve(proxyPort)]);
    const { agent, description, ca } = world.sandbox;
    const discovered = (await httpsRequest({ url: description.discovery_uri, agent })).json();
    const [first, second] = [await aClient(''), await aClient('?dummy1=lorem&dummy2=ipsum')];
    config = {
      alias,
      description: 'sandbox',
      server: { discoveryUrl: description.discovery_uri },
      client: clientOf(first),
      client2: clientOf(second),
      mtls: certificateOf(first, ca),
      mtls2: certificateOf(second, ca),
      resource: {
        resourceUrl: isUk ? `${description.base_url}/open-banking/v3.1/aisp/` : String(discovered['userinfo_endpoint']),
      },
      options: { browsercontrol_css_enable: false },
      ...browserOf(new URL(description.authorization_endpoint).origin, isUk),
    };
  });

  afterAll(async () => {
    suite.stop();
    await world.stop();
  });

  async function aClient(query: string): Promise<FapiClient> {
    const redirectUri = suite.callback(alias, query);
    const tpp = { name: `Suite ${query === '' ? 'one' : 'two'}`, redirectUris: [redirectUri], keyType };
    const enrolled = await enrolTpp(world.sandbox.directory, tpp, new Date());
    const grant_types = ['authorization_code', 'client_credentials', 'refresh_token'];
    return registerFapiClient(world.sandbox, enrolled, {
      method,
      redirectUri,
      metadata: { grant_types, scope: 'openid accounts', ...metadata },
    });
  }

  it('finds nothing', async () => {
    const plan = await suite.createPlan(planName, variant, config);
    const results: ModuleResult[] = [];
    for (const module of plan.modules.filter(({ testModule }) => only.test(testModule))) {
      results.push(await suite.run(plan, module));
    }
    const counts = new Map<string, number>();
    for (const { result } of results) counts.set(result, (counts.get(result) ?? 0) + 1);
    console.log(Object.fromEntries(counts));
    expect(results.filter((each) => !isExpected(each))).toEqual([]);
  }, 900_000);
});

/** A module's name in both families of plans. */
const named = (name: string): string[] => [`fapi1-advanced-final-${name}`, `fapi2-security-profile-final-${name}`];

/** What only a bank in production can put right: its keys are in the directory's key store. */
const ofProduction = 'CheckJwksUriIsHostedOnOpenBankingDirectory';

function isExpected({ name, result, findings }: ModuleResult): boolean {
  if (result === 'WARNING') return findings.every((finding) => finding.includes(ofProduction));
  if (result === 'REVIEW') return endsOnPage.some((page) => named(page).includes(name));
  return result === 'PASSED' || result === 'SKIPPED';
}

function clientOf({ clientId, credentials }: FapiClient): object {
  const { signingKey, signingKid: kid, signingAlgorithm: alg } = credentials;
  const key = { ...signingKey.export({ format: 'jwk' }), kid, alg, use: 'sig' };
  return { client_id: clientId, scope: 'openid accounts', jwks: { keys: [key] } };
}

function certificateOf({ credentials }: FapiClient, ca: string): object {
  return { cert: credentials.transportCertificate, key: credentials.transportKey, ca };
}

/**
 * What the suite's browser does in the customer's pages.
 * @param choosesAccount whether the page has accounts to choose from
 */
function browserOf(origin: string, choosesAccount: boolean): object {
  const answered = {
    task: 'Answered',
    match: `*/test/a/${alias}/callback*`,
    commands: [['wait', 'id', 'submission_complete', 10]],
  };
  const signIn = {
    task: 'Sign in',
    optional: true,
    match: `${origin}/oauth2/authorize*`,
    commands: [
      ['text', 'id', 'username', 'alice'],
      ['text', 'id', 'password', 'alice-password'],
      ['click', 'id', 'sign-in'],
    ],
  };
  const oneTimeCode = {
    task: 'One-time code',
    optional: true,
    match: `${origin}/challenge*`,
    commands: [
      ['text', 'id', 'one-time-code', '111111'],
      ['click', 'id', 'continue'],
    ],
  };
  const consent = {
    task: 'Consent',
    optional: true,
    match: `${origin}/consent*`,
    commands: [...(choosesAccount ? [['click', 'name', 'accounts']] : []), ['click', 'id', 'approve']],
  };
  const on = (task: string, ...commands: unknown[]) => ({ task, match: `${origin}/oauth2/authorize*`, commands });
  const browser = (...tasks: object[]): object[] => [{ match: `${origin}/*`, tasks }];
  const page = browser(on('Error page', ['wait', 'id', 'error-code', 10, '.*', 'update-image-placeholder']));
  const journey = browser(signIn, consent, oneTimeCode, answered);

  const overrides: [string, object[]][] = [
    ...endsOnPage.map((name): [string, object[]] => [name, page]),
    ['user-rejects-authentication', browser(on('Decline', ['click', 'id', 'decline']), answered)],
    // The first visit only looks; the second one signs in.
    [
      'par-ensure-reused-request-uri-prior-to-auth-completion-succeeds',
      [
        {
          match: `${origin}/*`,
          'match-limit': 1,
          tasks: [on('Look', ['wait', 'id', 'username', 10, '.*', 'update-image-placeholder-optional'])],
        },
        ...journey,
      ],
    ],
  ];
  return {
    browser: journey,
    override: Object.fromEntries(
      overrides.flatMap(([name, tasks]) => named(name).map((module) => [module, { browser: tasks }])),
    ),
  };
}
