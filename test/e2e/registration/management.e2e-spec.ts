import { randomUUID } from 'node:crypto';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { expectBodiless } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { basicOf, expectRefusal, type Registered, type RegisteringTpp } from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

const rfc7591Errors = [
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
];

const asymmetric = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'PS256' };

let psuTpp: TestTpp;

beforeAll(async () => {
  psuTpp = await aTpp(getWorld().sandbox);
});
afterAll(() => psuTpp?.close());

/** Errors, GET, PUT and DELETE /register/{ClientId}, DCR-T078 to DCR-T102. */
describe('errors of the registration area (RFC 7591 s3.2.2, OBErrorResponse1)', () => {
  it('DCR-T078 DCR-T079 every 400 speaks both languages within their limits', async () => {
    const world = getWorld();
    const answers = [
      await world.post(''),
      await world.post('A'.repeat(3_000_000)),
      await world.tryRegister({ redirect_uris: ['https://x.example'], scope: 'x', jti: undefined, aud: 'x' }),
      await world.tryRegister({ software_statement: 'a.b.c' }),
      await world.tryRegister({}, await world.withStatement({ iss: 'Evil Ltd' })),
      await world.tryRegister({}, await world.withStatement({ org_id: undefined, software_roles: 7 })),
      await world.tryRegister({ redirect_uris: Array.from({ length: 100 }, (_, index) => `x${index}`) }),
    ];
    for (const answer of answers) {
      const body = answer.json() as {
        Code: string;
        Id: string;
        Message: string;
        Errors: { ErrorCode: string; Message: string; Path?: string }[];
        error: string;
        error_description: string;
      };
      expect(answer.status).toBe(400);
      expect(rfc7591Errors).toContain(body.error);
      expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,500}$/);
      expect(body.Errors.length).toBeGreaterThan(0);
      expect(body.Code.length).toBeLessThanOrEqual(40);
      expect(body.Id.length).toBeLessThanOrEqual(40);
      expect(body.Message.length).toBeLessThanOrEqual(500);
      for (const { ErrorCode, Message, Path = '' } of body.Errors) {
        expect(ErrorCode.length * Message.length).toBeGreaterThan(0);
        expect(ErrorCode.length).toBeLessThanOrEqual(128);
        expect(Message.length).toBeLessThanOrEqual(500);
        expect(Path.length).toBeLessThanOrEqual(500);
      }
    }
  });

  it('DCR-T018 DCR-T019 DCR-T080 401, 404, 405, 406 and 415 have no body', async () => {
    const world = getWorld();
    const client = await world.register();
    const { registration_endpoint } = world.sandbox.description;
    const unauthorised = await world.manage(client, undefined);
    expectBodiless(unauthorised, 401);
    expect(unauthorised.headers['www-authenticate']).toMatch(/^Bearer /);
    expectBodiless(await world.call(`${registration_endpoint}/a/b`), 404);
    const notAllowed = await world.call(registration_endpoint);
    expectBodiless(notAllowed, 405);
    expect(notAllowed.headers['allow']).toBe('POST');
    const accept = 'text/html';
    expectBodiless(await world.manage(client, `Basic ${basicOf(client)}`, { headers: { accept } }), 406);
    const put = { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } };
    expectBodiless(await world.manage(client, `Basic ${basicOf(client)}`, put), 415);
  });

  it('DCR-T081 plays back x-fapi-interaction-id', async () => {
    const world = getWorld();
    const id = randomUUID();
    const headers = { 'x-fapi-interaction-id': id };
    const played = [
      await world.post(await world.aRequest(), { headers }),
      await world.post('', { headers }),
      await world.manage({ client_id: id }, undefined, { headers }),
      await world.call(`${world.sandbox.description.registration_endpoint}/a/b`, { headers }),
      await world.call(world.sandbox.description.discovery_uri, { headers }),
    ];
    for (const answer of played) expect(answer.headers['x-fapi-interaction-id']).toBe(id);
    expect((await world.post('')).headers['x-fapi-interaction-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('GET /register/{ClientId}', () => {
  it('DCR-T082 DCR-T083 reads the registration without its secret, by token, Basic and the bare value', async () => {
    const world = getWorld();
    const client = await world.register();
    const { client_secret: _secret, client_secret_expires_at: _expiry, ...expected } = client;
    for (const authorization of [`Bearer ${await world.aToken(client)}`, `Basic ${basicOf(client)}`, basicOf(client)]) {
      const answer = await world.manage(client, authorization);
      expect([answer.status, answer.json()]).toEqual([200, expected]);
    }
  });

  it('DCR-T084 DCR-T085 answers 401 to invalid credentials, without effect on the client', async () => {
    const world = getWorld();
    const client = await world.register();
    const wrong = basicOf({ ...client, client_secret: randomUUID() });
    for (const authorization of ['Bearer', 'Bearer ', `Bearer ${'x'.repeat(43)}`, undefined, `Basic ${wrong}`, wrong]) {
      expectBodiless(await world.manage(client, authorization), 401);
    }
    await world.aToken(client);
  });

  it('DCR-T087 answers 401 for an unknown client and ends the token', async () => {
    const world = getWorld();
    const client = await world.register();
    const token = await world.aToken(client);
    expectBodiless(await world.manage({ client_id: randomUUID() }, `Bearer ${token}`), 401);
    expectBodiless(await world.manage(client, `Bearer ${token}`), 401);
  });

  it('DCR-T088 answers 403 to a token of a customer', async () => {
    const world = getWorld();
    const token = await psuTpp.exchangeCode(await psuTpp.authorise());
    const answer = await world.manage({ client_id: psuTpp.clientId }, `Bearer ${token}`);
    expect([answer.status, answer.json()['error']]).toEqual([403, 'access_denied']);
  });

  it('DCR-T089 tells paths from ids', async () => {
    const world = getWorld();
    const client = await world.register();
    expectBodiless(await world.manage({ client_id: 'not-a-uuid' }, `Basic ${basicOf(client)}`), 401);
    expectBodiless(await world.call(world.sandbox.description.registration_endpoint), 405);
    expectBodiless(await world.manage({ client_id: `${client.client_id}/x` }, `Basic ${basicOf(client)}`), 404);
    expectBodiless(await world.manage(client, `Basic ${basicOf(client)}`, { method: 'POST' }), 405);
    expectBodiless(await world.manage(client, `Basic ${basicOf(client)}`, { method: 'PATCH' }), 405);
  });
});

describe('PUT /register/{ClientId} (RFC 7592 s2.2)', () => {
  it('DCR-T090 DCR-T095 keeps id, time and tokens', async () => {
    const world = getWorld();
    const client = await world.register();
    const token = await world.aToken(client);
    const answer = await world.put(client);
    expect(answer.status).toBe(200);
    const { client_id, client_id_issued_at } = client;
    expect(answer.json()).toMatchObject({ client_id, client_id_issued_at });
    expect((await world.manage(client, `Bearer ${token}`)).status).toBe(200);
  });

  it('DCR-T092 refuses to become another client or software', async () => {
    const world = getWorld();
    const client = await world.register();
    const other = await world.register();
    expectRefusal(
      await world.put(client, { client_id: other.client_id }),
      'invalid_client_metadata',
      undefined,
      'client_id',
    );
    const statement = { software_id: 'AnotherSoftware', software_client_id: 'AnotherSoftware' };
    const tpp: RegisteringTpp = { ...(await world.withStatement(statement)), softwareId: 'AnotherSoftware' };
    expectRefusal(
      await world.put(client, {}, tpp),
      'invalid_client_metadata',
      undefined,
      'software_statement.software_id',
    );
  });

  it('DCR-T093 looks at credentials before the body', async () => {
    const world = getWorld();
    const client = await world.register();
    const put = { method: 'PUT', body: 'x', headers: { 'content-type': 'application/jose' } };
    expectBodiless(await world.manage(client, undefined, put), 401);
  });

  it('DCR-T094 takes application/jwt, and changes nothing when it refuses', async () => {
    const world = getWorld();
    const client = await world.register();
    expect((await world.put(client, { scope: 'openid' })).status).toBe(200);
    const { text } = await world.manage(client, `Basic ${basicOf(client)}`);
    expectRefusal(await world.put(client, { scope: 'nothing' }), 'invalid_client_metadata');
    expect((await world.manage(client, `Basic ${basicOf(client)}`)).text).toBe(text);
  });

  it.each(['fapi1-advanced', 'fapi2-security', 'fapi2-message-signing'])(
    'takes back what GET says, also of a client of %s, and nothing changes',
    async (fapiProfile) => {
      const world = getWorld();
      const client = await world.register({ ...asymmetric, fapi_profile: fapiProfile, response_types: ['code'] });
      const before = (await world.manage(client, `Basic ${basicOf(client)}`)).json();
      const { iat: _iat, exp: _exp, jti: _jti, ...echo } = before;
      const answer = await world.put(client, echo);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      const after = (await world.manage(client, `Basic ${basicOf(client)}`)).json();
      expect(after).toEqual({ ...echo, iat: after['iat'], exp: after['exp'], jti: after['jti'] });
      expect(after['fapi_profile']).toBe(fapiProfile);
    },
  );

  it('keeps a profile that the bank has given: it may be repeated, but not removed', async () => {
    const world = getWorld();
    const client = await world.register({ ...asymmetric, response_types: ['code id_token'] });
    await world.sandbox.database.query(`UPDATE clients SET fapi_profile = 'fapi2-security' WHERE client_id = $1`, [
      client.client_id,
    ]);
    const {
      iat: _iat,
      exp: _exp,
      jti: _jti,
      ...echo
    } = (await world.manage(client, `Basic ${basicOf(client)}`)).json();
    expect((await world.put(client, echo)).json()).toMatchObject({ fapi_profile: 'fapi2-security' });
    expectRefusal(
      await world.put(client, { ...asymmetric, fapi_profile: 'fapi1-advanced' }),
      'invalid_client_metadata',
      undefined,
      'fapi_profile',
    );
    // A secret would take away what the profile demands (FAPI 2.0 Security Profile s5.3.2.1-6).
    expectRefusal(
      await world.put(client, { token_endpoint_auth_method: 'client_secret_basic' }),
      'invalid_client_metadata',
    );
    const later = await world.put(client, {
      ...asymmetric,
      response_types: ['code'],
      fapi_profile: 'fapi2-message-signing',
    });
    expect(later.json()).toMatchObject({ fapi_profile: 'fapi2-message-signing' });
  });

  it('DCR-T096 gives a client that changes to client_secret_jwt a secret that works', async () => {
    const world = getWorld();
    const method = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'PS256' };
    const client = await world.register(method);
    const changed = (await world.put(client, { token_endpoint_auth_method: 'client_secret_jwt' })).json() as Registered;
    expect(changed.client_secret).not.toBe(client.client_secret);
    expect((await world.token(world.anHmacAssertion(changed))).status).toBe(200);
    expect((await world.token(await world.anAssertion(client.client_id))).status).toBe(401);
  });
});

describe('DELETE /register/{ClientId} (RFC 7592 s2.3)', () => {
  it('DCR-T097 DCR-T098 answers 204, and then 401 to everything', async () => {
    const world = getWorld();
    const client = await world.register();
    const [token, second] = [await world.aToken(client), await world.aToken(client)];
    const answer = await world.manage(client, `Bearer ${token}`, { method: 'DELETE' });
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([204, '', undefined]);
    for (const authorization of [`Bearer ${token}`, `Bearer ${second}`, `Basic ${basicOf(client)}`]) {
      for (const method of ['GET', 'DELETE', 'PUT']) {
        const body = method === 'PUT' ? { body: await world.aRequest() } : {};
        const headers = method === 'PUT' ? { 'content-type': 'application/jose' } : {};
        expectBodiless(await world.manage(client, authorization, { method, headers, ...body }), 401);
      }
    }
  });

  it('DCR-T099 DCR-T100 ends tokens, unused codes and authorization', async () => {
    const world = getWorld();
    const tpp = await aTpp(world.sandbox);
    const consent = await tpp.authorise();
    const request = await tpp.createAuthorizationRequest(await tpp.stageFile());
    const { clientId: client_id, accessToken } = tpp;
    expect((await tpp.get(`/file-payment-consents/${consent.consentId}`)).status).toBe(200);
    expect((await world.manage({ client_id }, `Bearer ${accessToken}`, { method: 'DELETE' })).status).toBe(204);
    expect((await tpp.get(`/file-payment-consents/${consent.consentId}`)).status).toBe(401);
    const code = new URLSearchParams(new URL(consent.location).hash.slice(1)).get('code') ?? '';
    const grants: Record<string, string>[] = [
      { grant_type: 'client_credentials' },
      { grant_type: 'authorization_code', code, redirect_uri: consent.request.redirectUri },
      { grant_type: 'refresh_token', refresh_token: randomUUID() },
    ];
    for (const grant of grants) {
      const answer = await world.token({ ...(await world.anAssertion(client_id)), ...grant });
      expect([answer.status, answer.json()['error']]).toEqual([401, 'invalid_client']);
    }
    const page = await httpsRequest({ url: request.url, agent: world.sandbox.agent });
    expect([page.status, page.headers.location]).toEqual([400, undefined]);
    expect(page.headers['content-type']).toContain('text/html');
    tpp.close();
  });
});

describe('Authorization header of registration management', () => {
  it('DCR-T101 answers 401 to malformed ones, never 5xx', async () => {
    const world = getWorld();
    const client = await world.register();
    const malformed = [
      'Bearer a b',
      'Basic %%%',
      'x'.repeat(10_000),
      `Bearer ${'x'.repeat(10_000)}`,
      'Basic',
      ':',
      'Bearer ,',
      'Digest username="x"',
      `Basic ${Buffer.from('\u0000\u0001:\u007f').toString('base64')}`,
      'Bearer \t',
      'Bearer "',
    ];
    for (const authorization of malformed) {
      expect([authorization.slice(0, 20), (await world.manage(client, authorization)).status]).toEqual([
        authorization.slice(0, 20),
        401,
      ]);
    }
    // Bytes that no HTTP client lets out are refused by the parser of HTTP.
    expect(await rawStatus(client, 'Authorization: Bearer \u0001\u0002')).toBeLessThan(500);
  });

  it('DCR-T102 answers 401 to two headers', async () => {
    const world = getWorld();
    const client = await world.register();
    const value = `Basic ${basicOf(client)}`;
    expect(await rawStatus(client, `Authorization: ${value}\r\nAuthorization: ${value}`)).toBe(401);
  });
});

/** Sends a GET with header lines as they are. */
function rawStatus(client: Registered, headers: string): Promise<number> {
  const world = getWorld();
  const { hostname, port, pathname } = new URL(world.sandbox.description.registration_endpoint);
  const { cert, key } = world.tpp.certificate;
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      servername: hostname,
      ca: world.sandbox.ca,
      cert,
      key,
    });
    socket.on('error', reject);
    socket.once('data', (chunk: Buffer) => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? 599));
    });
    const lines = [`GET ${pathname}/${client.client_id} HTTP/1.1`, `Host: ${hostname}:${port}`, headers, '', ''];
    socket.write(lines.join('\r\n'), 'latin1');
  });
}

/** What the numbered statements leave out: races, repeats, hostile bodies, other forms of the same request. */
describe('discovery under its other addresses', () => {
  it('serves the same bytes everywhere, to every origin', async () => {
    const world = getWorld();
    const paths = [
      '/open-banking/v3.0/.well-known/openid-configuration',
      '/.well-known/openid-configuration',
      '/.well-known/openid-configuration/open-banking/v3.0',
      '/.well-known/oauth-authorization-server/open-banking/v3.0',
    ];
    const answers = await Promise.all(
      paths.map((path) => world.call(`${world.sandbox.config.baseUrl}${path}`, { certificate: null })),
    );
    for (const answer of answers) {
      expect(answer.text).toBe(answers[0]?.text);
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=300',
        'access-control-allow-origin': '*',
        etag: answers[0]?.headers['etag'],
      });
    }
  });

  it('answers 304 to its own tag and HEAD without a body', async () => {
    const world = getWorld();
    const url = world.sandbox.description.discovery_uri;
    const { headers } = await world.call(url);
    const known = await world.call(url, { headers: { 'if-none-match': `W/${String(headers['etag'])}` } });
    expect([known.status, known.text]).toEqual([304, '']);
    const head = await world.call(url, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('POST /register under pressure', () => {
  it('DCR-T040 accepts one request once, also of twenty at the same time', async () => {
    const world = getWorld();
    const request = await world.aRequest();
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(request)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectRefusal(answer, 'invalid_client_metadata', 'UK.OBIE.Field.Invalid', 'jti');
    }
  });

  it('does not burn the jti of a request that it refuses', async () => {
    const world = getWorld();
    const jti = randomUUID();
    expectRefusal(await world.tryRegister({ jti, scope: 'nothing' }), 'invalid_client_metadata', undefined, 'scope');
    await world.register({ jti });
  });

  it.each([
    ['a NUL', '\u0000'],
    ['half a surrogate pair', '\ud800'],
  ])('never answers 5xx to a claim that is %s', async (_what, value) => {
    const world = getWorld();
    const names = Object.keys(world.aPayload({ tls_client_auth_subject_dn: 0, client_id: 0, nbf: 0, software_id: 0 }));
    for (const name of names) {
      const answer = await world.tryRegister({ token_endpoint_auth_method: 'tls_client_auth', [name]: value });
      expect([name, answer.status < 500]).toEqual([name, true]);
    }
  });

  it('refuses a software statement with control characters in the name, and names the fault', async () => {
    const world = getWorld();
    const statement = await world.withStatement({ software_client_name: 'TPP\u0000\u0007' });
    const { status, text } = await world.tryRegister({}, statement);
    expect([status, text]).toEqual([400, expect.stringContaining('must not contain U+0000: ')]);
  });
});

describe('PUT /register/{ClientId}', () => {
  it("refuses a client_secret that is not the client's own (RFC 7592 s2.2)", async () => {
    const world = getWorld();
    const client = await world.register();
    expect((await world.put(client, { client_secret: client.client_secret })).status).toBe(200);
    const answer = await world.put(client, { client_secret: randomUUID() });
    expectRefusal(answer, 'invalid_client_metadata', undefined, 'client_secret');
  });

  it('serialises simultaneous replacements: the result is one of them', async () => {
    const world = getWorld();
    const client = await world.register();
    const scopes = ['openid', 'payments', 'openid payments', 'accounts', 'openid accounts'];
    const answers = await Promise.all(scopes.map((scope) => world.put(client, { scope })));
    expect(answers.map(({ status }) => status)).toEqual(scopes.map(() => 200));
    expect(scopes).toContain((await world.manage(client, `Basic ${basicOf(client)}`)).json()['scope']);
  });
});

describe('GET, PUT and DELETE /register/{ClientId}', () => {
  it('leaves a tombstone without a secret', async () => {
    const world = getWorld();
    const client = await world.register({ token_endpoint_auth_method: 'client_secret_jwt' });
    expect((await world.manage(client, `Basic ${basicOf(client)}`, { method: 'DELETE' })).status).toBe(204);
    const { rows } = await world.sandbox.database.query(
      `SELECT status, octet_length(secret_hash) AS hash, secret_encrypted FROM clients WHERE client_id = $1`,
      [client.client_id],
    );
    expect(rows).toEqual([{ status: 'Deleted', hash: 0, secret_encrypted: null }]);
  });
});
