import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { enrolTpp } from '../../../apps/sandbox/src/enrol-tpps.js';
import { httpsRequest } from '../../support/https-request.js';
import { suiteRuns } from './conformance-plans.js';
import { ConformanceSuite, type ModuleResult } from './conformance-suite.js';
import { registerFapiClient, type FapiClient } from './fapi-client.js';
import { FapiWorld } from './fapi-world.js';

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
