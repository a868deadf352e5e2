import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonName } from '@peculiar/x509';
import type { Config } from '#libs/config';
import type { TrustedDirectory } from '#libs/http-server';
import type { TestSigningKey } from '../../support/a-signing-key.js';
import { issueCertificate, type Issuer } from '../../../apps/sandbox/src/trust/issue-certificate.js';
import { expectBodiless, expectEventually } from '../../support/expectations.js';
import type { TestResponse } from '../../support/https-request.js';
import {
  aJwk,
  aSigningKey,
  basicOf,
  expectRefusal,
  type Difference,
  type Registered,
  type RegisteringTpp,
  type TransportCertificate,
} from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

const jose = { 'content-type': 'application/jose' };
const day = 86_400;
const privateKeyJwt = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'PS256' };

const x5cOf = ({ cert }: TransportCertificate): string => cert.replace(/-----[A-Z ]+-----|\s/g, '');

const post = async (url: string, tpp: RegisteringTpp, difference: Difference = {}): Promise<TestResponse> => {
  const body = await getWorld().aRequest(difference, tpp);
  return getWorld().call(url, { method: 'POST', body, headers: jose, certificate: tpp.certificate });
};

// Another kid and more members: a key is revoked whatever it is called.
const serveRevoked = (name: string, revoked: TestSigningKey[]): string =>
  getWorld().keyStore.serveJson(`${name}-revoked.jwks`, {
    keys: revoked.map((key) => aJwk(key, { use: 'sig', kid: randomUUID(), revoked_at: 1 })),
  });

const withRevoked = async (name: string, key: TestSigningKey, revoked: TestSigningKey[]): Promise<RegisteringTpp> => {
  const { keyStore } = getWorld();
  const software_jwks_endpoint = keyStore.serveJson(`${name}.jwks`, { keys: [aJwk(key)] });
  const software_jwks_revoked_endpoint = serveRevoked(name, revoked);
  const tpp = await getWorld().withStatement({ software_jwks_endpoint, software_jwks_revoked_endpoint });
  return { ...tpp, signingKey: key };
};

/** Whom the service trusts for what: several directories, revoked keys, listed certificates, roles. */
describe('two directories', () => {
  const issuer = 'Second Directory';
  const thirdIssuer = 'Third Directory';
  let key: TestSigningKey;
  let authority: Issuer;
  let settings: (config: Config) => Partial<Config>;
  /** software of the second directory that has the very ids of the first TPP */
  let namesake: RegisteringTpp;
  let url: string;

  beforeAll(async () => {
    const world = getWorld();
    key = aSigningKey('second-directory');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const subject: JsonName = [{ C: ['GB'] }, { CN: ['Second CA'] }];
    const wish = { profile: 'authority', subject, key: privateKey, days: 30, now: new Date() } as const;
    // Signed by itself: it has nothing in common with the sandbox's authority.
    authority = { certificate: await issueCertificate(wish), privateKey };
    const jwksUri = world.keyStore.serveJson('second-directory.jwks', { keys: [aJwk(key)] });
    settings = ({ directory, tls, revocation }) => {
      const second: TrustedDirectory = {
        ...directory.trusted[0],
        issuer,
        jwksUri,
        keyHosts: [`localhost:${world.keyStore.port}`],
        clientTrustAnchors: [authority.certificate],
      };
      return {
        // The third one has its authorities, and perhaps its ids, in common with the first.
        directory: {
          ...directory,
          trusted: [directory.trusted[0], second, { ...directory.trusted[0], issuer: thirdIssuer, jwksUri }],
        },
        tls: { ...tls, clientTrustAnchors: [...tls.clientTrustAnchors, authority.certificate] },
        revocation: { ...revocation, mode: 'off' },
      };
    };
    const signingKey = aSigningKey('namesake');
    const address = world.keyStore.serveJson('namesake.jwks', { keys: [aJwk(signingKey)] });
    const certificate = await world.aCertificate({ subject: world.legacySubject(), issuer: authority });
    const softwareStatement = await ofSecond({ software_jwks_endpoint: address });
    namesake = { ...world.tpp, signingKey, certificate, softwareStatement };
    url = await world.anotherInstance(settings);
  });

  const ofSecond = (difference: Difference = {}, signer: Pick<TestSigningKey, 'sign'> = key): Promise<string> =>
    getWorld().aStatement({ iss: issuer, software_jwks_revoked_endpoint: undefined, ...difference }, undefined, signer);

  it('both register their own software', async () => {
    for (const tpp of [getWorld().tpp, namesake]) {
      const answer = await post(url, tpp);
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    }
  });

  it("neither signs for the other, whatever its statement says, and the first one's service takes no second", async () => {
    const world = getWorld();
    const forged = await ofSecond({}, world.trust.directorySigningKey);
    const swapped = await world.aStatement({}, world.tpp, key);
    for (const softwareStatement of [forged, swapped]) {
      const answer = await post(url, { ...world.tpp, softwareStatement });
      expectRefusal(answer, 'invalid_software_statement', 'UK.OBIE.Signature.Invalid', 'software_statement');
    }
    const { softwareStatement } = namesake;
    const elsewhere = await world.tryRegister({}, { ...world.tpp, softwareStatement });
    expectRefusal(elsewhere, 'unapproved_software_statement', undefined, 'software_statement.iss');
  });

  it('keys come from the hosts of their own directory only', async () => {
    const world = getWorld();
    const address = `${world.sandbox.description.directory.base_url}/${world.tpp.orgId}/${world.tpp.softwareId}.jwks`;
    const softwareStatement = await ofSecond({ software_jwks_endpoint: address });
    const answer = await post(url, { ...namesake, softwareStatement });
    expectRefusal(answer, 'invalid_software_statement', undefined, 'software_statement.software_jwks_endpoint');
  });

  it("an organisation's id is valid only under an authority of its own directory", async () => {
    const world = getWorld();
    expectRefusal(
      await post(url, { ...world.tpp, certificate: namesake.certificate }),
      'invalid_software_statement',
      undefined,
      'software_statement',
    );
    expectRefusal(
      await post(url, { ...namesake, certificate: world.tpp.certificate }),
      'invalid_software_statement',
      undefined,
      'software_statement',
    );
  });

  it('a registration stays with its directory: no replacement, management or token over the other one', async () => {
    const world = getWorld();
    const client = (await post(url, world.tpp)).json() as Registered;
    const authorization = `Basic ${basicOf(client)}`;
    const address = `${url}/${client.client_id}`;
    const put = { method: 'PUT', headers: { ...jose, authorization } };
    const body = await world.aRequest({}, namesake);
    expectBodiless(await world.call(address, { ...put, body, certificate: namesake.certificate }), 401);
    // Over the right certificate with the statement of the namesake: the certificate is then not that software's.
    expect((await world.call(address, { ...put, body })).status).toBe(400);
    const softwareStatement = await world.aStatement({ iss: thirdIssuer }, world.tpp, key);
    const ofThird = await world.aRequest({}, { ...world.tpp, softwareStatement });
    const refusedPut = await world.call(address, { ...put, body: ofThird });
    expectRefusal(refusedPut, 'invalid_client_metadata', undefined, 'software_statement.iss');
    expect((await world.call(address, { ...put, body: await world.aRequest() })).status).toBe(200);
    const get = { headers: { authorization } };
    expectBodiless(await world.call(address, { ...get, certificate: namesake.certificate }), 401);
    expect((await world.call(address, get)).status).toBe(200);
    const tokens = await world.anotherTokenInstance(settings);
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization },
      body: 'grant_type=client_credentials',
    };
    const refused = await world.call(tokens, { ...request, certificate: namesake.certificate });
    expect([refused.status, refused.json()['error']]).toEqual([401, 'invalid_client']);
    expect((await world.call(tokens, request)).status).toBe(200);
  });
});

describe('revoked keys (software_jwks_revoked_endpoint)', () => {
  it('a revoked key registers nobody although the key set still has it; another one does', async () => {
    const world = getWorld();
    const [good, bad] = [aSigningKey('good'), aSigningKey('bad')];
    const answer = await world.tryRegister({}, await withRevoked('registers-not', bad, [bad]));
    expectRefusal(answer, 'invalid_client_metadata', 'UK.OBIE.Signature.Invalid');
    await world.register({}, await withRevoked('registers', good, [bad]));
  });

  it('a key that is revoked later authenticates nobody once the set is read again, a day later at most', async () => {
    const world = getWorld();
    const key = aSigningKey('later');
    const { client_id } = await world.register(privateKeyJwt, await withRevoked('later', key, []));
    const status = async (): Promise<number> => (await world.token(await world.anAssertion(client_id, { key }))).status;
    expect(await status()).toBe(200);
    serveRevoked('later', [key]);
    world.clock.advance(day + 1);
    try {
      // The set is renewed beside the requests: the first of them may still come through.
      await expectEventually(status, 401);
    } finally {
      world.clock.advance(-day - 1);
    }
  });

  it('an unreadable set revokes nothing and delays nobody; one on a foreign host is refused', async () => {
    const world = getWorld();
    const key = aSigningKey('down');
    const software_jwks_endpoint = world.keyStore.serveJson('down-keys.jwks', { keys: [aJwk(key)] });
    const down = world.keyStore.serve('down-revoked.jwks', (_request, response) => response.destroy());
    const claims = { software_jwks_endpoint, software_jwks_revoked_endpoint: down };
    await world.register({}, { ...(await world.withStatement(claims)), signingKey: key });
    const foreign = { ...claims, software_jwks_revoked_endpoint: 'https://evil.example/revoked.jwks' };
    const answer = await world.tryRegister({}, { ...(await world.withStatement(foreign)), signingKey: key });
    const path = 'software_statement.software_jwks_revoked_endpoint';
    expectRefusal(answer, 'invalid_software_statement', undefined, path);
  });

  it('REVOKED_KEYS_SECONDS=0 reads no such set', async () => {
    const world = getWorld();
    const key = aSigningKey('unread');
    const tpp = await withRevoked('unread', key, [key]);
    const url = await world.anotherInstance(({ directory }) => ({
      directory: { ...directory, revokedKeysSeconds: 0 },
    }));
    expect((await post(url, tpp)).status).toBe(201);
    expect(world.keyStore.requestCount('unread-revoked.jwks')).toBe(0);
  });
});

describe('listed-certificate (REGISTRATION)', () => {
  let url: string;
  let unlisted: TransportCertificate;

  beforeAll(async () => {
    const world = getWorld();
    url = await world.anotherInstance(({ registration }) => ({
      registration: { ...registration, requireListedCertificate: true },
    }));
    unlisted = await world.aCertificate({ subject: world.obwacSubject() });
  });

  it('takes the certificate that the directory publishes, and no other of the same subject', async () => {
    const world = getWorld();
    expect((await post(url, world.tpp)).status).toBe(201);
    expectRefusal(
      await post(url, { ...world.tpp, certificate: unlisted }),
      'invalid_software_statement',
      'UK.OBIE.Field.Invalid',
      'software_statement',
    );
    expect((await world.tryRegister({}, { ...world.tpp, certificate: unlisted })).status).toBe(201);
  });

  it("looks at the organisation's set as well, at x5c and not at what the set says of it, and for transport only", async () => {
    const world = getWorld();
    const { signingKey } = world.tpp;
    const listedAs = async (name: string, member: Difference): Promise<number> => {
      const org_jwks_endpoint = world.keyStore.serveJson(name, { keys: [aJwk(signingKey, member)] });
      const tpp = await world.withStatement({ org_jwks_endpoint });
      return (await post(url, { ...tpp, certificate: unlisted })).status;
    };
    const other = await world.aCertificate({ subject: world.legacySubject() });
    expect(await listedAs('org-tls.jwks', { use: 'tls', x5c: [x5cOf(unlisted)] })).toBe(201);
    expect(await listedAs('org-sig.jwks', { use: 'sig', x5c: [x5cOf(unlisted)] })).toBe(400);
    expect(await listedAs('org-second.jwks', { use: 'tls', x5c: [x5cOf(other), x5cOf(unlisted)] })).toBe(400);
    expect(await listedAs('org-garbage.jwks', { use: 'tls', x5c: ['%%%', 7] })).toBe(400);
  });
});

describe('CROWN_DEPENDENCY_ROLES', () => {
  it.each([
    ['CD_AISP', 'accounts'],
    ['CD_CBPII', 'fundsconfirmations'],
  ])('%s allows %s where the bank says so, and nothing elsewhere', async (role, scope) => {
    const world = getWorld();
    const tpp = await world.withStatement({ software_roles: [role] });
    const url = await world.anotherInstance(({ directory }) => ({
      directory: { ...directory, crownDependencyRoles: true },
    }));
    const allowed = await post(url, tpp, { scope: undefined });
    expect([allowed.status, allowed.json()['scope']]).toEqual([201, `openid ${scope}`]);
    expectRefusal(await post(url, tpp, { scope: 'payments' }), 'invalid_client_metadata', undefined, 'scope');
    expectRefusal(await world.tryRegister({ scope }, tpp), 'invalid_client_metadata', undefined, 'scope');
  });
});
