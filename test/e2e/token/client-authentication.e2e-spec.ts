import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  randomUUID,
  X509Certificate,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { join } from 'node:path';
import { issueCertificate, type Issuer, type CertificateProfile } from '../../support/apps/certificates.js';
import { Name, X509Certificate as ParsedCertificate } from '@peculiar/x509';
import { expectOAuthError } from '../../support/expectations.js';
import { leastMilliseconds } from '../../support/least-milliseconds.js';
import { httpsAgent, openConnections, type TestResponse } from '../../support/https-request.js';
import {
  seconds,
  type AuthenticationMethod,
  type Difference,
  type FapiClient,
  type SigningDifference,
} from '../authorization/fapi-client.js';
import { FapiWorld, type ClientPair } from '../authorization/fapi-world.js';

const world = new FapiWorld();
const agents: Agent[] = [];
beforeAll(() => world.start());
afterAll(async () => {
  for (const agent of agents) agent.destroy();
  await world.stop();
});

const grant = { grant_type: 'client_credentials', scope: 'payments' };

/** The shape of every error; 401 only with invalid_client. */
function expectRefusal(response: TestResponse, ...errors: string[]): void {
  const { error } = response.json();
  expect(errors).toContain(error);
  expectOAuthError(response, error === 'invalid_client' ? 401 : 400, String(error));
  expect(response.headers['content-type']).toBe('application/json');
  expect(response.json()['error_description']).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
}

describe.each(['rsa', 'ec'] as const)('assertions of private_key_jwt with an %s key', (keyType) => {
  let pair: ClientPair;
  let client: FapiClient;
  beforeAll(async () => {
    pair = await world.pair('private_key_jwt', keyType);
    client = pair.first;
  });

  const send = (difference: Difference, signing: SigningDifference = {}, form: Difference = grant) =>
    client.token(form, { authentication: { form: client.assertion(difference, signing) } });

  it.each([
    ['43 aud = issuer', () => ({ aud: client.provider.issuer })],
    ['44 aud = [issuer, token endpoint]', () => ({ aud: [client.provider.issuer, client.provider.token_endpoint] })],
    ['2 aud = token endpoint', () => ({})],
    ['without iat and nbf', () => ({ iat: undefined, nbf: undefined })],
    ['iat 50 seconds ahead (clock of the client)', () => ({ iat: seconds() + 50, nbf: undefined })],
    ['exp 30 minutes ahead, as the registration tool has it', () => ({ exp: seconds() + 1_800 })],
  ] as const)('%s: a token', async (_rule, difference) => {
    expect((await send(difference())).status).toBe(200);
  });

  it.each([undefined, 'JWT', 'jwt', 'client-authentication+jwt', 'application/client-authentication+jwt'])(
    'typ %s: a token (RFC 10070)',
    async (typ) => {
      expect((await send({}, { header: { typ } })).status).toBe(200);
    },
  );

  it('without kid: a token, the keys of the client are tried', async () => {
    expect((await send({}, { header: { kid: undefined } })).status).toBe(200);
  });

  const refused: [string, () => Difference, ((other: FapiClient) => SigningDifference)?][] = [
    ['38 exp five minutes ago', () => ({ exp: seconds() - 300 })],
    ['39 aud of another server', () => ({ aud: 'https://other1.example.com/token' })],
    ['39 without aud', () => ({ aud: undefined })],
    ['40 without sub', () => ({ sub: undefined })],
    ['41 iss = wrong-issuer-value', () => ({ iss: 'wrong-issuer-value' })],
    ['42 sub = wrong-sub-value', () => ({ sub: 'wrong-sub-value' })],
    ['sub is no iss', () => ({ sub: randomUUID() })],
    ['exp in a year', () => ({ exp: seconds() + 31_536_000 })],
    ['without exp', () => ({ exp: undefined })],
    ['exp as text', () => ({ exp: String(seconds() + 60) })],
    ['iat 65 seconds ahead', () => ({ iat: seconds() + 65 })],
    ['nbf 65 seconds ahead', () => ({ nbf: seconds() + 65 })],
    ['iat two hours ago', () => ({ iat: seconds() - 7_200 })],
    ['without jti', () => ({ jti: undefined })],
    ['an empty jti', () => ({ jti: '' })],
    ['a jti of 256 characters', () => ({ jti: 'j'.repeat(256) })],
    ['a jti that is no text', () => ({ jti: 17 })],
    ['a jti with NUL', () => ({ jti: 'a\u0000' })],
    ['alg none', () => ({}), () => ({ header: { alg: 'none' } })],
    ['an unknown crit', () => ({}), () => ({ header: { crit: ['x'], x: 1 } })],
    ['the typ of a request object', () => ({}), () => ({ header: { typ: 'oauth-authz-req+jwt' } })],
    ['a kid nobody has', () => ({}), () => ({ header: { kid: 'nobody' } })],
    ['32 signed with the key of another client', () => ({}), (other) => ({ key: other.credentials.signingKey })],
    [
      'under kid and key of another client',
      () => ({}),
      (other) => ({ key: other.credentials.signingKey, header: { kid: other.credentials.signingKid } }),
    ],
    [
      'HS256 over the public key',
      () => ({}),
      (other) => ({
        header: { alg: 'HS256' },
        key: createSecretKey(
          Buffer.from(createPublicKey(other.credentials.signingKey).export({ type: 'spki', format: 'pem' })),
        ),
      }),
    ],
  ];

  it.each(refused)('%s: invalid_client', async (_rule, difference, signing = () => ({})) => {
    expectRefusal(await send(difference(), signing(pair.second)), 'invalid_client');
  });

  const wrongAlgorithms = {
    rsa: [
      ['36 RS256', 'RS256'],
      ['ES256 for an RSA key', 'ES256'],
    ],
    ec: [['PS256 for an EC key', 'PS256']],
  };
  it.each(wrongAlgorithms[keyType])('%s: invalid_client', async (_rule, alg) => {
    const { privateKey } =
      alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : { privateKey: undefined };
    const key = alg === 'PS256' ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : privateKey;
    expectRefusal(await send({}, { header: { alg }, ...(key && { key }) }), 'invalid_client');
  });

  it('37 client_id alone: invalid_client', async () => {
    const authentication = { form: { client_id: client.clientId } };
    expectRefusal(await client.token(grant, { authentication }), 'invalid_client', 'invalid_request');
  });

  it('a request object is not a client assertion (40)', async () => {
    const jwt = client.sign(
      client.requestObject({ sub: client.clientId, aud: client.provider.token_endpoint, jti: randomUUID() }),
      {
        header: { typ: 'oauth-authz-req+jwt' },
      },
    );
    const form = { ...client.assertion(), client_assertion: jwt };
    expectRefusal(await client.token(grant, { authentication: { form } }), 'invalid_client');
  });

  it.each([
    [
      'another type',
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
      'invalid_request',
    ],
    ['no type', { client_assertion_type: '' }, 'invalid_request'],
    ['a type alone', { client_assertion: '' }, 'invalid_request'],
    ['what is no JWT', { client_assertion: 'nonsense' }, 'invalid_client'],
    ['9 kB', { client_assertion: `${'x'.repeat(9_000)}.y.z` }, 'invalid_request'],
  ])('an assertion with %s', async (_title, difference, error) => {
    const form = { ...client.assertion(), ...difference };
    expectRefusal(await client.token(grant, { authentication: { form } }), error);
  });

  it('client_id beside it must agree', async () => {
    const right = { ...client.assertion(), client_id: client.clientId };
    expect((await client.token(grant, { authentication: { form: right } })).status).toBe(200);
    const wrong = { ...client.assertion(), client_id: pair.second.clientId };
    expectRefusal(await client.token(grant, { authentication: { form: wrong } }), 'invalid_client');
  });

  it('32 a code with the identity of client 2 signed by client 1: refused, and the code stays good', async () => {
    const { code } = await world.authorise(client);
    const form = {
      ...pair.second.assertion(
        {},
        { key: client.credentials.signingKey, header: { kid: client.credentials.signingKid } },
      ),
      client_id: pair.second.clientId,
    };
    expectRefusal(
      await client.token(client.exchange(code), { authentication: { form } }),
      'invalid_client',
      'invalid_grant',
    );
    expect((await client.token(client.exchange(code))).status).toBe(200);
  });

  it('a forged assertion does not use up the jti of a right one', async () => {
    const jti = randomUUID();
    await send({ jti }, { key: pair.second.credentials.signingKey });
    await send({ jti, aud: 'https://other.example' });
    expect((await send({ jti })).status).toBe(200);
    expectRefusal(await send({ jti }), 'invalid_client');
  });

  it('another client may use the same jti', async () => {
    const jti = randomUUID();
    expect((await send({ jti })).status).toBe(200);
    const authentication = { form: pair.second.assertion({ jti }) };
    expect((await pair.second.token(grant, { authentication })).status).toBe(200);
  });

  it('100 parallel uses of one jti give one token; a code exchange cannot use it either (RFC 7523 s3)', async () => {
    const { code } = await world.authorise(client);
    const form = client.assertion();
    await openConnections(client.agent, client.provider.token_endpoint, 100);
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => client.token(grant, { authentication: { form } })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 200)) expectRefusal(response, 'invalid_client');
    expectRefusal(await client.token(client.exchange(code), { authentication: { form } }), 'invalid_client');
    expect((await client.token(client.exchange(code))).status).toBe(200);
  });
});

describe('tls_client_auth', () => {
  let pair: ClientPair;
  beforeAll(async () => {
    pair = await world.pair('tls_client_auth', 'rsa');
  });

  it('32 client 2 over the certificate of client 1: refused', async () => {
    const { code } = await world.authorise(pair.first);
    const options = { authentication: { form: { client_id: pair.second.clientId } } };
    expectRefusal(await pair.first.token(pair.first.exchange(code), options), 'invalid_client', 'invalid_grant');
    expectRefusal(await pair.first.token(grant, options), 'invalid_client');
  });

  it('without client_id: invalid_client', async () => {
    expectRefusal(await pair.first.token(grant, { authentication: {} }), 'invalid_client', 'invalid_request');
  });

  it('a certificate in a header is nobody’s where no ingress is configured (CVE-2024-10039)', async () => {
    const pem = pair.second.credentials.transportCertificate;
    const der = new X509Certificate(pem).raw.toString('base64');
    const headers = {
      'client-cert': `:${der}:`,
      'ssl-client-cert': encodeURIComponent(pem),
      'x-forwarded-client-cert': `Cert="${encodeURIComponent(pem)}"`,
    };
    const authentication = { form: { client_id: pair.second.clientId } };
    expectRefusal(await pair.first.token(grant, { authentication, headers }), 'invalid_client');
  });

  it('a renewed certificate of the same subject works, and the token is bound to the new one', async () => {
    const certificate = await aCertificate('transport', pair.first);
    expect((await pair.first.token(grant, { agent: certificate })).status).toBe(200);
  });

  it.each([
    ['33 none', async () => httpsAgent({ ca: world.sandbox.ca })],
    ['an expired one', () => aCertificate('transport', pair.first, { now: new Date(Date.now() - 30 * 86_400_000) })],
    [
      'one that is not valid yet',
      () => aCertificate('transport', pair.first, { now: new Date(Date.now() + 86_400_000) }),
    ],
    ['one for signing', () => aCertificate('signing', pair.first)],
    ['one for servers', () => aCertificate('server', pair.first)],
    ['one signed by itself', () => aCertificate('transport', pair.first, { isSelfSigned: true })],
    ['the right name from another authority', () => aCertificate('transport', pair.first, { isOtherAuthority: true })],
  ])('over a certificate that is not one: %s', async (_title, make) => {
    const agent = await make();
    agents.push(agent);
    // The connection ends, or the answer is the refusal: both are right.
    const outcome = await pair.first.token(grant, { agent }).catch(() => undefined);
    if (outcome !== undefined) expectRefusal(outcome, 'invalid_client', 'invalid_request');
  });
});

/** A certificate with the subject of a client's own. */
async function aCertificate(
  profile: CertificateProfile,
  of: FapiClient,
  options: { now?: Date; isSelfSigned?: boolean; isOtherAuthority?: boolean } = {},
): Promise<Agent> {
  const { now = new Date(), isSelfSigned = false, isOtherAuthority = false } = options;
  const read = (name: string): Promise<string> => readFile(join(world.sandbox.directory, 'ca', name), 'utf8');
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const authority: Issuer = {
    certificate: world.sandbox.ca,
    privateKey: isOtherAuthority
      ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
      : createPrivateKey(await read('private-key.pem')),
  };
  const subject = new Name(new ParsedCertificate(of.credentials.transportCertificate).subject).toJSON();
  const certificate = await issueCertificate({
    profile,
    subject,
    key,
    ...(!isSelfSigned && { issuer: authority }),
    days: 10,
    now,
  });
  const agent = httpsAgent({
    ca: world.sandbox.ca,
    certificate,
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
  agents.push(agent);
  return agent;
}

describe('33 a right code exchange over a connection without certificate', () => {
  it.each(['private_key_jwt', 'tls_client_auth'] as const)('%s: refused', async (method) => {
    const client = await world.client({ method, name: 'Bare' });
    const { code } = await world.authorise(client);
    const agent = httpsAgent({ ca: world.sandbox.ca });
    agents.push(agent);
    const outcome = await client.token(client.exchange(code), { agent }).catch(() => undefined);
    if (outcome !== undefined) expectRefusal(outcome, 'invalid_client', 'invalid_request');
    expect((await client.token(client.exchange(code))).status).toBe(200);
  });
});

const methods: readonly AuthenticationMethod[] = [
  'private_key_jwt',
  'tls_client_auth',
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
];
const family = new Set(['client_secret_basic', 'client_secret_post']);

describe('each method against each registered method', () => {
  const clients = new Map<string, FapiClient>();
  beforeAll(async () => {
    for (const method of methods) clients.set(method, await world.client({ method, name: 'Methods' }));
  });

  it.each(methods.flatMap((registered) => methods.map((used) => [registered, used] as const)))(
    'registered for %s, authenticates by %s',
    async (registered, used) => {
      const client = clients.get(registered) as FapiClient;
      const as = Object.assign(Object.create(Object.getPrototypeOf(client)), client, { method: used }) as FapiClient;
      const response = await client.token(grant, { authentication: as.authentication() });
      // Basic and post are one family: a secret may come in either place.
      const isRight = registered === used || (family.has(registered) && family.has(used));
      if (isRight) expect(response.status).toBe(200);
      else expectRefusal(response, 'invalid_client');
      // Every 401 has a challenge (RFC 9110 s15.5.2), whichever way the client came.
      if (!isRight) expect(response.headers['www-authenticate']).toMatch(/^Basic realm="/);
    },
  );

  it.each(methods)('%s gets a code exchanged over the right certificate only', async (method) => {
    const client = clients.get(method) as FapiClient;
    const { code } = await world.authorise(client);
    const foreign = await world.client({ method: 'tls_client_auth', name: 'Foreign' });
    const stolen = await client.token(client.exchange(code), { agent: foreign.agent });
    expectRefusal(stolen, 'invalid_client');
    expect((await client.token(client.exchange(code))).status).toBe(200);
  });

  it('two methods in one request: invalid_request (RFC 6749 s2.3)', async () => {
    const client = clients.get('client_secret_post') as FapiClient;
    const { form } = client.authentication();
    const pair = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    const headers = { authorization: `Basic ${pair}` };
    expectRefusal(await client.token(grant, { authentication: { form, headers } }), 'invalid_request');
    const assertion = (clients.get('private_key_jwt') as FapiClient).assertion();
    expectRefusal(
      await client.token(grant, { authentication: { form: { ...form, ...assertion } } }),
      'invalid_request',
    );
  });

  it.each([
    ['no colon', (client: FapiClient) => `Basic ${Buffer.from(client.clientId).toString('base64')}`],
    ['wrong base64', () => 'Basic !!!!'],
    ['no credentials', () => 'Basic'],
    ['an empty secret', (client: FapiClient) => `Basic ${Buffer.from(`${client.clientId}:`).toString('base64')}`],
    ['another scheme', () => 'Negotiate abc'],
    [
      'a control character',
      (client: FapiClient) => `Basic ${Buffer.from(`${client.clientId}:\u0001`).toString('base64')}`,
    ],
    ['3 kB', () => `Basic ${'A'.repeat(3_000)}`],
    [
      'broken percent encoding',
      (client: FapiClient) => `Basic ${Buffer.from(`${client.clientId}:%zz`).toString('base64')}`,
    ],
  ])('Basic with %s: 401 with a challenge', async (_title, make) => {
    const client = clients.get('client_secret_basic') as FapiClient;
    const headers = { authorization: make(client) };
    const response = await client.token(grant, { authentication: { headers } });
    expectRefusal(response, 'invalid_client');
    expect(response.headers['www-authenticate']).toMatch(/^Basic /);
  });

  it('two Authorization headers: refused, be both of them right', async () => {
    const client = clients.get('client_secret_basic') as FapiClient;
    const pair = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    const headers = { authorization: [`Basic ${pair}`, `Basic ${pair}`] };
    expectRefusal(await client.token(grant, { authentication: {}, headers }), 'invalid_client', 'invalid_request');
  });

  it('Basic with percent-encoded halves and a scheme of any case: a token (RFC 6749 s2.3.1)', async () => {
    const client = clients.get('client_secret_basic') as FapiClient;
    const encoded = client.clientSecret.replaceAll('-', '%2D');
    const authorization = `bAsIc ${Buffer.from(`${client.clientId}:${encoded}`).toString('base64')}`;
    expect((await client.token(grant, { authentication: { headers: { authorization } } })).status).toBe(200);
  });

  it('unknown client and wrong secret get the same answer', async () => {
    const client = clients.get('client_secret_post') as FapiClient;
    const attempt = (client_id: string) =>
      client.token(grant, { authentication: { form: { client_id, client_secret: randomUUID() } } });
    const [wrong, unknown] = [await attempt(client.clientId), await attempt(randomUUID())];
    expectRefusal(wrong, 'invalid_client');
    expect(unknown.text).toBe(wrong.text);
    expect(unknown.status).toBe(wrong.status);
  });

  it('credentials in the query are never read', async () => {
    const client = clients.get('client_secret_post') as FapiClient;
    const query = new URLSearchParams({ client_id: client.clientId, client_secret: client.clientSecret });
    const url = `${client.provider.token_endpoint}?${query.toString()}`;
    expectRefusal(await client.token(grant, { authentication: {}, url }), 'invalid_client', 'invalid_request');
  });

  it.each([
    ['unknown', 'everything', 'invalid_scope'],
    ['with a quote', 'a"b', 'invalid_scope'],
    ['with a tab', 'payments\taccounts', 'invalid_scope'],
    ['of 20 kB', 'a '.repeat(10_000), 'invalid_scope'],
  ])('a scope %s: %s is refused at once', async (_title, scope, error) => {
    const client = clients.get('tls_client_auth') as FapiClient;
    const refuse = async (): Promise<void> =>
      expectRefusal(await client.token({ grant_type: 'client_credentials', scope }), error);
    expect(await leastMilliseconds(500, refuse)).toBeLessThan(500);
  });

  it('no scope: all that is registered, without openid; consented_on is now', async () => {
    const client = clients.get('tls_client_auth') as FapiClient;
    const begun = Math.floor(Date.now() / 1_000) * 1_000;
    const body = (await client.token({ grant_type: 'client_credentials' })).json();
    expect(body['scope']).toBe('accounts payments fundsconfirmations');
    const consentedOn = Date.parse(String(body['consented_on']));
    expect(consentedOn).toBeGreaterThanOrEqual(begun);
    expect(consentedOn).toBeLessThanOrEqual(Date.now());
    expect(body).not.toHaveProperty('id_token');
  });
});
