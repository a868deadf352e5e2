import { randomBytes, randomUUID, createPrivateKey } from 'node:crypto';
import type { Agent } from 'node:https';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, afterAll } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { expectOAuthError } from '../../support/expectations.js';
import { type TestResponse, httpsRequest, httpsAgent } from '../../support/https-request.js';
import type { FapiClient } from '../../support/a-client.js';
import type { Issuer } from '../../support/apps/certificates.js';
import { aCertificate } from '../../support/certificates.js';
import { FapiWorld, intentOf } from '../authorization/fapi-world.js';

const resourceServer = 'CN=accounts.bank.example,O=Sandbox Bank,C=GB';
const resourceServerSubject: Record<string, string[]>[] = [
  { C: ['GB'] },
  { O: ['Sandbox Bank'] },
  { CN: ['accounts.bank.example'] },
];
const world = new FapiWorld();
let metadata: Record<string, unknown>;
let bankAgent: Agent;
/** the bank's own authority, and that of TPPs */
let bankAuthority: Issuer;
let tppAuthority: Issuer;

/** Starts a sandbox with a resource server of the bank before the tests of a spec. */
function useTokenSiblings(): void {
  beforeAll(async () => {
    bankAuthority = await anAuthority();
    await world.start({
      INTROSPECTION_CLIENT_SUBJECTS: `CN=other,C=GB | ${resourceServer}`,
      INTROSPECTION_TRUST_ANCHORS: bankAuthority.certificate,
    });
    const authorityKey = await readFile(join(world.sandbox.directory, 'ca', 'private-key.pem'), 'utf8');
    tppAuthority = { certificate: world.sandbox.ca, privateKey: createPrivateKey(authorityKey) };
    const { agent, description } = world.sandbox;
    metadata = (await httpsRequest({ url: description.discovery_uri, agent })).json();
    bankAgent = await anAgent(resourceServerSubject);
  });
  afterAll(async () => {
    bankAgent?.destroy();
    await world.stop();
  });
}

const anAuthority = (): Promise<Issuer> => aCertificate({ profile: 'authority', name: 'Test authority of the bank' });

async function anAgent(subject: Record<string, string[]>[], issuer = bankAuthority): Promise<Agent> {
  const { certificate, privateKeyPem } = await aCertificate({ profile: 'transport', name: 'bank', subject, issuer });
  return httpsAgent({ ca: world.sandbox.ca, certificate, privateKey: privateKeyPem });
}

async function aToken(client: FapiClient): Promise<string> {
  const response = await client.token({ grant_type: 'client_credentials', scope: 'payments' });
  return String(response.json()['access_token']);
}

/** The token of a customer's authorisation, with what it was for. */
async function aCustomerToken(client: FapiClient): Promise<{ token: string; consentId: string; sub: string }> {
  const { code, claims, outcome } = await world.authorise(client);
  const [, payload = ''] = (outcome.fragment.get('id_token') ?? '').split('.');
  const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string };
  const response = await client.token(client.exchange(code));
  return { token: String(response.json()['access_token']), consentId: intentOf(claims), sub };
}

const introspect = (
  token: string | undefined,
  agent = bankAgent,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> =>
  httpsRequest({
    url: String(metadata['introspection_endpoint']),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(token === undefined ? {} : { token }).toString(),
    agent,
  });

/** None of these can have been issued here. */
const strangeTokens = [
  ['a long token', 'x'.repeat(20_000)],
  ['a token of other letters', 'é\u2603'],
  ['a token of control characters', '\u0000\r\n'],
] as const;

useTokenSiblings();

/** POST /oauth2/revoke (RFC 7009). */
describe('POST /oauth2/revoke (RFC 7009)', () => {
  let client: FapiClient;
  beforeAll(async () => {
    client = await world.client({ method: 'private_key_jwt' });
  });

  const revoke = (token: string | undefined, by = client, form: Record<string, string> = {}): Promise<TestResponse> =>
    by.token({ token, ...form }, { url: String(metadata['revocation_endpoint']) });

  it.each(['private_key_jwt', 'tls_client_auth', 'client_secret_basic'] as const)(
    'ends the token of a %s client at once: 200 without a body (s2.2)',
    async (method) => {
      const own = await world.client({ method });
      const token = await aToken(own);
      expect((await introspect(token)).json()).toMatchObject({ active: true });
      const response = await revoke(token, own);
      expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: '' });
      expect(response.headers['cache-control']).toBe('no-store');
      expect((await introspect(token)).json()).toEqual({ active: false });
      expect((await revoke(token, own)).status).toBe(200);
      const events = await world.sandbox.database.query<{ action: string }>(
        'SELECT action FROM audit_events WHERE interaction_id = $1',
        [response.headers['x-fapi-interaction-id']],
      );
      expect(events.rows).toEqual([{ action: 'token.revoke' }]);
    },
  );

  it('answers 200 for an unknown token, whatever the hint (s2.1, s2.2)', async () => {
    for (const hint of ['access_token', 'refresh_token', 'nonsense']) {
      expect((await revoke(randomBytes(32).toString('base64url'), client, { token_type_hint: hint })).status).toBe(200);
    }
  });

  it.each(strangeTokens)('answers 200 for %s too (s2.2: an invalid token is not an error)', async (_title, token) => {
    expect((await revoke(token)).status).toBe(200);
  });

  it('leaves another client’s token alone', async () => {
    const other = await world.client({ method: 'tls_client_auth', name: 'Other' });
    const token = await aToken(other);
    expect((await revoke(token)).status).toBe(200);
    expect((await introspect(token)).json()).toMatchObject({ active: true });
  });

  it('wants a token, and the client to be who it says', async () => {
    expectOAuthError(await revoke(undefined), 400, 'invalid_request');
    const url = String(metadata['revocation_endpoint']);
    const authentication = { form: { client_id: client.clientId, client_secret: randomUUID() } };
    expectOAuthError(await client.token({ token: 'x' }, { url, authentication }), 401, 'invalid_client');
  });
});

describe('a revocation that cannot be stored', () => {
  it('does not claim to have happened (CVE-2020-15223)', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Unstored' });
    const token = await aToken(client);
    await world.sandbox.database.query('ALTER TABLE refresh_grants RENAME TO grants_elsewhere');
    try {
      const response = await client.token({ token }, { url: String(metadata['revocation_endpoint']) });
      expectOAuthError(response, 500, 'server_error');
    } finally {
      await world.sandbox.database.query('ALTER TABLE grants_elsewhere RENAME TO refresh_grants');
    }
    expect((await introspect(token)).json()).toMatchObject({ active: true });
  });
});

describe('a client assertion at the revocation endpoint', () => {
  it('counts once, there and at the token endpoint together (RFC 7523 s3)', async () => {
    const client = await world.client({ method: 'private_key_jwt', name: 'Once' });
    const authentication = { form: client.assertion() };
    const url = String(metadata['revocation_endpoint']);
    const grant = { grant_type: 'client_credentials', scope: 'payments' };
    const token = await aToken(client);
    expect((await client.token(grant, { authentication })).status).toBe(200);
    expectOAuthError(await client.token({ token }, { url, authentication }), 401, 'invalid_client');
    // Nothing happened: the client did not authenticate.
    expect((await introspect(token)).json()).toMatchObject({ active: true });
  });
});

describe('the siblings of the token endpoint', () => {
  it('answer other methods with 405', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Methods' });
    for (const name of ['revocation_endpoint', 'introspection_endpoint']) {
      const response = await httpsRequest({ url: String(metadata[name]), agent: client.agent });
      expect({ name, status: response.status, allow: response.headers.allow }).toEqual({
        name,
        status: 405,
        allow: 'POST',
      });
    }
  });
});

const signedType = 'application/token-introspection+jwt';

/** POST /oauth2/introspect, for the bank’s own resource servers (RFC 7662). */
describe('POST /oauth2/introspect (RFC 7662)', () => {
  let client: FapiClient;
  beforeAll(async () => {
    client = await world.client({ method: 'tls_client_auth', name: 'Introspected' });
  });

  it('tells a server of the bank’s own all it needs of a customer’s token', async () => {
    const { token, consentId } = await aCustomerToken(client);
    const response = await introspect(token);
    expect(response.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    const { 'x5t#S256': thumbprint } = (response.json()['cnf'] ?? {}) as Record<string, unknown>;
    expect(thumbprint).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(response.json()).toEqual({
      active: true,
      iss: metadata['issuer'],
      client_id: client.clientId,
      token_type: 'bearer',
      scope: 'openid payments',
      iat: expect.any(Number),
      exp: expect.any(Number),
      cnf: { 'x5t#S256': thumbprint },
      // The bank's own id of alice.
      sub: '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a01',
      openbanking_intent_id: consentId,
    });
  });

  it('names no customer for a client’s own token', async () => {
    const body = (await introspect(await aToken(client))).json();
    expect(body).toMatchObject({ active: true, scope: 'payments' });
    expect(body).not.toHaveProperty('sub');
  });

  it('says of a token whose consent is gone only that it is not active (CVE-2026-8922)', async () => {
    const { token, consentId } = await aCustomerToken(client);
    const gone = `UPDATE payment_consents SET status = 'Rejected' WHERE consent_id = $1`;
    await world.sandbox.database.query(gone, [consentId]);
    expect((await introspect(token)).json()).toEqual({ active: false });
  });

  it('signs its answer for a server that asks for a JWT (RFC 9701 s5)', async () => {
    const { token } = await aCustomerToken(client);
    const plain = (await introspect(token)).json();
    const response = await introspect(token, bankAgent, { accept: signedType });
    expect(response.headers).toMatchObject({
      'content-type': signedType,
      'cache-control': 'no-store',
      vary: 'accept',
    });
    const keys = await httpsRequest({ url: String(metadata['jwks_uri']), agent: world.sandbox.agent });
    const { payload, protectedHeader } = await jwtVerify(
      response.text,
      createLocalJWKSet(keys.json() as unknown as JSONWebKeySet),
      { issuer: String(metadata['issuer']), audience: resourceServer, typ: 'token-introspection+jwt' },
    );
    expect(metadata['introspection_signing_alg_values_supported']).toEqual([protectedHeader.alg]);
    expect(payload).toEqual({
      iss: metadata['issuer'],
      aud: resourceServer,
      iat: expect.any(Number),
      token_introspection: plain,
    });
  });

  it('signs that a token is not active, and answers JSON to a client that accepts both alike', async () => {
    const unknown = await introspect('nonsense', bankAgent, { accept: signedType });
    expect(decodeJwt(unknown.text)['token_introspection']).toEqual({ active: false });
    for (const accept of [
      '*/*',
      'application/*',
      `application/json, ${signedType};q=0.5`,
      'x'.repeat(5_000) + signedType,
    ]) {
      const { headers } = await introspect('nonsense', bankAgent, { accept });
      expect([accept.slice(0, 60), headers['content-type']]).toEqual([accept.slice(0, 60), 'application/json']);
    }
    expectOAuthError(await introspect('nonsense', client.agent, { accept: signedType }), 401, 'invalid_client');
  });

  it('is closed to TPPs, to other names and to nobody', async () => {
    const token = await aToken(client);
    expectOAuthError(await introspect(token, client.agent), 401, 'invalid_client');
    // The right name from an authority of TPPs, whose customers choose their names.
    const impostor = await anAgent(resourceServerSubject, tppAuthority);
    expectOAuthError(await introspect(token, impostor), 401, 'invalid_client');
    impostor.destroy();
    const stranger = await anAgent([{ C: ['GB'] }, { O: ['Sandbox Bank'] }, { CN: ['accounts.bank.example.evil'] }]);
    expectOAuthError(await introspect(token, stranger), 401, 'invalid_client');
    stranger.destroy();
    const nobody = httpsAgent({ ca: world.sandbox.ca });
    await expect(introspect(token, nobody)).rejects.toThrow();
    nobody.destroy();
  });

  it('a certificate of the bank’s own is that of no TPP: everything else is closed to it', async () => {
    expectOAuthError(
      await client.token({ grant_type: 'client_credentials' }, { agent: bankAgent }),
      401,
      'invalid_client',
    );
    const url = String(metadata['userinfo_endpoint']);
    const authorization = `Bearer ${(await aCustomerToken(client)).token}`;
    expect((await httpsRequest({ url, agent: bankAgent, headers: { authorization } })).status).toBe(401);
  });

  it('wants a token', async () => {
    expectOAuthError(await introspect(undefined), 400, 'invalid_request');
  });

  it.each(strangeTokens)('%s is not active, like any unknown one (RFC 7662 s2.2)', async (_title, token) => {
    const response = await introspect(token);
    expect({ status: response.status, body: response.json() }).toEqual({ status: 200, body: { active: false } });
  });
});

/** GET and POST /oauth2/userinfo (OIDC Core s5.3). */
describe('GET and POST /oauth2/userinfo (OIDC Core s5.3)', () => {
  let client: FapiClient;
  let customer: { token: string; sub: string };
  beforeAll(async () => {
    client = await world.client({ method: 'private_key_jwt', name: 'Userinfo' });
    customer = await aCustomerToken(client);
  });

  const userinfo = (
    options: {
      method?: string;
      authorization?: string;
      agent?: Agent;
      query?: string;
      body?: string;
      headers?: Record<string, string>;
    } = {},
  ) =>
    httpsRequest({
      url: `${String(metadata['userinfo_endpoint'])}${options.query ?? ''}`,
      method: options.method ?? 'GET',
      headers: {
        ...options.headers,
        authorization: options.authorization,
        'content-type': options.body === undefined ? undefined : 'application/x-www-form-urlencoded',
      },
      ...(options.body !== undefined && { body: options.body }),
      agent: options.agent ?? client.agent,
    });

  it.each(['GET', 'POST'])('%s: the sub of the ID tokens and nothing else', async (method) => {
    const response = await userinfo({
      method,
      authorization: `Bearer ${customer.token}`,
      headers: { 'x-fapi-interaction-id': 'c770AEF3-6784-41f7-8e0E-ff5F97bddb3a' },
      ...(method === 'POST' && { body: '' }),
    });
    expect(response.status).toBe(200);
    expect(response.json()).toEqual({ sub: customer.sub });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-fapi-interaction-id': 'c770AEF3-6784-41f7-8e0E-ff5F97bddb3a',
    });
  });

  it('answers 401 with a challenge without a token, and looks at none in query or form (RFC 6750 s3)', async () => {
    for (const response of [
      await userinfo(),
      await userinfo({ query: `?access_token=${customer.token}` }),
      await userinfo({ method: 'POST', body: `access_token=${customer.token}` }),
    ]) {
      expect({ status: response.status, challenge: response.headers['www-authenticate'] }).toEqual({
        status: 401,
        challenge: 'Bearer realm="open-banking"',
      });
    }
  });

  it.each([
    ['an unknown token', () => `Bearer ${randomBytes(32).toString('base64url')}`],
    ['no bearer token', () => 'Basic YTpi'],
    ['a token of strange characters', () => 'Bearer a,b'],
  ])('answers 401 invalid_token to %s', async (_title, make) => {
    const response = await userinfo({ authorization: make() });
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('answers 401 over another certificate (RFC 8705 s3)', async () => {
    const other = await world.client({ method: 'tls_client_auth', name: 'Thief' });
    const response = await userinfo({ authorization: `Bearer ${customer.token}`, agent: other.agent });
    expect(response.status).toBe(401);
  });

  it('answers 403 insufficient_scope to a token without openid', async () => {
    const response = await userinfo({ authorization: `Bearer ${await aToken(client)}` });
    expect({ status: response.status, challenge: response.headers['www-authenticate'] }).toEqual({
      status: 403,
      challenge: 'Bearer error="insufficient_scope"',
    });
  });
});
