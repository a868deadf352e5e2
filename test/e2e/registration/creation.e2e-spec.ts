import { createPrivateKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { expectBodiless } from '../../support/expectations.js';
import {
  aJwk,
  aSigningKey,
  expectRefusal,
  type Difference,
  type Subject,
  type TransportCertificate,
} from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';
import type { TestResponse } from '../../support/https-request.js';
import { startEgressProxy } from './egress-proxy.js';

const getWorld = useRegistrationWorld();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The seven names that the published description writes in camel case. */
const camelNames: Record<string, string> = {
  token_endpoint_auth_method: 'tokenEndpointAuthMethod',
  response_types: 'responseTypes',
  software_statement: 'softwareStatement',
  application_type: 'applicationType',
  id_token_signed_response_alg: 'idTokenSignedResponseAlg',
  request_object_signing_alg: 'requestObjectSigningAlg',
  token_endpoint_auth_signing_alg: 'tokenEndpointAuthSigningAlg',
};

/** One broken rule of each set; libs/client-registration/src/verify-registration-request.spec.ts has them all. */
const refused: [string, string, (nowSeconds: number) => Difference, string][] = [
  ['DCR-T034', 'exp one hour ago', (now) => ({ iat: now - 7_200, exp: now - 3_600 }), 'exp'],
  ['DCR-T037', 'iss of another software', () => ({ iss: '4xTq9RbW2mKf7LpZ0sVd1h' }), 'iss'],
  ['DCR-T038', 'aud of another bank', () => ({ aud: '0015800001041RHAAY' }), 'aud'],
  ['DCR-T050', "software_id not the statement's", () => ({ software_id: '4xTq9RbW2mKf7LpZ0sVd1h' }), 'software_id'],
  [
    'DCR-T058',
    'the DN of another certificate',
    () => ({ token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=other,C=GB' }),
    'tls_client_auth_subject_dn',
  ],
];

/** POST /register, DCR-T016 to DCR-T063. */
describe('POST /register (Open Banking DCR, RFC 7591 s3)', () => {
  it.each([
    ['DCR-T016', 'application/jose'],
    ['DCR-T017', 'application/jwt'],
  ])('%s registers a client sent as %s', async (_number, type) => {
    const world = getWorld();
    expect((await world.post(await world.aRequest(), { headers: { 'content-type': type } })).status).toBe(201);
  });

  it("DCR-T020 DCR-T021 DCR-T022 answers with the client's own credentials, not cacheable", async () => {
    const world = getWorld();
    const [answer, second] = await Promise.all([world.tryRegister(), world.tryRegister()]);
    const [body, other] = [answer.json(), second.json()];
    expect(answer.headers['cache-control']).toBe('no-store');
    const { registration_endpoint } = world.sandbox.description;
    expect(answer.headers['location']).toBe(`${registration_endpoint}/${String(body['client_id'])}`);
    expect(body['registration_client_uri']).toBe(answer.headers['location']);
    for (const member of ['client_id', 'client_secret']) {
      expect(body[member]).toMatch(uuid);
      expect(body[member]).not.toBe(other[member]);
    }
    expect(Number.isInteger(body['client_id_issued_at'])).toBe(true);
    expect(Math.abs(Number(body['client_id_issued_at']) - world.nowSeconds)).toBeLessThanOrEqual(60);
    expect(body['client_secret_expires_at']).toBe(0);
  });

  it('DCR-T023 answers with both spellings and equal values', async () => {
    const client = await getWorld().register({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'PS256',
    });
    for (const [snake, camel] of Object.entries(camelNames)) {
      expect([camel, client[camel]]).toEqual([camel, client[snake]]);
      expect(client[snake]).toBeDefined();
    }
  });

  it('DCR-T027 takes names of grants under the name responseTypes', async () => {
    const responseTypes = ['authorization_code', 'client_credentials'];
    const client = await getWorld().register({ response_types: undefined, responseTypes });
    expect(client['response_types']).toEqual(['code', 'code id_token']);
    expect(client['responseTypes']).toEqual(client['response_types']);
  });

  it('DCR-T028 DCR-T029 response_types: the default, and values that are refused', async () => {
    const world = getWorld();
    expect((await world.register({ response_types: undefined }))['response_types']).toEqual(['code id_token']);
    const answer = await world.tryRegister({ response_types: ['id_token', 'token'] });
    expectRefusal(answer, 'invalid_client_metadata', 'UK.OBIE.Field.Invalid', 'response_types');
  });

  it('DCR-T030 DCR-T031 DCR-T032 returns scope and statement as they were sent', async () => {
    const world = getWorld();
    const seconds = { iat: String(world.nowSeconds), exp: String(world.nowSeconds + 300) };
    const client = await world.register({ scope: 'accounts openid', ...seconds });
    expect(client).toMatchObject({
      ...seconds,
      scope: 'accounts openid',
      software_statement: world.tpp.softwareStatement,
      org_id: world.tpp.orgId,
      software_roles: expect.arrayContaining(['PISP']),
    });
    expect(Object.values(client)).not.toContain(null);
    const { iat, exp } = await world.register();
    expect([iat, exp]).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
  });

  it.each(refused)('%s refuses %s', async (_number, _what, difference, path) => {
    const world = getWorld();
    const answer = await world.tryRegister(difference(world.nowSeconds));
    expectRefusal(answer, 'invalid_client_metadata', undefined, path);
  });

  it('DCR-T038 knows itself by its organisation id, issuer and endpoint, alone and in an array', async () => {
    const world = getWorld();
    const { issuer, registration_endpoint } = world.sandbox.description;
    const names = [world.sandbox.config.signing.organisationId, issuer, registration_endpoint];
    for (const aud of [...names, names]) await world.register({ aud });
  });

  it('DCR-T042 refuses keys that are not in the key set, or there for something else', async () => {
    const world = getWorld();
    const [known, tls, encryption] = [aSigningKey('known'), aSigningKey('tls'), aSigningKey('enc')];
    const address = world.keyStore.serveJson('uses.jwks', {
      keys: [aJwk(known), aJwk(tls, { use: 'tls' }), aJwk(encryption, { use: 'enc' })],
    });
    const forged = { ...aSigningKey('known') };
    for (const key of [tls, encryption, forged]) {
      const answer = await world.tryRegister({}, await world.withKeys(address, key));
      expectRefusal(answer, 'invalid_client_metadata', 'UK.OBIE.Signature.Invalid');
    }
    await world.register({}, await world.withKeys(address, known));
  });

  it("DCR-T052 without scope registers openid and the roles' scopes", async () => {
    const world = getWorld();
    const tpp = await world.withStatement({ software_roles: ['PISP'] });
    expect((await world.register({ scope: undefined }, tpp))['scope']).toBe('openid payments');
  });

  it('DCR-T061 registers a software several times', async () => {
    const world = getWorld();
    const clients = [await world.register(), await world.register(), await world.register()];
    expect(new Set(clients.map(({ client_id }) => client_id)).size).toBe(3);
  });

  it('DCR-T062 answers 400 to what is not a registration request', async () => {
    const world = getWorld();
    const [header, payload] = (await world.aRequest()).split('.');
    for (const body of ['A'.repeat(100_000), '', `${header}.${payload}`]) {
      expectRefusal(await world.post(body), 'invalid_client_metadata', 'UK.OBIE.Resource.InvalidFormat');
    }
  });
});

const tryStatement = async (statement: string): Promise<TestResponse> => {
  const world = getWorld();
  return world.tryRegister({}, { ...world.tpp, softwareStatement: statement });
};

const statusWith = async (certificate: TransportCertificate): Promise<TestResponse> => {
  const world = getWorld();
  return world.post(await world.aRequest(), { certificate });
};

/** Software statement, keys and certificates, DCR-T064 to DCR-T077. */
describe('software statement (RFC 7591 s2.3)', () => {
  it('DCR-T064 refuses a signature of an unknown key', async () => {
    const world = getWorld();
    const { kid } = world.trust.directorySigningKey;
    for (const key of [aSigningKey(kid), aSigningKey('unknown'), world.tpp.signingKey]) {
      const answer = await tryStatement(await world.aStatement({}, world.tpp, key));
      expectRefusal(answer, 'invalid_software_statement', 'UK.OBIE.Signature.Invalid', 'software_statement');
    }
  });

  it('DCR-T065 refuses another issuer and connects to nothing that it names', async () => {
    const world = getWorld();
    const before = world.keyStore.connectionCount();
    const address = world.keyStore.serveJson('untrusted.jwks', { keys: [aJwk(world.tpp.signingKey)] });
    const claims = { iss: 'Evil Ltd', software_jwks_endpoint: address, org_jwks_endpoint: address };
    const answer = await tryStatement(await world.aStatement(claims));
    expectRefusal(answer, 'unapproved_software_statement', undefined, 'software_statement.iss');
    expect(world.keyStore.connectionCount()).toBe(before);
  });

  it('DCR-T069 refuses one of an organisation that is no longer active', async () => {
    const world = getWorld();
    const answer = await tryStatement(await world.aStatement({ org_status: 'Withdrawn' }));
    expectRefusal(answer, 'unapproved_software_statement');
  });
});

describe('key sets of TPPs', () => {
  it('DCR-T071 connects to no address that is not https, not of the directory, or private', async () => {
    const world = getWorld();
    const { port } = world.keyStore;
    // Names are resolved by the proxy, so that the directory's own keys are available without allowing private
    // addresses.
    const proxy = await startEgressProxy();
    const strict = await world.anotherInstance(({ directory }) => ({
      directory: { ...directory, allowPrivateAddresses: false },
      egress: { proxyUrl: proxy.url },
    }));
    const { registration_endpoint } = world.sandbox.description;
    const before = world.keyStore.connectionCount();
    for (const [endpoint, address] of [
      [registration_endpoint, `http://localhost:${port}/a.jwks`],
      [registration_endpoint, `https://localhost:${port + 1}/a.jwks`],
      [registration_endpoint, `https://user@localhost:${port}/a.jwks`],
      [registration_endpoint, `https://localhost.evil.example:${port}/a.jwks`],
      [strict, 'https://10.0.0.1/a.jwks'],
      [strict, 'https://127.0.0.1:1/a.jwks'],
    ] as const) {
      const softwareStatement = await world.aStatement({ software_jwks_endpoint: address });
      const body = await world.aRequest({}, { ...world.tpp, softwareStatement });
      const headers = { 'content-type': 'application/jose' };
      const answer = await world.call(endpoint, { method: 'POST', body, headers });
      expectRefusal(answer, 'invalid_software_statement', undefined, 'software_statement.software_jwks_endpoint');
    }
    expect(world.keyStore.connectionCount()).toBe(before);
    expect(proxy.requests.filter(({ line }) => /10\.0\.0\.1|127\.0\.0\.1/.test(line))).toEqual([]);
    await proxy.close();
  });

  it('connects to no private address behind a name either', async () => {
    const world = getWorld();
    const strict = await world.anotherInstance(({ directory }) => ({
      directory: { ...directory, allowPrivateAddresses: false },
    }));
    const before = world.keyStore.connectionCount();
    const address = world.keyStore.serveJson('private.jwks', { keys: [aJwk(world.tpp.signingKey)] });
    const { softwareStatement } = await world.withKeys(address);
    const body = await world.aRequest({}, { ...world.tpp, softwareStatement });
    const headers = { 'content-type': 'application/jose' };
    const answer = await world.call(strict, { method: 'POST', body, headers });
    expect([answer.status, answer.json()['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(world.keyStore.connectionCount()).toBe(before);
  });

  it('DCR-T072 answers 503 in time when the key store is slow or down', async () => {
    const world = getWorld();
    const slow = world.keyStore.serve('slow.jwks', () => undefined);
    const down = world.keyStore.serve('down.jwks', (_request, response) => response.destroy());
    const startedAt = Date.now();
    const answers = await Promise.all(
      [slow, down].map(async (address) => world.tryRegister({}, await world.withKeys(address))),
    );
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    for (const answer of answers) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
      expect(answer.json()).toMatchObject({
        Code: '503 ServiceUnavailable',
        Errors: [{ ErrorCode: 'UK.OBIE.UnexpectedError' }],
        error: 'temporarily_unavailable',
      });
    }
  });

  it('DCR-T073 follows no redirect and reads no megabyte', async () => {
    const world = getWorld();
    const { keyStore } = world;
    const document = JSON.stringify({ keys: [aJwk(world.tpp.signingKey)] });
    const target = keyStore.serveJson('target.jwks', JSON.parse(document));
    const addresses = [
      keyStore.serve('redirect.jwks', (_request, response) => response.writeHead(302, { location: target }).end()),
      keyStore.serve('large.jwks', (_request, response) => response.end(document + ' '.repeat(1_000_000))),
    ];
    for (const address of addresses) {
      expect((await world.tryRegister({}, await world.withKeys(address))).status).toBe(503);
    }
    expect(keyStore.requestCount('target.jwks')).toBe(0);
  });

  it('DCR-T074 finds a rotated key without a restart', async () => {
    const world = getWorld();
    const [old, next] = [aSigningKey('old'), aSigningKey('next')];
    const address = world.keyStore.serveJson('rotating.jwks', { keys: [aJwk(old)] });
    await world.register({}, await world.withKeys(address, old));
    world.keyStore.serveJson('rotating.jwks', { keys: [aJwk(old), aJwk(next)] });
    world.clock.advance(31);
    await world.register({}, await world.withKeys(address, next));
    expect(world.keyStore.requestCount('rotating.jwks')).toBe(2);
  });
});

describe('certificate of the connection', () => {
  it('DCR-T075 refuses that of another organisation or software, and takes OBWAC, QWAC and legacy ones', async () => {
    const world = getWorld();
    const { tpp, otherTpp } = world;
    expectRefusal(await statusWith(otherTpp.certificate), 'invalid_software_statement');
    const other = await world.aCertificate({ subject: world.legacySubject(tpp.orgId, otherTpp.softwareId) });
    expectRefusal(await statusWith(other), 'invalid_software_statement');
    const own: Subject[] = [
      world.obwacSubject(),
      world.legacySubject(tpp.orgId, tpp.softwareId),
      [{ C: ['GB'] }, { '2.5.4.97': [world.organisationIdentifier] }, { CN: ['api.tpp-one.example.com'] }],
    ];
    for (const subject of own) {
      const answer = await statusWith(await world.aCertificate({ subject }));
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    }
  });

  it('DCR-T076 answers 401 without a certificate', async () => {
    const world = getWorld();
    const anonymous = await world.post(await world.aRequest(), { certificate: null });
    expectBodiless(anonymous, 401);
    // A challenge names the scheme and at least one parameter (RFC 6750 s3; the published description: ^Bearer .*).
    expect(anonymous.headers['www-authenticate']).toMatch(/^Bearer [a-z]+="/);
  });

  it('DCR-T077 never succeeds with a signing, server, expired, early or foreign certificate', async () => {
    const world = getWorld();
    const subject = world.obwacSubject();
    const year = 365 * 86_400_000;
    const foreign = await world.aCertificate({ subject: [{ CN: ['Other CA'] }], profile: 'authority' });
    const bad = await Promise.all([
      world.aCertificate({ subject, profile: 'signing' }),
      world.aCertificate({ subject, profile: 'server' }),
      world.aCertificate({ subject, now: new Date(Date.now() - year), days: 30 }),
      world.aCertificate({ subject, now: new Date(Date.now() + year) }),
      world.aCertificate({
        subject,
        issuer: { certificate: foreign.cert, privateKey: createPrivateKey(foreign.key) },
      }),
    ]);
    for (const certificate of bad) {
      // A refused handshake is as good as a refused request.
      const status = await statusWith(certificate).then(
        (answer) => answer.status,
        () => 'handshake refused',
      );
      expect([401, 'handshake refused']).toContain(status);
    }
  });
});
