import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { createCompactJws } from '#libs/jws';
import { hashClientSecret, hashToken } from '#libs/oauth';
import { toTestSigningKey } from '../../support/a-signing-key.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { runSandboxCommand } from '../../support/apps/commands.js';
import { expectOAuthError } from '../../support/expectations.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import { signingReason, whileNothingIsSigned } from '../../support/signing-service-away.js';
import type { TestSandbox } from '../../support/start-test-sandbox.js';
import { FapiWorld } from '../authorization/fapi-world.js';

const redirectUri = 'https://tpp-one.example.com/callback';

const world = new FapiWorld();
let sandbox: TestSandbox;
let tpp: TestTpp;

beforeAll(async () => {
  // The codes here are of customers whom the bank does not know.
  await world.start({ ACCESS_TOKEN_SECONDS: '300', CUSTOMER_STATE_CHECK: 'off' });
  sandbox = world.sandbox;
  tpp = await aTpp(sandbox);
});

afterAll(async () => {
  tpp?.close();
  await world.stop();
});

interface Call {
  form?: Record<string, string>;
  body?: string;
  headers?: Record<string, string | string[] | undefined>;
  method?: string;
}

function call({ form, body, headers, method = 'POST' }: Call): Promise<TestResponse> {
  const text = body ?? new URLSearchParams(form).toString();
  return httpsRequest({
    url: sandbox.description.token_endpoint,
    method,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers },
    ...(method === 'POST' && { body: text }),
    agent: tpp.agent,
  });
}

async function anAssertion(): Promise<Record<string, string>> {
  const seconds = Math.floor(Date.now() / 1000);
  const all = {
    iss: tpp.clientId,
    sub: tpp.clientId,
    aud: sandbox.description.token_endpoint,
    iat: seconds,
    exp: seconds + 60,
    jti: randomUUID(),
  };
  const { signingKey: privateKey, signingKid: kid, signingAlgorithm: algorithm } = tpp.credentials;
  const key = toTestSigningKey(kid, privateKey, algorithm);
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await createCompactJws({ header: { typ: 'JWT' }, payload: JSON.stringify(all), key }),
  };
}

const clientCredentials = { grant_type: 'client_credentials', scope: 'payments' };

/** A client of the same software with a secret. */
async function aClient(secret: string): Promise<string> {
  const clientId = randomUUID();
  const secretHash = hashClientSecret({ secret, peppers: sandbox.config.secrets.clientSecretPeppers });
  await sandbox.database.query(
    `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, organisation_identifier, redirect_uris, grant_types,
       response_types, scope, token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg,
       jwks_uri, directory_issuer, secret_hash, metadata, client_id_issued_at, updated_at)
     SELECT $2, status, org_id, org_name, software_id, client_name, organisation_identifier, redirect_uris, grant_types, response_types,
       scope, 'client_secret_post', id_token_signed_response_alg, request_object_signing_alg, jwks_uri, directory_issuer, $3, metadata, now(), now()
     FROM clients WHERE client_id = $1`,
    [tpp.clientId, clientId, secretHash],
  );
  return clientId;
}

async function aCode(): Promise<string> {
  const code = randomBytes(32).toString('base64url');
  await sandbox.database.query(
    `INSERT INTO authorization_codes (code_hash, client_id, redirect_uri, scope, psu_id, subject, nonce, acr, authenticated_at, consented_at,
       expires_at)
     VALUES ($1, $2, $3, 'openid payments', 'psu-1', 'pairwise-1', 'n-1', 'urn:openbanking:psd2:sca', now(),
       '2026-11-20T10:00:00Z', now() + interval '1 minute')`,
    [hashToken(code), tpp.clientId, redirectUri],
  );
  return code;
}

async function exchange(code: string): Promise<TestResponse> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...(await anAssertion()) };
  return call({ form });
}

describe('POST /oauth2/token grant_type=client_credentials', () => {
  it('answers with a bound bearer token that nobody may cache (RFC 6749 s5.1)', async () => {
    const response = await call({ form: { ...clientCredentials, ...(await anAssertion()) } });

    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    expect(response.json()).toEqual({
      token_type: 'bearer',
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_in: 300,
      scope: 'payments',
      consented_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    });
  });

  it('labels the same document text/html for a client that prefers it', async () => {
    const form = { ...clientCredentials, ...(await anAssertion()) };
    const response = await call({ form, headers: { accept: 'text/html' } });
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.json()).toMatchObject({ token_type: 'bearer' });
  });

  it('is closed to a connection without a client certificate (FAPI 1.0 Advanced s5.2.2)', async () => {
    const agent = httpsAgent({ ca: sandbox.ca });
    const url = sandbox.description.token_endpoint;
    await expect(httpsRequest({ url, method: 'POST', body: '', agent })).rejects.toThrow();
    agent.destroy();
  });

  it('refuses a scope that is not registered', async () => {
    const form = { ...clientCredentials, scope: 'everything', ...(await anAssertion()) };
    expectOAuthError(await call({ form }), 400, 'invalid_scope');
  });

  it('refuses a client from the moment it is suspended', async () => {
    const clientId = await aClient('secret-1');
    const form = { ...clientCredentials, client_id: clientId, client_secret: 'secret-1' };
    expect((await call({ form })).status).toBe(200);
    await sandbox.database.query(`UPDATE clients SET status = 'Suspended' WHERE client_id = $1`, [clientId]);
    expectOAuthError(await call({ form }), 401, 'invalid_client');
  });
});

describe('POST /oauth2/token grant_type=authorization_code', () => {
  it('answers with an ID token and the moment of consent (OIDC Core s3.1.3.3)', async () => {
    const response = await exchange(await aCode());
    expect(response.status).toBe(200);
    const { id_token: idToken, ...answer } = response.json();
    expect(answer).toMatchObject({ scope: 'openid payments', consented_on: '2026-11-20T10:00:00+00:00' });
    const claims: unknown = JSON.parse(Buffer.from(String(idToken).split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({
      iss: sandbox.description.issuer,
      aud: tpp.clientId,
      sub: 'pairwise-1',
      nonce: 'n-1',
    });
  });

  it('says 503 while the ID token cannot be signed, and the same code is good afterwards', async () => {
    const code = await aCode();
    const { result: refused } = await whileNothingIsSigned(sandbox.config, () => exchange(code));
    expectOAuthError(refused, 503, 'temporarily_unavailable');
    expect(refused.headers['retry-after']).toBe('5');
    expect(refused.text).not.toContain(signingReason);
    const response = await exchange(code);
    expect(response.status).toBe(200);
    expect(response.json()).toHaveProperty('id_token');
  });
});

describe('what is not a token request', () => {
  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('%s is answered with 405 and Allow', async (method) => {
    const response = await call({ method });
    expect({ status: response.status, allow: response.headers.allow }).toEqual({ status: 405, allow: 'POST' });
  });

  it.each([
    ['JSON', { 'content-type': 'application/json' }, '{"grant_type":"client_credentials"}'],
    ['a multipart form', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
    ['an empty content type', { 'content-type': '' }, 'a=b'],
    ['another charset', { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' }, 'a=b'],
    ['a content coding', { 'content-encoding': 'gzip' }, 'a=b'],
    ['a parameter twice', {}, 'grant_type=client_credentials&grant_type=client_credentials'],
    ['broken percent encoding', {}, 'grant_type=%zz'],
  ])('%s is invalid_request', async (_title, headers, body) => {
    expectOAuthError(await call({ body, headers }), 400, 'invalid_request');
  });

  it('a body of 100 kB is not read', async () => {
    const response = await call({ body: `a=${'x'.repeat(100_000)}` });
    expectOAuthError(response, 413, 'invalid_request');
  });

  it('an unknown grant type is unsupported_grant_type', async () => {
    const form = { grant_type: 'password', ...(await anAssertion()) };
    expectOAuthError(await call({ form }), 400, 'unsupported_grant_type');
  });
});

it('CUSTOMER_STATE_CHECK=off: the bank is not asked about the customer', async () => {
  const client = await world.client({ method: 'private_key_jwt' });
  const claims = client.requestObject({ scope: 'openid fundsconfirmations' });
  const outcome = await world.decide(client.authorizationUrl(claims), 'approve');
  await runSandboxCommand(sandbox.directory, ['customer', 'alice', 'closed']);
  expect((await client.token(client.exchange(outcome.fragment.get('code') ?? ''))).status).toBe(200);
});
