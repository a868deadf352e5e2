import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { httpsRequest } from '../../support/https-request.js';
import type { AuthenticationMethod, FapiClient } from '../../support/a-client.js';
import { type AuthorizationOutcome, alice, PageBrowser } from '../../support/page-browser.js';
import { FapiWorld } from './fapi-world.js';

const world = new FapiWorld();
beforeAll(() => world.start({ LOG_LEVEL: 'debug' }));
afterAll(() => world.stop());

/** Everything that no log may contain, by its name. */
const planted = new Map<string, string>();
const plant = (what: string, value: unknown): string => {
  const text = String(value);
  if (text.length >= 6 && text !== 'undefined') planted.set(`${what} ${planted.size}`, text);
  return text;
};
const canary = (): string => `Canary${randomBytes(12).toString('hex')}`;

function plantResponse(body: Record<string, unknown>): void {
  for (const name of ['access_token', 'id_token', 'refresh_token']) plant(name, body[name]);
}

function plantPage({ html }: AuthorizationOutcome): void {
  for (const [, value] of html.matchAll(/name="(?:csrf_token|file_hash)" value="([^"]+)"/g)) plant('form token', value);
}

/** A whole journey, noting all its secrets. */
async function walk(client: FapiClient, difference: Record<string, unknown>): Promise<void> {
  plant('client_secret', client.clientSecret);
  const claims = await world.request(client, difference);
  const url = client.authorizationUrl(claims);
  plant('request object', new URL(url).searchParams.get('request'));
  plant('nonce', claims['nonce']);
  plant('state', claims['state']);
  const browser = new PageBrowser(world.sandbox);
  const noteCookies = (): void => [...browser.cookies.values()].forEach((value) => plant('cookie', value));
  let page = await browser.get(url);
  noteCookies();
  plantPage(page);
  await browser.submit(page, '/sign-in', { username: alice.username, password: plant('wrong password', canary()) });
  page = await browser.submit(page, '/sign-in', {
    username: alice.username,
    password: plant('password', alice.password),
  });
  noteCookies();
  plantPage(page);
  const account = /name="debtor_account"[^>]* value="([^"]+)"/.exec(page.html)?.[1];
  page = await browser.submit(page, '/consent', account === undefined ? {} : { debtor_account: account });
  noteCookies();
  plantPage(page);
  await browser.submit(page, '/challenge', { one_time_code: plant('wrong one-time code', 'Zq7Kx2Wv9Lm') });
  const outcome = await browser.submit(page, '/challenge', { one_time_code: alice.oneTimeCode });
  const code = plant('code', outcome.fragment.get('code'));
  plant('front channel ID token', outcome.fragment.get('id_token'));
  await useCode(client, code);
}

async function useCode(client: FapiClient, code: string): Promise<void> {
  const send = async (form: Record<string, unknown>, url?: string) => {
    const authentication = client.authentication();
    plant('assertion', authentication.form['client_assertion']);
    plant('authorization header', authentication.headers['authorization']);
    return client.token(form, { authentication, ...(url !== undefined && { url }) });
  };
  const first = (await send(client.exchange(code))).json();
  plantResponse(first);
  const next = await send({
    grant_type: 'refresh_token',
    refresh_token: first['refresh_token'] ?? plant('token', canary()),
  });
  plantResponse(next.json());
  const endpoint = client.provider.token_endpoint;
  const headers = { authorization: `Bearer ${String(first['access_token'])}` };
  await httpsRequest({ url: endpoint.replace(/token$/, 'userinfo'), headers, agent: client.agent });
  await send({ token: next.json()['refresh_token'] ?? first['access_token'] }, endpoint.replace(/token$/, 'revoke'));
  await send(client.exchange(code));
}

describe('the logs at level debug', () => {
  it('contain no secret of a whole journey, of any mistake and of any failure', async () => {
    const methods: AuthenticationMethod[] = [
      'private_key_jwt',
      'tls_client_auth',
      'client_secret_basic',
      'client_secret_post',
      'client_secret_jwt',
    ];
    const grants = { grant_types: ['authorization_code', 'client_credentials', 'refresh_token'] };
    for (const method of methods) {
      const client = await world.client({ method, name: 'Logged', metadata: grants });
      await walk(client, {});
      await walk(client, { scope: 'openid accounts', claims: undefined });
    }
    const client = world.clients[0] as FapiClient;
    await makeMistakes(client);
    await breakThings(client);
    await approvals();

    const read = (name: string): Promise<string> => readFile(join(world.sandbox.directory, name), 'utf8');
    const log = (await read('service.log')) + (await read('sandbox.log'));
    // The log would show them: it contains every request, every refusal and the failures.
    expect(log.split('\n').length).toBeGreaterThan(200);
    expect(log).toContain('token request refused');
    expect(log).toContain('token request failed');
    expect(planted.size).toBeGreaterThan(150);
    const found = [...planted].filter(([, value]) => log.includes(value)).map(([what]) => what);
    expect(found).toEqual([]);
    for (const words of ['A Supplier Ltd', 'INV-1', '91000000']) expect(log).not.toContain(words);
  });
});

/** Canaries in every parameter, header and claim that a client may get wrong. */
async function makeMistakes(client: FapiClient): Promise<void> {
  const names = [
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'token',
    'scope',
    'client_secret',
    'client_assertion',
    'grant_type',
  ];
  for (const name of names) {
    const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x', [name]: plant(name, canary()) };
    await client.token(form, { authentication: { form: client.assertion() } });
    await client.token({ ...form, [name]: [plant(name, canary()), 'two'] }, { authentication: {} });
  }
  for (const scheme of ['Basic', 'Bearer', '']) {
    const authorization = `${scheme} ${plant('credentials', Buffer.from(canary()).toString('base64'))}`.trim();
    await client.token({ grant_type: 'client_credentials' }, { authentication: { headers: { authorization } } });
    const url = client.provider.token_endpoint.replace(/token$/, 'userinfo');
    await httpsRequest({ url, headers: { authorization }, agent: client.agent });
  }
  for (const name of ['state', 'nonce', 'scope', 'redirect_uri', 'aud', 'iss', 'jti', 'response_type', 'claims']) {
    const claims = client.requestObject({ [name]: plant(`request object ${name}`, canary()) });
    await client.authorize(claims, {
      query: { redirect_uri: client.redirectUri, login_hint: plant('query', canary()) },
    });
  }
  await client.authorize({}, { query: { request: plant('request', canary()), client_id: client.clientId } });
  const url = `${client.provider.token_endpoint}?client_secret=${plant('query of the token endpoint', canary())}`;
  await client.token({ grant_type: 'client_credentials' }, { url });
  const unknown = new URL(`/${plant('path', canary())}`, client.provider.token_endpoint).href;
  await httpsRequest({ url: unknown, agent: client.agent });
}

/** The database fails: its message about a statement must not contain the values. */
async function breakThings(client: FapiClient): Promise<void> {
  const { database } = world.sandbox;
  const claims = client.requestObject({ scope: 'openid accounts' });
  const outcome = await world.decide(client.authorizationUrl(claims), 'approve');
  const code = plant('code of a failed exchange', outcome.fragment.get('code'));
  await database.query('ALTER TABLE access_tokens RENAME TO access_tokens_elsewhere');
  try {
    const authentication = client.authentication();
    plant('assertion of a failed exchange', authentication.form['client_assertion']);
    expect((await client.token(client.exchange(code), { authentication })).status).toBe(500);
    const authorization = `Bearer ${plant('token of a failed look-up', canary())}`;
    const url = client.provider.token_endpoint.replace(/token$/, 'userinfo');
    expect((await httpsRequest({ url, headers: { authorization }, agent: client.agent })).status).toBe(500);
  } finally {
    await database.query('ALTER TABLE access_tokens_elsewhere RENAME TO access_tokens');
  }
  await database.query('ALTER TABLE authorization_sessions RENAME TO sessions_elsewhere');
  try {
    await client.authorize(
      client.requestObject({ scope: 'openid accounts', nonce: plant('nonce of a failed request', canary()) }),
    );
  } finally {
    await database.query('ALTER TABLE sessions_elsewhere RENAME TO authorization_sessions');
  }
}

async function approvals(): Promise<void> {
  const browser = new PageBrowser(world.sandbox);
  let page = await browser.get(`${new URL(world.sandbox.description.authorization_endpoint).origin}/approvals`);
  plantPage(page);
  await browser.submit(page, '/approvals/sign-in', {
    username: 'carol',
    password: plant('wrong password', canary()),
  });
  page = await browser.submit(page, '/approvals/sign-in', {
    username: 'carol',
    password: plant('password', 'carol-password'),
  });
  plantPage(page);
  await browser.submit(page, '/approvals/second-factor', { one_time_code: plant('one-time code', 'Pd4Tn8Rb6Yc') });
  page = await browser.submit(page, '/approvals/second-factor', { one_time_code: '333333' });
  for (const value of browser.cookies.values()) plant('cookie', value);
  plantPage(page);
}
