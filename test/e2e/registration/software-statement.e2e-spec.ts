import { createHmac, createPrivateKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { expectBodiless } from '../../support/expectations.js';
import type { TestResponse } from '../../support/https-request.js';
import { startEgressProxy } from './egress-proxy.js';
import {
  aJwk,
  aSigningKey,
  expectRefusal,
  type Difference,
  type Subject,
  type TransportCertificate,
} from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

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

  it('DCR-T066 DCR-T067 refuses alg none, HS256 and a changed payload', async () => {
    const world = getWorld();
    const [header = '', payload = '', signature = ''] = world.tpp.softwareStatement.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Difference;
    const hs256 = `${encode({ alg: 'HS256', typ: 'JWT' })}.${payload}`;
    const statements = [
      `${encode({ alg: 'none' })}.${payload}.`,
      `${hs256}.${createHmac('sha256', 'key').update(hs256).digest('base64url')}`,
      `${header}.${encode({ ...claims, org_name: 'Changed' })}.${signature}`,
    ];
    for (const statement of statements) expectRefusal(await tryStatement(statement), 'invalid_software_statement');
  });

  it.each<[string, string, (nowSeconds: number) => Difference, string]>([
    ['DCR-T068', 'exp in the past', (now) => ({ exp: now - 1 }), 'invalid_software_statement'],
    ['DCR-T068', 'nbf in the future', (now) => ({ nbf: now + 600 }), 'invalid_software_statement'],
    ['DCR-T068', 'iat in the future', (now) => ({ iat: now + 600 }), 'invalid_software_statement'],
    ['DCR-T069', 'org_status Revoked', () => ({ org_status: 'Revoked' }), 'unapproved_software_statement'],
    ['DCR-T069', 'org_status Withdrawn', () => ({ org_status: 'Withdrawn' }), 'unapproved_software_statement'],
    ['DCR-T070', 'no software_roles', () => ({ software_roles: undefined }), 'invalid_software_statement'],
    ['DCR-T070', 'software_roles empty', () => ({ software_roles: [] }), 'invalid_software_statement'],
  ])('%s refuses %s', async (_number, _what, difference, error) => {
    const world = getWorld();
    expectRefusal(await tryStatement(await world.aStatement(difference(world.nowSeconds))), error);
  });

  it('DCR-T068 refuses a statement older than the limit', async () => {
    const world = getWorld();
    const url = await world.anotherInstance(({ directory }) => ({
      directory: { ...directory, softwareStatementMaxAgeSeconds: 1_800 },
    }));
    const send = async (age: number): Promise<TestResponse> => {
      const softwareStatement = await world.aStatement({ iat: world.nowSeconds - age });
      const body = await world.aRequest({}, { ...world.tpp, softwareStatement });
      return world.call(url, { method: 'POST', body, headers: { 'content-type': 'application/jose' } });
    };
    expectRefusal(await send(1_810), 'invalid_software_statement', undefined, 'software_statement.iat');
    expect((await send(1_700)).status).toBe(201);
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

  it('DCR-T077 never succeeds with a signing, expired, early, self-signed or foreign certificate', async () => {
    const world = getWorld();
    const subject = world.obwacSubject();
    const year = 365 * 86_400_000;
    const foreign = await world.aCertificate({ subject: [{ CN: ['Other CA'] }], profile: 'authority' });
    const bad = await Promise.all([
      world.aCertificate({ subject, profile: 'signing' }),
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
