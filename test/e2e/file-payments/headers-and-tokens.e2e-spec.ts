import { randomUUID } from 'node:crypto';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashToken } from '#libs/oauth';
import { requestToken } from '../../support/apps/tpp.js';
import { aConsentRequest } from '../../support/a-consent-request.js';
import { aTpp, type Differences, TestTpp } from '../../support/a-tpp.js';
import { aPaymentFile, type ApiVersion } from '../../support/a-payment-file.js';
import {
  expectBodiless,
  expectErrorShape,
  expectInteractionId,
  expectObError,
  until,
} from '../../support/expectations.js';
import { httpsRequest, openConnections, type TestResponse } from '../../support/https-request.js';
import type { TestSandbox } from '../../support/start-test-sandbox.js';
import { consents, dataOf, unknownId } from './world.js';
import { useWorld } from './use-world.js';
import { iat, iss, tan, verifyDetached } from '../../support/detached-jws.js';

const world = useWorld();

const interactionId = 'x-fapi-interaction-id';

const consent = `${consents}/${unknownId}`;
const payment = `/file-payments/${unknownId}`;

/** All eight, on something that does not exist. */
const operations: ['GET' | 'POST', string][] = [
  ['POST', consents],
  ['GET', consent],
  ['POST', `${consent}/file`],
  ['GET', `${consent}/file`],
  ['POST', '/file-payments'],
  ['GET', payment],
  ['GET', `${payment}/report-file`],
  ['GET', `${payment}/payment-details`],
];

const call = (method: string, path: string, differences: Differences = {}): Promise<TestResponse> =>
  method === 'POST' ? world().tpp.post(path, '{}', differences) : world().tpp.get(path, differences);
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
});

describe('media types', () => {
  it('FP-194 takes nothing encrypted, and encrypts nothing', async () => {
    const { tpp } = world();
    const encrypted = { 'content-type': 'application/jose+jwe' };
    for (const path of [consents, `${consents}/${unknownId}/file`, '/file-payments']) {
      expectBodiless(await tpp.post(path, '{}', { headers: encrypted }), 415);
    }
    expectBodiless(await tpp.get(await stored(), { headers: { accept: 'application/jose+jwe' } }), 406);
  });
});

describe('the access token', () => {
  it('FP-171 is ignored in the address', async () => {
    const { tpp } = world();
    const path = `${await stored()}?access_token=${tpp.accessToken}`;
    const response = await tpp.get(path, { headers: { authorization: undefined } });
    expectBodiless(response, 401);
  });
});

describe('answers', () => {
  it('FP-122, FP-173, FP-177, FP-178, FP-179 have nothing empty, nothing null, and a date', async () => {
    const { tpp } = world();
    const consent = await tpp.authorise();
    const paid = await tpp.pay(consent);
    const payment = `/file-payments/${String(dataOf(paid)['FilePaymentId'])}`;
    const reads = [
      `${consents}/${consent.consentId}`,
      `${consents}/${consent.consentId}/file`,
      ...['', '/report-file', '/payment-details'].map((end) => `${payment}${end}`),
    ];
    for (const answer of [paid, ...(await Promise.all(reads.map((path) => tpp.get(path))))]) {
      expect(answer.headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/i);
      expect(Math.abs(Date.parse(answer.headers.date ?? '') - Date.now())).toBeLessThan(300_000);
      expect(answer.headers['cache-control']).toBe('no-store');
      const { Meta, Links, ...rest } = answer.json();
      if (Meta !== undefined) expect({ Meta, Links }).toEqual({ Meta: {}, Links: { Self: expect.any(String) } });
      expect(emptyValues(rest)).toEqual([]);
    }
    const { PaymentStatus } = dataOf(await tpp.get(`${payment}/payment-details`));
    const { DomesticPayments } = dataOf(await tpp.get(`${payment}/report-file`));
    expect(idsOf(PaymentStatus, 'PaymentTransactionId')).toEqual(idsOf(DomesticPayments, 'PaymentId'));
  });
});

/** @returns the answer to a request that no HTTP client would send */
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

const idsOf = (list: unknown, name: string) => (list as Record<string, string>[]).map((each) => each[name]);

/** A token of the client with other scopes than payments. */
const aTokenForAccounts = async (): Promise<string> => {
  const { client, provider, credentials, clientId } = world().tpp;
  const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
  const { access_token: accessToken } = await requestToken({ client, provider, credentials, clientId, grant });
  const hash = hashToken(accessToken);
  await world().sandbox.database.query("UPDATE access_tokens SET scope = '{accounts}' WHERE token_hash = $1", [hash]);
  return accessToken;
};

/** Rules of every operation. The TPP itself checks bodies against the standard's types. */
describe('every operation', () => {
  it.each(operations)('FP-168, FP-170, FP-173 %s %s needs its scope, and signs its errors', async (method, path) => {
    const forbidden = await call(method, path, { accessToken: await aTokenForAccounts() });
    expectObError(forbidden, 403, /^UK\.SandboxBank\.Token\.InsufficientScope$/);
    expectErrorShape(forbidden.json());
    expect(forbidden.headers).toHaveProperty('x-jws-signature');
  });

  it('continues while a migration adds a column to every table (no version has to stop for the next one)', async () => {
    const { tpp, sandbox } = world();
    const file = aPaymentFile();
    const authorised = await tpp.authorise(file);
    const paid = String(dataOf(await tpp.pay(authorised))['FilePaymentId']);
    const reads = [
      `${consents}/${authorised.consentId}`,
      `${consents}/${authorised.consentId}/file`,
      ...['', '/report-file', '/payment-details'].map((end) => `/file-payments/${paid}${end}`),
    ];
    /** So many at once that every connection of the pool has prepared each statement. */
    const statuses = async (): Promise<number[]> => {
      const all = await Promise.all(Array.from({ length: 30 }, () => reads.map((path) => tpp.get(path))).flat());
      return [...new Set(all.map(({ status }) => status))];
    };
    await openConnections(tpp.agent, sandbox.description.base_url, 30 * reads.length);
    expect(await statuses()).toEqual([200]);
    const { rows: tables } = await sandbox.database.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    const alter = (change: string): Promise<unknown[]> =>
      Promise.all(tables.map(({ name }) => sandbox.database.query(`ALTER TABLE ${name} ${change}`)));
    await alter('ADD COLUMN added_meanwhile integer');
    try {
      expect(await statuses()).toEqual([200]);
      expect((await tpp.pay(await tpp.authorise(file))).status).toBe(201);
    } finally {
      await alter('DROP COLUMN added_meanwhile');
    }
  });
});

const name = 'x-jws-signature';

const verifySignature = (response: TestResponse) =>
  verifyDetached(String(response.headers[name]), response.body, world().tpp.bankKeys);

/** FP-145 to FP-155. */
describe('x-jws-signature of a request', () => {
  it('FP-147 is accepted with b64 false and without b64, and answered in the same form', async () => {
    const { tpp } = world();
    const withB64 = await tpp.post(consents, aConsentRequest());
    expect(withB64.status).toBe(201);
    expect(verifySignature(withB64)).toMatchObject({ b64: false });
    const jws = { b64: undefined, crit: [iat, iss, tan] };
    const withoutB64 = await tpp.post(consents, aConsentRequest(), { jws });
    expect(withoutB64.status).toBe(201);
    expect(verifySignature(withoutB64)).not.toHaveProperty('b64');
  });
});

describe('x-jws-signature of an answer', () => {
  it('is on the answer to an address with escaped letters', async () => {
    const { tpp, sandbox } = world();
    const url = `${sandbox.config.baseUrl}/open-banking/v3.1/%70isp${consents}/${await tpp.stageConsent()}`;
    const headers = { authorization: `Bearer ${tpp.accessToken}` };
    const answer = await httpsRequest({ url, headers, agent: tpp.agent });
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    verifySignature(answer);
  });
});

/** Sends a request whose client is suspended after the check of its token. */
async function suspendDuring(tpp: TestTpp, send: () => Promise<TestResponse>): Promise<TestResponse> {
  const { database } = world().sandbox;
  const holder = await database.connect();
  try {
    // The guard reads the client before the statement that claims the key is planned.
    await holder.query('BEGIN; LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE');
    const answer = send();
    const waiting = `SELECT FROM pg_locks WHERE relation = 'idempotency_keys'::regclass AND NOT granted`;
    await until(async () => ((await database.query(waiting)).rowCount ?? 0) > 0);
    await database.query(`UPDATE clients SET status = 'Suspended' WHERE client_id = $1`, [tpp.clientId]);
    await holder.query('ROLLBACK');
    return await answer;
  } finally {
    holder.release();
  }
}

function expectUnauthorized(response: TestResponse): void {
  expect({ status: response.status, text: response.text, challenge: response.headers['www-authenticate'] }).toEqual({
    status: 401,
    text: '',
    challenge: 'Bearer error="invalid_token"',
  });
  expectInteractionId(response);
}

async function count(table: 'payment_orders' | 'instruction_lists', consentId: string): Promise<number> {
  const { database } = world().sandbox;
  const sql = `SELECT count(*)::int AS count FROM ${table} WHERE consent_id = $1`;
  const { rows } = await database.query<{ count: number }>(sql, [consentId]);
  return rows[0]?.count ?? -1;
}

describe.each<ApiVersion>(['3.1', '4.0'])(
  'a client of %s that is suspended while its request is answered',
  (version) => {
    let tpp: TestTpp;

    beforeAll(async () => {
      tpp = new TestTpp({ ...(await aTpp(world().sandbox)), version });
    });

    afterAll(async () => tpp?.close());

    const activate = (): Promise<unknown> =>
      world().sandbox.database.query(`UPDATE clients SET status = 'Active' WHERE client_id = $1`, [tpp.clientId]);

    it('gets 401 for its upload, and no file is stored', async () => {
      const consentId = await tpp.stageConsent();
      expectUnauthorized(await suspendDuring(tpp, () => tpp.upload(consentId, tpp.file())));
      expect(await count('instruction_lists', consentId)).toBe(0);
      await activate();
    });

    it('gets 401 for its payment, and nothing is paid', async () => {
      const authorised = await tpp.authorise();
      expectUnauthorized(await suspendDuring(tpp, () => tpp.pay(authorised)));
      expect(await count('payment_orders', authorised.consentId)).toBe(0);
      await activate();
    });
  },
);
