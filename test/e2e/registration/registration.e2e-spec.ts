import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Pool } from 'pg';
import { createCompactJws, parseCompactJws, parseJsonPayload, type SigningKey } from '#libs/jws';
import { createApiApp } from '../../../apps/api/src/create-api-app.js';
import type { TppDescription } from '../../../apps/sandbox/src/sandbox-description.js';
import { startSandbox, type RunningSandbox } from '../../../apps/sandbox/src/start-sandbox.js';
import { ensureTrustFramework } from '../../../apps/sandbox/src/trust/trust-framework.js';
import { createTokenApp } from '../../../apps/token/src/create-token-app.js';

/** A TPP with all that it needs to call. */
interface Tpp {
  description: TppDescription;
  certificate: { cert: string; key: string };
  signingKey: SigningKey;
  softwareStatement: string;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: () => Record<string, unknown>;
}

interface Call {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** undefined: the first TPP's; null: none */
  certificate?: { cert: string; key: string } | null;
}

let directory: string;
let sandbox: RunningSandbox;
let ca: string;
let directoryKey: SigningKey;
let tpp: Tpp;
let otherTpp: Tpp;
let database: Pool;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'registration-'));
  const ports = { authorize: 0, token: 0, api: 0, directory: 0, bank: 0 };
  sandbox = await startSandbox({ directory, ports, apps: { api: createApiApp, token: createTokenApp } });
  ca = await readFile(resolve(sandbox.description.ca_file), 'utf8');
  ({ directorySigningKey: directoryKey } = await ensureTrustFramework({ directory, now: new Date() }));
  const [first, second] = await Promise.all(sandbox.description.tpps.map(readTpp));
  if (first === undefined || second === undefined) throw new Error('The sandbox has two TPPs.');
  [tpp, otherTpp] = [first, second];
  database = new Pool({ connectionString: sandbox.databaseUrl, max: 2 });
}, 120_000);

afterAll(async () => {
  await database?.end();
  await sandbox?.stop();
  await sandbox?.postgres.remove();
  await rm(directory, { recursive: true, force: true });
});

const read = (file: string): Promise<string> => readFile(resolve(file), 'utf8');

async function readTpp(description: TppDescription): Promise<Tpp> {
  const privateKey = createPrivateKey(await read(description.signing_key_file));
  return {
    description,
    certificate: { cert: await read(description.transport_cert_file), key: await read(description.transport_key_file) },
    signingKey: {
      kid: description.signing_kid,
      algorithm: 'PS256',
      privateKey,
      publicJwk: {},
    } as unknown as SigningKey,
    softwareStatement: (await read(description.software_statement_file)).trim(),
  };
}

const call = (
  url: string,
  { method = 'GET', headers = {}, body, certificate = tpp.certificate }: Call = {},
): Promise<Answer> =>
  new Promise((answered, reject) => {
    const outgoing = httpsRequest(url, { method, headers, ca, agent: false, ...certificate }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const json = (): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
        answered({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Claims of a good request; the test shows what differs, undefined removes a claim. */
const aPayload = (of: Tpp, difference: Record<string, unknown> = {}): Record<string, unknown> => ({
  iss: of.description.software_id,
  iat: nowSeconds(),
  exp: nowSeconds() + 600,
  aud: sandbox.config.signing.organisationId,
  jti: randomUUID(),
  redirect_uris: of.description.redirect_uris,
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['authorization_code', 'client_credentials'],
  response_types: ['code id_token'],
  scope: 'payments openid',
  software_statement: of.softwareStatement,
  application_type: 'web',
  id_token_signed_response_alg: 'PS256',
  request_object_signing_alg: 'PS256',
  ...difference,
});

const aRequest = (difference: Record<string, unknown> = {}, of: Tpp = tpp): Promise<string> =>
  createCompactJws({ header: { typ: 'JWT' }, payload: JSON.stringify(aPayload(of, difference)), key: of.signingKey });

const aStatement = (difference: Record<string, unknown>, key: SigningKey = directoryKey): Promise<string> => {
  const claims = parseJsonPayload(parseCompactJws(tpp.softwareStatement, { maxLength: 32_768 }));
  return createCompactJws({ header: { typ: 'JWT' }, payload: JSON.stringify({ ...claims, ...difference }), key });
};

const post = (body: string | Buffer, options: Call = {}): Promise<Answer> =>
  call(sandbox.description.registration_endpoint, {
    method: 'POST',
    body,
    ...options,
    headers: { 'content-type': 'application/jose', ...options.headers },
  });

const register = async (difference: Record<string, unknown> = {}, of: Tpp = tpp): Promise<Record<string, unknown>> => {
  const answer = await post(await aRequest(difference, of), { certificate: of.certificate });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json();
};

const basic = (client: Record<string, unknown>): string =>
  Buffer.from(`${String(client.client_id)}:${String(client.client_secret)}`).toString('base64');

const aToken = async (client: Record<string, unknown>, of: Tpp = tpp): Promise<string> => {
  const answer = await call(sandbox.description.token_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${basic(client)}` },
    body: 'grant_type=client_credentials',
    certificate: of.certificate,
  });
  expect(answer.status).toBe(200);
  return String(answer.json().access_token);
};

const manage = (
  client: Record<string, unknown>,
  authorization: string | undefined,
  options: Call = {},
): Promise<Answer> =>
  call(`${sandbox.description.registration_endpoint}/${String(client.client_id)}`, {
    ...options,
    headers: { ...(authorization === undefined ? {} : { authorization }), ...options.headers },
  });

const put = async (client: Record<string, unknown>, difference: Record<string, unknown> = {}): Promise<Answer> =>
  manage(client, `Basic ${basic(client)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/jwt' },
    body: await aRequest(difference),
  });

function expectRefusal(answer: Answer, error: string, errorCode: string, path?: string): void {
  expect([answer.status, answer.text]).toEqual([400, expect.any(String)]);
  const body = answer.json();
  expect(body).toMatchObject({ Code: '400 BadRequest', error, error_description: expect.any(String) });
  expect(body.Errors).toContainEqual(
    expect.objectContaining({
      ErrorCode: errorCode,
      Message: expect.any(String),
      ...(path === undefined ? {} : { Path: path }),
    }),
  );
  expect(body).not.toHaveProperty('client_id');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-fapi-interaction-id']).toMatch(/^[0-9a-f-]{36}$/);
}

describe('GET openid-configuration (OpenID Connect Discovery s4)', () => {
  const locations = [
    '/open-banking/v3.0/.well-known/openid-configuration',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/open-banking/v3.0',
    '/.well-known/oauth-authorization-server/open-banking/v3.0',
  ];

  it('serves the same octets everywhere, without a certificate, to every origin', async () => {
    const answers = await Promise.all(
      locations.map((path) => call(`${sandbox.config.baseUrl}${path}`, { certificate: null })),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(answers[0]?.text);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'public, max-age=300',
        'access-control-allow-origin': '*',
        etag: answers[0]?.headers.etag,
      });
    }
    expect(answers[0]?.json()).toMatchObject({
      issuer: `${sandbox.config.baseUrl}/open-banking/v3.0`,
      authorization_endpoint: sandbox.description.authorization_endpoint,
      token_endpoint: sandbox.description.token_endpoint,
      registration_endpoint: sandbox.description.registration_endpoint,
      jwks_uri: sandbox.description.jwks_uri,
      request_object_signing_alg_values_supported: ['PS256', 'ES256'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['PS256']),
      request_uri_parameter_supported: false,
    });
    expect(answers[0]?.text).not.toMatch(/RS256|"none"|mtls_client_auth/);
  });

  it('answers 304 to its own tag, 405 to other methods and 406 to other types', async () => {
    const url = sandbox.description.discovery_uri;
    const { headers } = await call(url);
    const known = await call(url, { headers: { 'if-none-match': `W/${String(headers.etag)}` } });
    expect([known.status, known.text]).toEqual([304, '']);
    const posted = await call(url, { method: 'POST' });
    expect([posted.status, posted.headers.allow, posted.text]).toEqual([405, 'GET, HEAD', '']);
    expect((await call(url, { headers: { accept: 'text/html' } })).status).toBe(406);
    const head = await call(url, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('POST /register', () => {
  it.each(['application/jose', 'application/jwt', 'Application/JOSE; charset=utf-8'])(
    'registers a client sent as %s',
    async (type) => {
      const answer = await post(await aRequest(), { headers: { 'content-type': type } });
      expect(answer.status).toBe(201);
      const body = answer.json();
      const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
      expect(body.client_id).toMatch(uuid);
      expect(body.client_secret).toMatch(uuid);
      expect(body).toMatchObject({
        client_secret_expires_at: 0,
        token_endpoint_auth_method: 'client_secret_basic',
        tokenEndpointAuthMethod: 'client_secret_basic',
        response_types: ['code id_token'],
        scope: 'payments openid',
        iat: expect.stringMatching(/^\d+$/),
        software_id: tpp.description.software_id,
        org_id: tpp.description.org_id,
        software_statement: tpp.softwareStatement,
      });
      expect(Math.abs(Number(body.client_id_issued_at) - nowSeconds())).toBeLessThan(5);
      expect(Object.values(body)).not.toContain(null);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        pragma: 'no-cache',
        location: `${sandbox.description.registration_endpoint}/${String(body.client_id)}`,
      });
    },
  );

  it('accepts one request once, also of twenty at the same time', async () => {
    const request = await aRequest();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(request)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectRefusal(answer, 'invalid_client_metadata', 'UK.OBIE.Field.Invalid', 'jti');
    }
  });

  it('does not burn the jti of a request that it refuses', async () => {
    const jti = randomUUID();
    expectRefusal(
      await post(await aRequest({ jti, scope: 'nothing' })),
      'invalid_client_metadata',
      'UK.OBIE.Field.Invalid',
      'scope',
    );
    expect((await post(await aRequest({ jti }))).status).toBe(201);
  });

  it('stores no secret and nothing that tells one, but for client_secret_jwt', async () => {
    const client = await register();
    const hmacClient = await register({ token_endpoint_auth_method: 'client_secret_jwt' });
    const sql = 'SELECT row_to_json(clients)::text AS text, secret_encrypted FROM clients WHERE client_id = $1';
    for (const { client_id, client_secret } of [client, hmacClient]) {
      const { rows } = await database.query<{ text: string; secret_encrypted: string | null }>(sql, [client_id]);
      expect(rows[0]?.text).not.toContain(client_secret);
      expect(rows[0]?.secret_encrypted === null).toBe(client_id === client.client_id);
    }
    const log = await readFile(join(directory, 'service.log'), 'utf8').catch(() => '');
    expect(log).not.toContain(client.client_secret);
  });

  it('derives the subject of tls_client_auth from the certificate', async () => {
    const client = await register({ token_endpoint_auth_method: 'mtls_client_auth' });
    expect(client).toMatchObject({
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: expect.stringMatching(/^CN=/),
    });
  });

  it('answers 401 without a certificate, 415 and 406 without a body', async () => {
    const request = await aRequest();
    for (const [options, status] of [
      [{ certificate: null }, 401],
      [{ headers: { 'content-type': 'application/json' } }, 415],
      [{ headers: { 'content-type': '' } }, 415],
      [{ headers: { 'content-encoding': 'gzip' } }, 415],
      [{ headers: { accept: 'text/xml' } }, 406],
    ] as const) {
      const answer = await post(request, options);
      expect([answer.status, answer.text]).toEqual([status, '']);
    }
    const put = await call(sandbox.description.registration_endpoint, { method: 'PUT' });
    expect([put.status, put.headers.allow, put.text]).toEqual([405, 'POST', '']);
  });

  it('refuses another certificate than that of the software', async () => {
    const answer = await post(await aRequest(), { certificate: otherTpp.certificate });
    expectRefusal(answer, 'invalid_software_statement', 'UK.OBIE.Field.Invalid', 'software_statement');
  });

  it('refuses a request of another key, a changed one and one with another algorithm', async () => {
    const [header, payload, signature] = (await aRequest()).split('.');
    const changed = Buffer.from(JSON.stringify(aPayload(tpp))).toString('base64url');
    const forged = { ...otherTpp.signingKey, kid: tpp.signingKey.kid };
    const jws = await createCompactJws({ header: {}, payload: JSON.stringify(aPayload(tpp)), key: forged });
    for (const body of [jws, `${header}.${changed}.${signature}`, `${header}.${payload}.`]) {
      expectRefusal(await post(body), 'invalid_client_metadata', 'UK.OBIE.Signature.Invalid');
    }
    const rs256 = `${Buffer.from(JSON.stringify({ alg: 'RS256', kid: tpp.signingKey.kid })).toString('base64url')}.${payload}`;
    const rs256Signature = sign('sha256', Buffer.from(rs256), tpp.signingKey.privateKey).toString('base64url');
    expectRefusal(
      await post(`${rs256}.${rs256Signature}`),
      'invalid_client_metadata',
      'UK.OBIE.Signature.InvalidClaim',
      'alg',
    );
  });

  it('refuses a software statement of nobody, of another issuer and of a revoked organisation', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const forged = await aStatement({}, { ...directoryKey, privateKey });
    for (const [statement, error, code] of [
      [forged, 'invalid_software_statement', 'UK.OBIE.Signature.Invalid'],
      [await aStatement({ iss: 'Evil Ltd' }), 'unapproved_software_statement', 'UK.OBIE.Signature.InvalidClaim'],
      [await aStatement({ org_status: 'Revoked' }), 'unapproved_software_statement', 'UK.OBIE.Field.Invalid'],
      [
        await aStatement({ software_jwks_endpoint: 'https://127.0.0.1:1/a' }),
        'invalid_software_statement',
        'UK.OBIE.Field.Invalid',
      ],
    ] as const) {
      expectRefusal(await post(await aRequest({ software_statement: statement })), error, code);
    }
  });

  it('answers 500 when the key set of the software cannot be read, and says that it may pass', async () => {
    const missing = `${sandbox.description.directory.base_url}/nobody/nothing.jwks`;
    const answer = await post(
      await aRequest({ software_statement: await aStatement({ software_jwks_endpoint: missing }) }),
    );
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({
      error: 'temporarily_unavailable',
      Errors: [{ ErrorCode: 'UK.OBIE.UnexpectedError' }],
    });
  });

  it('answers 400 to bodies of every kind, never 5xx', async () => {
    const request = await aRequest();
    const bodies = [
      '',
      'a',
      'a.b',
      '{}',
      'e30.e30.',
      '\u0000',
      request.slice(0, -5),
      `${request}.x`,
      'A'.repeat(100_000),
      'A'.repeat(3_000_000),
    ];
    for (const body of [...bodies, Buffer.from([0xff, 0xfe, 0x2e, 0x2e])]) {
      const { status } = await post(body);
      expect(status).toBe(400);
    }
    for (const value of ['\u0000', '\ud800', { a: '\u0000' }, [null], 1e300, '𝟙', { toString: 1 }]) {
      for (const name of [
        'jti',
        'aud',
        'iss',
        'scope',
        'redirect_uris',
        'exp',
        'tls_client_auth_subject_dn',
        'software_statement',
        'client_id',
      ]) {
        const answer = await post(await aRequest({ token_endpoint_auth_method: 'tls_client_auth', [name]: value }));
        expect([name, answer.status < 500]).toEqual([name, true]);
      }
    }
  });
});

describe('GET, PUT and DELETE /register/{ClientId}', () => {
  it('reads a registration without its secret, by token, Basic and the value without a scheme', async () => {
    const client = await register();
    const { client_secret: _secret, client_secret_expires_at: _expiry, ...expected } = client;
    for (const authorization of [`Bearer ${await aToken(client)}`, `Basic ${basic(client)}`, basic(client)]) {
      const answer = await manage(client, authorization);
      expect([answer.status, answer.json()]).toEqual([200, expected]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('answers 401 without a body to credentials of every other kind', async () => {
    const client = await register();
    const wrong = Buffer.from(`${String(client.client_id)}:wrong`).toString('base64');
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer a b',
      `Bearer ${'x'.repeat(43)}`,
      'Basic %%%',
      'Basic',
      `Basic ${wrong}`,
      wrong,
      'Digest x',
      `Basic ${Buffer.from('nobody:x').toString('base64')}`,
      'a'.repeat(10_000),
      `Basic ${Buffer.from('\u0000:\u0000').toString('base64')}`,
    ]) {
      const answer = await manage(client, authorization);
      expect([authorization, answer.status, answer.text]).toEqual([authorization, 401, '']);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer .*Basic /);
    }
    expect((await manage(client, `Basic ${basic(client)}`, { certificate: null })).status).toBe(401);
    expect((await manage(client, `Basic ${basic(client)}`, { certificate: otherTpp.certificate })).status).toBe(401);
    expect((await manage(client, `Bearer ${await aToken(client)}`, { certificate: otherTpp.certificate })).status).toBe(
      401,
    );
  });

  it("answers 403 to another client's credentials", async () => {
    const client = await register();
    const other = await register({}, otherTpp);
    for (const authorization of [`Bearer ${await aToken(other, otherTpp)}`, `Basic ${basic(other)}`]) {
      const answer = await manage(client, authorization, { certificate: otherTpp.certificate });
      expect(answer.status).toBe(403);
      expect(answer.json()).toMatchObject({
        error: 'access_denied',
        Errors: [{ ErrorCode: 'UK.SandboxBank.Registration.Forbidden' }],
      });
    }
  });

  it('answers 403 to a token of a customer (Open Banking DCR)', async () => {
    const client = await register();
    const token = await aToken(client);
    const hash = createHash('sha256').update(token).digest();
    await database.query(`UPDATE access_tokens SET grant_type = 'authorization_code' WHERE token_hash = $1`, [hash]);
    expect((await manage(client, `Bearer ${token}`)).status).toBe(403);
  });

  it('answers 401 for a client that does not exist and ends the token', async () => {
    const client = await register();
    for (const client_id of [randomUUID(), 'not-a-uuid', '%00']) {
      const token = await aToken(client);
      const answer = await manage({ client_id }, `Bearer ${token}`);
      expect([client_id, answer.status, answer.text]).toEqual([client_id, 401, '']);
      expect((await manage(client, `Bearer ${token}`)).status).toBe(401);
    }
    expect((await manage({ client_id: `${String(client.client_id)}/x` }, `Basic ${basic(client)}`)).status).toBe(404);
    expect((await manage(client, undefined, { method: 'PATCH' })).status).toBe(405);
  });

  it('replaces a registration and keeps id, secret and tokens', async () => {
    const client = await register();
    const token = await aToken(client);
    const answer = await put(client, {
      scope: 'openid',
      client_id: client.client_id,
      client_secret: client.client_secret,
    });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      client_id: client.client_id,
      client_id_issued_at: client.client_id_issued_at,
      scope: 'openid',
    });
    expect(answer.json()).not.toHaveProperty('client_secret');
    const read = await manage(client, `Bearer ${token}`);
    expect([read.status, read.json()]).toEqual([200, answer.json()]);
  });

  it('makes a new secret for a client that changes to client_secret_jwt', async () => {
    const client = await register();
    const changed = (await put(client, { token_endpoint_auth_method: 'client_secret_jwt' })).json();
    expect(changed).toMatchObject({ token_endpoint_auth_signing_alg: 'HS256', client_secret_expires_at: 0 });
    expect(changed.client_secret).not.toBe(client.client_secret);
    expect((await manage(changed, `Basic ${basic(client)}`)).status).toBe(401);
    expect((await manage(changed, `Basic ${basic(changed)}`)).status).toBe(200);
  });

  it('refuses a replacement for another client or software and changes nothing', async () => {
    const client = await register();
    const before = await manage(client, `Basic ${basic(client)}`);
    const statement = await aStatement({ software_id: 'AnotherSoftware' });
    for (const [difference, path] of [
      [{ client_id: randomUUID() }, 'client_id'],
      [{ client_secret: randomUUID() }, 'client_secret'],
      [{ software_statement: statement, iss: 'AnotherSoftware' }, 'software_statement'],
      [{ scope: 'nothing' }, 'scope'],
    ] as const) {
      const answer = await put(client, difference);
      expect([answer.status, String(answer.json().error).startsWith('invalid_')]).toEqual([400, true]);
      expect(JSON.stringify(answer.json().Errors)).toContain(`"Path":"${path}`);
    }
    expect((await manage(client, `Basic ${basic(client)}`)).text).toBe(before.text);
  });

  it('looks at the credentials before the body', async () => {
    const client = await register();
    const answer = await manage(client, undefined, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    expect(answer.status).toBe(401);
  });

  it('deletes a client with its tokens, for good', async () => {
    const client = await register();
    const [token, otherToken] = [await aToken(client), await aToken(client)];
    const answer = await manage(client, `Bearer ${token}`, { method: 'DELETE' });
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([204, '', undefined]);
    for (const authorization of [`Bearer ${token}`, `Bearer ${otherToken}`, `Basic ${basic(client)}`]) {
      for (const method of ['GET', 'DELETE'])
        expect((await manage(client, authorization, { method })).status).toBe(401);
    }
    expect((await put(client)).status).toBe(401);
    const { rows } = await database.query(
      `SELECT status, octet_length(secret_hash) AS secret, (SELECT count(*)::int FROM access_tokens AS token
         WHERE token.client_id = clients.client_id AND revoked_at IS NULL) AS tokens FROM clients WHERE client_id = $1`,
      [client.client_id],
    );
    expect(rows).toEqual([{ status: 'Deleted', secret: 0, tokens: 0 }]);
  });
});
