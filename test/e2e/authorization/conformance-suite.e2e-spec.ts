import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { enrolTpp } from '../../../apps/sandbox/src/enrol-tpps.js';
import { httpsRequest } from '../../support/https-request.js';
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

describeWithSuite.each([
  ['plain_fapi', 'private_key_jwt', 'rsa', 'by_value'],
  ['plain_fapi', 'private_key_jwt', 'ec', 'by_value'],
  ['plain_fapi', 'tls_client_auth', 'rsa', 'by_value'],
  ['plain_fapi', 'tls_client_auth', 'ec', 'by_value'],
  ['plain_fapi', 'tls_client_auth', 'rsa', 'pushed'],
  ['openbanking_uk', 'private_key_jwt', 'rsa', 'by_value'],
  ['openbanking_uk', 'tls_client_auth', 'rsa', 'by_value'],
  ['openbanking_uk', 'tls_client_auth', 'rsa', 'pushed'],
] as const)('fapi1-advanced-final-test-plan, %s, %s, %s, %s', (profile, method, keyType, requestMethod) => {
  const world = new FapiWorld();
  const suite = new ConformanceSuite(address ?? 'http://localhost', base);
  let config: object;

  beforeAll(async () => {
    await Promise.all([world.start(), suite.serve(proxyPort)]);
    const { agent, description, ca } = world.sandbox;
    const metadata = (await httpsRequest({ url: description.discovery_uri, agent })).json();
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
        resourceUrl:
          profile === 'plain_fapi'
            ? String(metadata['userinfo_endpoint'])
            : `${description.base_url}/open-banking/v3.1/aisp/`,
      },
      options: { browsercontrol_css_enable: false },
      ...browserOf(new URL(description.authorization_endpoint).origin, profile === 'openbanking_uk'),
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
    const metadata = {
      grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
      scope: 'openid accounts',
    };
    return registerFapiClient(world.sandbox, enrolled, { method, redirectUri, metadata });
  }

  it('finds nothing', async () => {
    const variant = {
      fapi_profile: profile,
      client_auth_type: method === 'tls_client_auth' ? 'mtls' : method,
      fapi_auth_request_method: requestMethod,
      fapi_response_mode: 'plain_response',
    };
    const plan = await suite.createPlan('fapi1-advanced-final-test-plan', variant, config);
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

const named = (name: string): string => `fapi1-advanced-final-${name}`;

function isExpected({ name, result }: ModuleResult): boolean {
  if (result === 'REVIEW') return endsOnPage.some((page) => name === named(page));
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

  return {
    browser: journey,
    override: {
      ...Object.fromEntries(endsOnPage.map((name) => [named(name), { browser: page }])),
      [named('user-rejects-authentication')]: { browser: browser(on('Decline', ['click', 'id', 'decline']), answered) },
      // The first visit only looks; the second one signs in.
      [named('par-ensure-reused-request-uri-prior-to-auth-completion-succeeds')]: {
        browser: [
          {
            match: `${origin}/*`,
            'match-limit': 1,
            tasks: [on('Look', ['wait', 'id', 'username', 10, '.*', 'update-image-placeholder-optional'])],
          },
          ...journey,
        ],
      },
    },
  };
}
