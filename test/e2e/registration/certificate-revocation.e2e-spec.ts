import { createPrivateKey, X509Certificate, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createOcspRequest } from '#libs/certificates';
import type { Config } from '#libs/config';
import { Telemetry } from '#libs/telemetry';
import {
  type Issuer,
  answerOcspRequest,
  createRevocationList,
  RevokedCertificates,
  type RevokedCertificate,
} from '../../support/apps/certificates.js';
import { expectEventually } from '../../support/expectations.js';
import { startEgressProxy } from './egress-proxy.js';
import { type Subject, type TransportCertificate, basicOf, type Registered } from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';
import { aConsentRequest } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aJwsHeader, signDetached } from '../../support/detached-jws.js';
import type { TestResponse } from '../../support/https-request.js';
import { credentialsOf } from '../../support/a-client.js';

const getWorld = useRegistrationWorld();

type Revocation = Config['revocation'];

const day = 86_400_000;
const serialOf = (pem: string): RevokedCertificate => ({
  serialNumber: new X509Certificate(pem).serialNumber.toLowerCase(),
  revokedAt: new Date().toISOString(),
});

/** The answer with another signature. */
const flip = (answer: Buffer): Buffer => {
  const changed = Buffer.from(answer);
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
  return changed;
};

const anInstance = (difference: Partial<Revocation>, telemetry?: Telemetry): Promise<string> =>
  getWorld().anotherInstance(
    ({ revocation }) => ({ revocation: { ...revocation, cacheSeconds: 600, ...difference } }),
    telemetry,
  );

/** 400 for a certificate that counts (the body is not a JWT), 401 for one that does not. */
const statusWith = async (url: string, certificate: TransportCertificate): Promise<number> => {
  const headers = { 'content-type': 'application/jose' };
  return (await getWorld().call(url, { method: 'POST', body: 'x', certificate, headers })).status;
};

/** A certificate that names these places; both answer as the test says. */
const aCertificate = (list: string, responder: string): Promise<TransportCertificate> =>
  getWorld().aCertificate({ subject: getWorld().obwacSubject(), revocation: { list, responder } });

const anotherAuthority = async (): Promise<Issuer> => {
  const subject: Subject = [{ C: ['GB'] }, { O: ['Open Banking Sandbox'] }, { CN: ['Open Banking Sandbox Root CA'] }];
  const { cert, key } = await getWorld().aCertificate({ subject, profile: 'authority' });
  return { certificate: cert, privateKey: createPrivateKey(key) };
};

const serveList = (
  name: string,
  revoked: RevokedCertificate[],
  options: { issuer?: Issuer; now?: Date } = {},
): string =>
  getWorld().keyStore.serve(name, (_request, response) => {
    const { issuer = getWorld().trust.authority, now = new Date() } = options;
    void createRevocationList({ issuer, revoked, now }).then((list) => response.end(list));
  });

const serveResponder = (
  name: string,
  revoked: RevokedCertificate[],
  options: { issuer?: Issuer; now?: Date; change?: (answer: Buffer) => Buffer } = {},
): string =>
  getWorld().keyStore.serve(name, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { issuer = getWorld().trust.authority, now = new Date(), change = (answer: Buffer) => answer } = options;
      response.end(change(answerOcspRequest({ request: Buffer.concat(chunks), issuer, revoked, now })));
    });
  });

const redirectTo = (name: string, location: string): string =>
  getWorld().keyStore.serve(name, (_request, response) => response.writeHead(302, { location }).end());

/** Answers about another certificate than the one that was asked about. */
const serveAboutAnother = async (name: string): Promise<string> => {
  const { cert } = await aCertificate('https://localhost:1/', 'https://localhost:1/');
  const issuer = getWorld().trust.authority;
  const of = { certificate: new X509Certificate(cert), issuer: new X509Certificate(issuer.certificate) };
  const answer = answerOcspRequest({ request: createOcspRequest(of), issuer, revoked: [], now: new Date() });
  return getWorld().keyStore.serve(name, (_request, response) => response.end(answer));
};

/** Revoked certificates (RFC 5280 s5, RFC 6960) are refused everywhere. */
describe.each<['crl' | 'ocsp']>([['crl'], ['ocsp']])('revocation of certificates by %s', (source) => {
  it("the sandbox's authority says what it has revoked, and that is refused after the cache time", async () => {
    const world = getWorld();
    const { base_url } = world.sandbox.description.directory;
    const url = await anInstance({ mode: 'hard', sources: [source] });
    const revocation = { list: `${base_url}/certificate-authority.crl`, responder: `${base_url}/ocsp` };
    const certificate = await world.aCertificate({ subject: world.obwacSubject(), revocation });
    expect(await statusWith(url, certificate)).toBe(400);
    expect(await statusWith(url, world.tpp.certificate)).toBe(400);
    await new RevokedCertificates(world.sandbox.directory).revoke(certificate.cert, new Date());
    world.clock.advance(601);
    // The first request after the cache time waits for the new answer, but not for long.
    await expectEventually(() => statusWith(url, certificate), 401);
    expect(await statusWith(url, world.tpp.certificate)).toBe(400);
  });

  it('is asked once for many requests and connections', async () => {
    const world = getWorld();
    const name = `counted-${source}`;
    const address = source === 'crl' ? serveList(name, []) : serveResponder(name, []);
    const certificate = await aCertificate(address, address);
    const url = await anInstance({ mode: 'hard', sources: [source] });
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusWith(url, certificate)));
    expect(new Set(statuses)).toEqual(new Set([400]));
    expect(await statusWith(url, certificate)).toBe(400);
    expect(world.keyStore.requestCount(name)).toBe(1);
  });

  it('uses the last answer while the authority is down, until that is out of date', async () => {
    const world = getWorld();
    const name = `outage-${source}`;
    const serve = source === 'crl' ? serveList : serveResponder;
    const address = serve(name, []);
    const certificate = await aCertificate(address, address);
    const url = await anInstance({ mode: 'hard', sources: [source] });
    expect(await statusWith(url, certificate)).toBe(400);
    world.keyStore.serve(name, (_request, response) => response.destroy());
    world.clock.advance(3_600);
    expect(await statusWith(url, certificate)).toBe(400);
    world.clock.advance(86_400);
    expect(await statusWith(url, certificate)).toBe(401);
    world.clock.advance(-90_000);
  });
});

describe('what authorities say is verified', () => {
  /** Name, how the list is served, whether the certificate would be revoked by it. */
  const lists: [string, (name: string, revoked: RevokedCertificate[]) => Promise<string> | string][] = [
    [
      'of another authority with the same name',
      async (name, revoked) => serveList(name, revoked, { issuer: await anotherAuthority() }),
    ],
    ['out of date', (name, revoked) => serveList(name, revoked, { now: new Date(Date.now() - 3 * day) })],
    ['from the future', (name, revoked) => serveList(name, revoked, { now: new Date(Date.now() + 3 * day) })],
    ['that is none', (name) => getWorld().keyStore.serveJson(name, { list: [] })],
    [
      'of five megabytes',
      (name) => getWorld().keyStore.serve(name, (_request, response) => response.end(Buffer.alloc(5_000_000))),
    ],
    ['behind a redirect', (name, revoked) => redirectTo(name, serveList(`${name}-target`, revoked))],
    ['that never comes', (name) => getWorld().keyStore.serve(name, () => undefined)],
  ];

  it.each(lists)('a list %s says nothing', async (what, serve) => {
    const name = `list-${what.replaceAll(' ', '-')}`;
    const [hard, soft] = [
      await anInstance({ mode: 'hard', sources: ['crl'] }),
      await anInstance({ mode: 'soft', sources: ['crl'] }),
    ];
    const revoked: RevokedCertificate[] = [];
    const certificate = await aCertificate(await serve(name, revoked), 'https://localhost:1/');
    revoked.push(serialOf(certificate.cert));
    expect(await statusWith(hard, certificate)).toBe(401);
    expect(await statusWith(soft, certificate)).toBe(400);
  });

  const responders: [string, (name: string) => Promise<string> | string][] = [
    ['signed by another key', (name) => serveResponder(name, [], { change: flip })],
    ['of another authority', async (name) => serveResponder(name, [], { issuer: await anotherAuthority() })],
    ['out of date', (name) => serveResponder(name, [], { now: new Date(Date.now() - 3 * day) })],
    ['from the future', (name) => serveResponder(name, [], { now: new Date(Date.now() + 3 * day) })],
    ['that is malformed', (name) => serveResponder(name, [], { change: (answer) => answer.subarray(0, 40) })],
    ['that is an error', (name) => serveResponder(name, [], { change: () => Buffer.from('30030a0103', 'hex') })],
    ['about another certificate', serveAboutAnother],
  ];

  it.each(responders)('an OCSP answer %s says nothing', async (what, serve) => {
    const name = `ocsp-${what.replaceAll(' ', '-')}`;
    const [hard, soft] = [
      await anInstance({ mode: 'hard', sources: ['ocsp'] }),
      await anInstance({ mode: 'soft', sources: ['ocsp'] }),
    ];
    const certificate = await aCertificate('https://localhost:1/', await serve(name));
    expect(await statusWith(hard, certificate)).toBe(401);
    expect(await statusWith(soft, certificate)).toBe(400);
  });
});

describe('revocation by setting', () => {
  it('off asks nobody; soft accepts and hard refuses a certificate without an address to ask', async () => {
    const world = getWorld();
    const before = world.keyStore.connectionCount();
    const off = await anInstance({ mode: 'off' });
    const address = serveList('off.crl', []);
    expect(await statusWith(off, await aCertificate(address, address))).toBe(400);
    expect(world.keyStore.connectionCount()).toBe(before);
    const silent = await world.aCertificate({ subject: world.obwacSubject() });
    for (const [mode, status, outcome] of [
      ['soft', 400, 'taken'],
      ['hard', 401, 'refused'],
    ] as const) {
      const telemetry = new Telemetry(world.sandbox.config);
      const url = await anInstance({ mode }, telemetry);
      expect(await statusWith(url, silent)).toBe(status);
      expect(await statusWith(url, silent)).toBe(status);
      const counted = await telemetry.registry.getSingleMetricAsString(
        'open_banking_certificate_revocation_unknown_total',
      );
      expect(counted).toContain(`{app="api",outcome="${outcome}"} 2`);
      expect(counted).toContain(`{app="api",outcome="${outcome === 'taken' ? 'refused' : 'taken'}"} 0`);
    }
  });

  it('asks a configured list, too, and the next source when one says nothing', async () => {
    const world = getWorld();
    const silent = await world.aCertificate({ subject: world.obwacSubject() });
    const revoked = await world.aCertificate({ subject: world.obwacSubject() });
    const lists = [serveList('configured.crl', [serialOf(revoked.cert)])];
    const url = await anInstance({ mode: 'hard', sources: ['crl'], lists });
    expect([await statusWith(url, silent), await statusWith(url, revoked)]).toEqual([400, 401]);
    const down = world.keyStore.serve('down.crl', (_request, response) => response.destroy());
    const fallback = await aCertificate(down, serveResponder('fallback', []));
    expect(await statusWith(await anInstance({ mode: 'hard', sources: ['crl', 'ocsp'] }), fallback)).toBe(400);
  });

  it('fetches lists over plain http, too, as real authorities publish them, directly and through the proxy', async () => {
    const world = getWorld();
    const revoked: RevokedCertificate[] = [];
    const server = createServer((_request, response) => {
      const list = createRevocationList({ issuer: world.trust.authority, revoked, now: new Date() });
      void list.then((der) => response.end(der));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = await startEgressProxy();
    try {
      const address = `http://localhost:${(server.address() as AddressInfo).port}/authority.crl`;
      const [good, bad] = [await aCertificate(address, address), await aCertificate(address, address)];
      revoked.push(serialOf(bad.cert));
      for (const egress of [{}, { proxyUrl: proxy.url }]) {
        const url = await world.anotherInstance(({ revocation }) => ({
          revocation: { ...revocation, mode: 'hard', sources: ['crl'] },
          egress,
        }));
        expect([await statusWith(url, good), await statusWith(url, bad)]).toEqual([400, 401]);
      }
      expect(proxy.requests.map(({ line }) => line)).toEqual([`GET ${address}`]);
      const strict = await world.anotherInstance(({ revocation, directory }) => ({
        revocation: { ...revocation, mode: 'hard', sources: ['crl'] },
        directory: { ...directory, allowPrivateAddresses: false },
      }));
      expect(await statusWith(strict, good)).toBe(401);
    } finally {
      await proxy.close();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('connects to no private address unless the configuration says so', async () => {
    const world = getWorld();
    const before = world.keyStore.connectionCount();
    const address = serveList('private.crl', []);
    const url = await world.anotherInstance(({ revocation, directory }) => ({
      revocation: { ...revocation, mode: 'hard' },
      directory: { ...directory, allowPrivateAddresses: false },
    }));
    expect(await statusWith(url, await aCertificate(address, address))).toBe(401);
    expect(world.keyStore.connectionCount()).toBe(before);
  });

  it('a revoked certificate gets no token and opens no resource', async () => {
    const world = getWorld();
    const { base_url } = world.sandbox.description.directory;
    const revocation = { list: `${base_url}/certificate-authority.crl`, responder: `${base_url}/ocsp` };
    const certificate = await world.aCertificate({ subject: world.obwacSubject(), revocation });
    const client = await world.register({}, { ...world.tpp, certificate });
    const token = await world.aToken(client, { ...world.tpp, certificate });
    await new RevokedCertificates(world.sandbox.directory).revoke(certificate.cert, new Date());
    world.clock.advance(601);
    await expectEventually(async () => (await world.manage(client, `Bearer ${token}`, { certificate })).status, 401);
    const { client_id, client_secret } = client;
    const form = { grant_type: 'client_credentials', client_id, client_secret };
    await expectEventually(async () => (await world.token(form, { certificate })).status, 401);
    const refused = await world.token(form, { certificate });
    expect([refused.status, refused.json()['error']]).toEqual([401, 'invalid_client']);
    const consent = `${world.sandbox.description.base_url}/open-banking/v3.1/pisp/file-payment-consents/x`;
    const answer = await world.call(consent, { certificate, headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
    // Its other certificate is as good as before.
    expect((await world.token(form)).status).toBe(200);
  });
});

const methods = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
];
const secretMethods = ['client_secret_basic', 'client_secret_post'];
const clientCredentials = { grant_type: 'client_credentials', scope: 'payments' };

/** A token request by a method, at the address of an instance. */
const requestToken = async (method: string, client: Registered, url?: string): Promise<TestResponse> => {
  const world = getWorld();
  const { form, authorization } = await world.authentication(method, client);
  return world.call(url ?? world.sandbox.description.token_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization },
    body: new URLSearchParams({ ...form, ...clientCredentials }).toString(),
  });
};

/** POST /file-payment-consents with a token. */
const stageConsent = async (accessToken: string): Promise<TestResponse> => {
  const { sandbox, call } = { sandbox: getWorld().sandbox, call: getWorld().call.bind(getWorld()) };
  const credentials = await credentialsOf(sandbox.description.tpps[0]);
  const body = aConsentRequest({ file: aPaymentFile(), initiation: {} });
  return call(`${sandbox.description.base_url}/open-banking/v3.1/pisp/file-payment-consents`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      'x-idempotency-key': randomUUID(),
      'x-jws-signature': signDetached(body, credentials.signingKey, aJwsHeader(credentials)),
    },
  });
};

/** The life of a client from its registration to its deletion, by each method, on every instance. */
describe('the life of a client', () => {
  it.each(methods)('%s: token, consent, another method by PUT, DELETE; at once on every instance', async (method) => {
    const world = getWorld();
    const otherToken = await world.anotherTokenInstance(() => ({}));
    const otherApi = await world.anotherInstance(() => ({}));
    const client = await world.register({
      token_endpoint_auth_method: method,
      token_endpoint_auth_signing_alg: 'PS256',
    });
    const first = await requestToken(method, client);
    expect(first.status).toBe(200);
    const accessToken = String(first.json()['access_token']);
    const staged = await stageConsent(accessToken);
    expect([staged.status, staged.text]).toEqual([201, expect.any(String)]);

    const next = methods[(methods.indexOf(method) + 2) % methods.length] ?? '';
    const replaced = await world.put(client, {
      token_endpoint_auth_method: next,
      token_endpoint_auth_signing_alg: 'PS256',
    });
    expect(replaced.status).toBe(200);
    const changed = { ...client, ...replaced.json() } as Registered;
    for (const url of [undefined, otherToken]) {
      for (const tried of methods) {
        const isFitting = tried === next || (secretMethods.includes(tried) && secretMethods.includes(next));
        expect([tried, (await requestToken(tried, changed, url)).status]).toEqual([tried, isFitting ? 200 : 401]);
      }
    }
    const authorization = `Bearer ${accessToken}`;
    expect((await world.manage(client, authorization, { method: 'DELETE' })).status).toBe(204);
    for (const url of [undefined, otherToken]) expect((await requestToken(next, changed, url)).status).toBe(401);
    expect((await world.call(`${otherApi}/${client.client_id}`, { headers: { authorization } })).status).toBe(401);
    expect((await stageConsent(accessToken)).status).toBe(401);
  });
});

it('each request on a registration is in the audit trail under its interaction id', async () => {
  const world = getWorld();
  const created = await world.tryRegister();
  const client = created.json() as Registered;
  const replaced = await world.put(client, {
    redirect_uris: world.tpp.redirectUris.slice(0, 1),
    scope: 'openid payments',
  });
  const authorization = `Bearer ${await world.aToken(client)}`;
  const deleted = await world.manage(client, authorization, { method: 'DELETE' });
  const actionsOf = async ({ headers }: TestResponse): Promise<string[]> => {
    const { rows } = await world.sandbox.database.query<{ action: string }>(
      'SELECT action FROM audit_events WHERE interaction_id = $1 AND client_id = $2 ORDER BY action',
      [headers['x-fapi-interaction-id'], client.client_id],
    );
    return rows.map(({ action }) => action);
  };
  expect(await actionsOf(created)).toEqual(['registration.create']);
  expect(await actionsOf(replaced)).toEqual(['registration.change']);
  expect(await actionsOf(deleted)).toEqual(['registration.status', 'token.revoke']);
});

describe('who may manage a registration', () => {
  it('nobody with a certificate that is expired, revoked, self-signed, wrongly issued or of others, whether the id exists or not', async () => {
    const world = getWorld();
    const client = await world.register();
    const token = await world.aToken(client);
    const subject = world.obwacSubject();
    const { base_url } = world.sandbox.description.directory;
    const revocation = { list: `${base_url}/certificate-authority.crl`, responder: `${base_url}/ocsp` };
    const authority = await world.aCertificate({ subject: [{ CN: ['Other CA'] }], profile: 'authority' });
    const issuer = { certificate: authority.cert, privateKey: createPrivateKey(authority.key) };
    const own = await world.aCertificate({ subject });
    const selfIssuer = { certificate: own.cert, privateKey: createPrivateKey(own.key) };
    const revoked = await world.aCertificate({ subject, revocation });
    await new RevokedCertificates(world.sandbox.directory).revoke(revoked.cert, new Date());
    world.clock.advance(601);
    const statusOfRevoked = async (): Promise<number> =>
      (await world.manage(client, `Bearer ${token}`, { certificate: revoked })).status;
    await expectEventually(statusOfRevoked, 401);
    const certificates: Record<string, TransportCertificate | null> = {
      expired: await world.aCertificate({ subject, now: new Date(Date.now() - 90 * 86_400_000), days: 30 }),
      revoked,
      'self-signed': await world.aCertificate({ subject, issuer: selfIssuer }),
      'of another authority': await world.aCertificate({ subject, issuer }),
      'for signing': await world.aCertificate({ subject, profile: 'signing' }),
      'of another organisation': world.otherTpp.certificate,
      'of another software': await world.aCertificate({ subject: world.legacySubject(undefined, 'AnotherSoftware') }),
      none: null,
    };
    const body = await world.aRequest();
    for (const [what, certificate] of Object.entries(certificates)) {
      for (const client_id of [client.client_id, randomUUID()]) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          for (const authorization of [`Bearer ${token}`, `Basic ${basicOf(client)}`]) {
            const headers = method === 'PUT' ? { 'content-type': 'application/jose' } : {};
            const request = { method, headers, certificate, ...(method === 'PUT' ? { body } : {}) };
            const outcome = await world.manage({ client_id }, authorization, request).then(
              (answer) => [answer.status, answer.text],
              () => [401, ''], // a refused handshake is as good as a refused request
            );
            expect([what, method, ...outcome]).toEqual([what, method, 401, '']);
          }
        }
      }
    }
    expect((await world.manage(client, `Bearer ${token}`)).status).toBe(200);
  });

  it("DCR-T086 nobody with another client's credentials: 403 for a client that exists, and nothing is changed", async () => {
    const world = getWorld();
    const client = await world.register();
    const other = await world.register();
    const { text } = await world.manage(client, `Basic ${basicOf(client)}`);
    for (const authorization of [`Bearer ${await world.aToken(other)}`, `Basic ${basicOf(other)}`]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const put = { body: await world.aRequest(), headers: { 'content-type': 'application/jose' } };
        const answer = await world.manage(client, authorization, { method, ...(method === 'PUT' ? put : {}) });
        expect([method, answer.status]).toEqual([method, 403]);
        expect(answer.text).not.toContain(world.tpp.softwareId);
      }
    }
    expect((await world.manage(client, `Basic ${basicOf(client)}`)).text).toBe(text);
  });
});
