import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { expectEventually, until } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const atATime = 3;
const discovery = '/open-banking/v3.0/.well-known/openid-configuration';

let sandbox: TestSandbox;
let tpp: TestTpp;

beforeAll(async () => {
  sandbox = await startTestSandbox({
    only: ['authorize', 'token', 'api'],
    environment: { MAX_CONCURRENT_REQUESTS: String(atATime), ADDITIONAL_HOSTS: 'other.bank.example,127.0.0.1' },
  });
  tpp = await aTpp(sandbox);
});

afterAll(async () => {
  tpp?.close();
  await sandbox?.stop();
});

/** The answer to GET, with headers and server name as they are given. */
function get(path: string, options: RequestOptions = {}): Promise<{ status: number; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(`https://localhost:${sandbox.ports.api}${path}`, { ca: sandbox.ca, agent: false, ...options }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] });
    })
      .on('error', reject)
      .end();
  });
}

const anyIdentity = { checkServerIdentity: () => undefined };

describe('a request for another host (RFC 9110 s15.5.20)', () => {
  it.each([
    ['our own', 'localhost', 200],
    ['our own with any port', 'LOCALHOST:443', 200],
    ['our own as a fully qualified name', 'localhost.', 200],
    ['nobody', 'nobody.invalid', 421],
    ['one that only ends like ours', 'notlocalhost', 421],
  ])('is answered by what Host names: %s', async (_what, host, status) => {
    expect((await get(discovery, { headers: { host }, servername: 'localhost' })).status).toBe(status);
  });

  it('is served under an additional name, if the connection was made for it', async () => {
    const headers = { host: 'other.bank.example' };
    expect((await get(discovery, { headers, servername: 'other.bank.example', ...anyIdentity })).status).toBe(200);
    expect((await get(discovery, { headers, servername: 'localhost' })).status).toBe(421);
    expect(
      (await get(discovery, { headers: { host: 'localhost' }, servername: 'other.bank.example', ...anyIdentity }))
        .status,
    ).toBe(421);
    expect((await get(discovery, { hostname: '127.0.0.1' })).status).toBe(200);
  });

  it.each([
    ['ours, which no server name can be', '127.0.0.1', 200],
    ['nobody’s', '10.1.2.3', 421],
  ])('is answered by Host alone where that is an address (RFC 6066 s3): %s', async (_what, host, status) => {
    expect((await get(discovery, { headers: { host }, servername: 'localhost' })).status).toBe(status);
  });

  it.each([
    ['two Hosts', `${discovery} HTTP/1.1\r\nHost: localhost\r\nHost: nobody.invalid`],
    // Node reads no more than 2,000 headers by itself and keeps silent about the others.
    [
      'two Hosts far apart',
      `${discovery} HTTP/1.1\r\nHost: localhost\r\n${'a:\r\n'.repeat(2_100)}Host: nobody.invalid`,
    ],
    ['no Host', `${discovery} HTTP/1.0`],
    // RFC 9112 s3.2.2: then Host does not count.
    ['an address that names another', `https://nobody.invalid${discovery} HTTP/1.1\r\nHost: localhost`],
  ])('with %s is none of ours', async (_what, rest) => {
    const socket = connect({ port: sandbox.ports.api, host: 'localhost', servername: 'localhost', ca: sandbox.ca });
    await once(socket, 'secureConnect');
    socket.write(`GET ${rest}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 421 /);
  });

  it('does not matter to a health check', async () => {
    expect((await get('/health/live', { headers: { host: '10.1.2.3:8443' }, servername: 'localhost' })).status).toBe(
      200,
    );
  });
});

describe('more requests than a process can answer', () => {
  it('are refused immediately with 503 and Retry-After, and accepted again when there is room', async () => {
    // They wait for a table. Some more than there is room for: one may find its place taken by a look at the others.
    const holder = await sandbox.database.connect();
    await holder.query('BEGIN; LOCK TABLE access_tokens IN ACCESS EXCLUSIVE MODE');
    const held = Array.from({ length: atATime + 3 }, () => tpp.get('/file-payments/0', { accessToken: randomUUID() }));
    let refused = await get(discovery);
    await until(async () => (refused = await get(discovery)).status !== 200);
    expect(refused).toEqual({ status: 503, retryAfter: '1' });
    expect((await get('/health/live')).status).toBe(200);
    await holder.query('ROLLBACK');
    holder.release();
    await Promise.all(held);
    await expectEventually(async () => (await get(discovery)).status, 200);
  });
});

describe('a database that is away', () => {
  beforeAll(async () => {
    await sandbox.postgres.stop();
  });

  it('is answered with 503 and Retry-After by every application', async () => {
    const consent = await tpp.get('/file-payment-consents/00000000-0000-7000-8000-000000000000');
    expect({ status: consent.status, retryAfter: consent.headers['retry-after'] }).toEqual({
      status: 503,
      retryAfter: '5',
    });
    const token = await httpsRequest({
      url: sandbox.description.token_endpoint,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: tpp.clientId,
        client_secret: 'x',
        scope: 'payments',
      }).toString(),
      agent: tpp.agent,
    });
    expect({ status: token.status, retryAfter: token.headers['retry-after'] }).toEqual({
      status: 503,
      retryAfter: '5',
    });
    const request = await tpp.createAuthorizationRequest('00000000-0000-7000-8000-000000000000');
    const page = await httpsRequest({ url: request.url, headers: { accept: 'text/html' }, agent: sandbox.agent });
    expect({ status: page.status, retryAfter: page.headers['retry-after'] }).toEqual({
      status: 503,
      retryAfter: expect.any(String),
    });
    expect(page.text).toContain('Sorry, the service is not available');
    const registration = await httpsRequest({
      url: `${sandbox.description.registration_endpoint}/${tpp.clientId}`,
      headers: { authorization: `Bearer ${tpp.accessToken}`, accept: 'application/json' },
      agent: tpp.agent,
    });
    expect({ status: registration.status, retryAfter: registration.headers['retry-after'] }).toEqual({
      status: 503,
      retryAfter: '5',
    });
  });
});
