import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { requestToken } from '../../../apps/tpp/src/oauth/request-token.js';
import { aConsentRequest } from '../../support/a-consent-request.js';
import type { Headers } from '../../support/a-tpp.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { expectBodiless, expectErrorShape, expectInteractionId, expectObError } from '../../support/expectations.js';
import { httpsAgent } from '../../support/https-request.js';
import type { TestSandbox } from '../../support/start-test-sandbox.js';
import { consents, dataOf, unknownId } from './world.js';
import { useWorld } from './use-world.js';

const world = useWorld();

const interactionId = 'x-fapi-interaction-id';

/** Every operation: method and path. */
const operations: ['GET' | 'POST', string][] = [
  ['POST', consents],
  ['GET', `${consents}/${unknownId}`],
  ['POST', `${consents}/${unknownId}/file`],
  ['GET', `${consents}/${unknownId}/file`],
  ['POST', '/file-payments'],
  ['GET', `/file-payments/${unknownId}`],
  ['GET', `/file-payments/${unknownId}/report-file`],
  ['GET', `/file-payments/${unknownId}/payment-details`],
];

const call = (method: 'GET' | 'POST', path: string, headers: Headers, agent?: ReturnType<typeof httpsAgent>) => {
  const differences = { headers, ...(agent && { agent }) };
  return method === 'GET' ? world().tpp.get(path, differences) : world().tpp.post(path, '{}', differences);
};
const stored = async () => `${consents}/${await world().tpp.stageConsent()}`;

/** FP-160 to FP-179, and the binding of tokens to certificates. */
describe('x-fapi-interaction-id', () => {
  it('FP-160 is played back, on success and on errors', async () => {
    const { tpp, otherTpp } = world();
    const path = await stored();
    const headers = { [interactionId]: randomUUID().toUpperCase() };
    const answers = [
      [200, await tpp.get(path, { headers })],
      [201, await tpp.post(consents, aConsentRequest(), { headers })],
      [400, await tpp.post(consents, '{}', { headers })],
      [403, await otherTpp.get(path, { headers })],
      [401, await tpp.get(path, { headers: { ...headers, authorization: undefined } })],
    ] as const;
    for (const [status, answer] of answers) {
      expect(answer.status).toBe(status);
      expect(String(answer.headers[interactionId]).toUpperCase()).toBe(headers[interactionId]);
    }
  });

  it('FP-162 is echoed even where Node itself would answer: no Host, an unsupported Expect, no path', async () => {
    const { tpp, sandbox } = world();
    const id = randomUUID();
    const host = new URL(sandbox.config.baseUrl).host;
    const answers = await Promise.all(
      [
        `GET /health/live HTTP/1.1\r\n${interactionId}: ${id}\r\nconnection: close\r\n\r\n`,
        `GET ${new URL(tpp.url(consents)).pathname} HTTP/1.1\r\n${interactionId}: ${id}\r\nconnection: close\r\n\r\n`,
        `POST / HTTP/1.1\r\nhost: ${host}\r\nexpect: a-miracle\r\n${interactionId}: ${id}\r\ncontent-length: 2\r\n\r\n{}`,
        `GET /%zz HTTP/1.1\r\nhost: ${host}\r\n${interactionId}: ${id}\r\nconnection: close\r\n\r\n`,
      ].map((text) => sendBytes(sandbox, text)),
    );
    expect(answers.map((answer) => Number(answer.split(' ')[1]))).toEqual([200, 400, 417, 404]);
    for (const answer of answers.slice(1)) expect(answer).toContain(`${interactionId}: ${id}\r\n`);
  });

  it('FP-161, FP-162 is made where none was sent', async () => {
    const { tpp } = world();
    const path = await stored();
    const answers = [
      await tpp.get(path),
      await tpp.get(path, { accessToken: 'unknown' }),
      await tpp.get('/nowhere'),
      await tpp.get(path, { method: 'DELETE' }),
      await tpp.get(path, { headers: { accept: 'text/xml' } }),
      await tpp.post(consents, '{}', { headers: { 'content-type': 'text/plain' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 405, 406, 415]);
    for (const answer of answers) expectInteractionId(answer);
  });

  it.each(['not-a-uuid', '1', `${randomUUID()}x`])('refuses %s and generates one', async (value) => {
    const response = await world().tpp.get(await stored(), { headers: { [interactionId]: value } });
    expectObError(response, 400, 'Header.Invalid', interactionId);
  });
});

describe('FAPI headers', () => {
  it.each([
    ['FP-163', 'x-fapi-auth-date', 'Sun, 10 Sep 2017 19:43:31 GMT'],
    ['FP-163', 'x-fapi-auth-date', 'Sun, 10 Sep 2017 19:43:31 UTC'],
    ['FP-164', 'x-fapi-customer-ip-address', '198.51.100.119'],
    ['FP-164', 'x-fapi-customer-ip-address', '2001:DB8::1893:25c8:1946'],
    ['FP-165', 'x-fapi-financial-id', '0015800000jfQ9aAAE'],
    ['FP-165', 'x-customer-user-agent', 'Mozilla/5.0 (X11; Linux)'],
  ])('%s takes %s: %s', async (_number, name, value) => {
    const { tpp } = world();
    expect((await tpp.get(await stored(), { headers: { [name]: value } })).status).toBe(200);
    expect((await tpp.post(consents, aConsentRequest(), { headers: { [name]: value } })).status).toBe(201);
  });

  it.each([
    ['FP-163', 'x-fapi-auth-date', '2017-09-10'],
    ['FP-163', 'x-fapi-auth-date', 'Sun, 10 Sep 2017 19:43:31 CET'],
    ['FP-164', 'x-fapi-customer-ip-address', '198.51.100.256'],
    ['FP-164', 'x-fapi-customer-ip-address', 'localhost'],
  ])('%s refuses %s: %s', async (_number, name, value) => {
    const response = await world().tpp.get(await stored(), { headers: { [name]: value } });
    expectObError(response, 400, 'Header.Invalid', name);
  });
});

describe('Accept and Content-Type', () => {
  it.each([
    'application/xml',
    'text/html',
    'application/jose+jwe',
    'application/json;q=0',
    'application/json;charset=utf-16',
  ])('FP-166 answers Accept: %s with 406', async (accept) => {
    expectBodiless(await world().tpp.get(await stored(), { headers: { accept } }), 406);
  });

  it.each([
    undefined,
    '*/*',
    'application/*',
    'application/json',
    'application/json; charset=utf-8',
    'text/html, application/json;q=0.1',
  ])('FP-166 answers Accept: %s', async (accept) => {
    expect((await world().tpp.get(await stored(), { headers: { accept } })).status).toBe(200);
  });

  it.each([consents, `${consents}/${unknownId}/file`, '/file-payments'])(
    'FP-167 takes JSON only on POST %s',
    async (path) => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', undefined]) {
        expectBodiless(await world().tpp.post(path, '{}', { headers: { 'content-type': type } }), 415);
      }
    },
  );

  it('FP-194 takes nothing encrypted, and encrypts nothing', async () => {
    const { tpp } = world();
    const encrypted = { 'content-type': 'application/jose+jwe' };
    for (const path of [consents, `${consents}/${unknownId}/file`, '/file-payments']) {
      expectBodiless(await tpp.post(path, '{}', { headers: encrypted }), 415);
    }
    expectBodiless(await tpp.get(await stored(), { headers: { accept: 'application/jose+jwe' } }), 406);
  });

  it('FP-167 takes no request with two types, whichever comes first', async () => {
    for (const types of [
      ['application/json', 'text/xml'],
      ['application/json', 'application/json'],
    ]) {
      expectBodiless(await world().tpp.post(consents, aConsentRequest(), { headers: { 'content-type': types } }), 415);
    }
  });

  it('FP-167 takes application/json with its charset', async () => {
    const headers = { 'content-type': 'Application/JSON; Charset=UTF-8' };
    expect((await world().tpp.post(consents, aConsentRequest(), { headers })).status).toBe(201);
  });
});

describe('the access token', () => {
  it.each(operations)('FP-168, FP-169 is needed on %s %s, alive and as a bearer token', async (method, path) => {
    const unknown = randomBytes(32).toString('base64url');
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${unknown}`,
      'Basic YTpi',
      'Bearer a b',
      unknown,
    ]) {
      const response = await call(method, path, { authorization });
      expectBodiless(response, 401);
      expect(response.headers['www-authenticate']).toMatch(/^Bearer [a-z]+=/);
    }
  });

  it.each([
    ['has expired', "expires_at = now() - interval '1 s'"],
    ['was revoked', 'revoked_at = now()'],
  ])('FP-169 is refused once it %s', async (_title, change) => {
    const { tpp, sandbox } = world();
    const { client, provider, credentials, clientId } = tpp;
    const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
    const path = await stored();
    const { access_token: accessToken } = await requestToken({ client, provider, credentials, clientId, grant });
    expect((await tpp.get(path, { accessToken })).status).toBe(200);
    const hash = createHash('sha256').update(accessToken).digest();
    await sandbox.database.query(`UPDATE access_tokens SET ${change} WHERE token_hash = $1`, [hash]);
    const refused = await tpp.get(path, { accessToken });
    expectBodiless(refused, 401);
    expect(refused.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('FP-170 needs the scope payments', async () => {
    const { tpp, sandbox } = world();
    const { client, provider, credentials, clientId } = tpp;
    const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
    const path = await stored();
    const { access_token: accessToken } = await requestToken({ client, provider, credentials, clientId, grant });
    const hash = createHash('sha256').update(accessToken).digest();
    await sandbox.database.query("UPDATE access_tokens SET scope = '{accounts}' WHERE token_hash = $1", [hash]);
    const response = await tpp.get(path, { accessToken });
    expectObError(response, 403, /^UK\.SandboxBank\./);
    expectErrorShape(response.json());
  });

  it('FP-171 does not count in the address', async () => {
    const { tpp } = world();
    const path = `${await stored()}?access_token=${tpp.accessToken}`;
    const response = await tpp.get(path, { headers: { authorization: undefined } });
    expectBodiless(response, 401);
  });

  it('is compared without case in its scheme (RFC 9110 s11.1)', async () => {
    const { tpp } = world();
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const headers = { authorization: `${scheme} ${tpp.accessToken}` };
      expect((await tpp.get(await stored(), { headers })).status).toBe(200);
    }
  });

  it('is bound to the certificate it was issued over (RFC 8705 s3)', async () => {
    const { tpp, otherTpp, sandbox } = world();
    const path = await stored();
    const file = aPaymentFile();
    const consentId = await tpp.stageConsent(file);
    // The other TPP has got hold of our token, and of our signing key.
    expectBodiless(await tpp.get(path, { agent: otherTpp.agent }), 401);
    expectBodiless(await tpp.post(consents, aConsentRequest(), { agent: otherTpp.agent }), 401);
    expectBodiless(await tpp.upload(consentId, file, { agent: otherTpp.agent }), 401);
    expectBodiless(await otherTpp.get(path, { accessToken: tpp.accessToken }), 401);
    // Somebody without any certificate has.
    expectBodiless(await tpp.get(path, { agent: sandbox.agent }), 401);
    expect(await tpp.consentStatus(consentId)).toBe('AwaitingUpload');
  });

  it.each(operations)('is of no use without a client certificate on %s %s', async (method, path) => {
    expectBodiless(await call(method, path, {}, world().sandbox.agent), 401);
  });
});

describe('answers', () => {
  it('FP-177, FP-178, FP-179 have nothing empty, nothing null, and a date', async () => {
    const { tpp } = world();
    const consent = await tpp.authorise();
    const paid = await tpp.pay(consent);
    const payment = `/file-payments/${String(dataOf(paid)['FilePaymentId'])}`;
    const reads = [
      `${consents}/${consent.consentId}`,
      `${consents}/${consent.consentId}/file`,
      payment,
      `${payment}/report-file`,
    ];
    for (const answer of [paid, ...(await Promise.all(reads.map((path) => tpp.get(path))))]) {
      expect(answer.headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/i);
      expect(Math.abs(Date.parse(answer.headers.date ?? '') - Date.now())).toBeLessThan(300_000);
      expect(answer.headers['cache-control']).toBe('no-store');
      const { Meta, Links, ...rest } = answer.json();
      if (Meta !== undefined) expect({ Meta, Links }).toEqual({ Meta: {}, Links: { Self: expect.any(String) } });
      expect(emptyValues(rest)).toEqual([]);
    }
  });
});

/** @returns whatever comes back for a request that no HTTP client would send */
function sendBytes({ config, ca }: TestSandbox, text: string): Promise<string> {
  const { hostname, port } = new URL(config.baseUrl);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ host: hostname, port: Number(port), servername: hostname, ca }, () => socket.write(text));
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString('latin1')));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** @returns paths of null, empty texts and empty objects */
function emptyValues(value: unknown, path = ''): string[] {
  if (value === null || value === '') return [path];
  if (typeof value !== 'object') return [];
  const members = Object.entries(value);
  if (members.length === 0 && !Array.isArray(value)) return [path];
  return members.flatMap(([name, member]) => emptyValues(member, `${path}.${name}`));
}
