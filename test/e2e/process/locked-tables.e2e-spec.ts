import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { registrationClaims, signJwt } from '../../support/apps/tpp.js';
import { aConsentRequest, aPaymentRequest, anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import type { TestTpp } from '../../support/a-tpp.js';
import {
  expectEventually,
  expectInteractionId,
  until,
  expectErrorPage,
  expectErrorRedirect,
} from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import type { FapiClient } from '../../support/a-client.js';
import { type AuthorizationOutcome, PageBrowser } from '../../support/page-browser.js';
import { FapiWorld, intentClaims } from '../authorization/fapi-world.js';

const world = new FapiWorld();
/**
 * As an index that is built, a backup with locks, or an operator's open transaction does; no application waits so long.
 */
const lockTimeoutSeconds = 1;
/** A statement's own limit is 15 s: a request that waits for it would not be answered within a few seconds. */
const longestAnswerMilliseconds = 10_000;
let client: FapiClient;
let tpp: TestTpp;

beforeAll(async () => {
  await world.start({ DATABASE_LOCK_TIMEOUT_SECONDS: String(lockTimeoutSeconds) });
  client = await world.client({ method: 'private_key_jwt', name: 'Locked' });
  tpp = await world.asTpp(client);
});
afterAll(() => world.stop());

/** Does something while a table is locked exclusively. */
async function whileLocked<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  const holder = await world.sandbox.database.connect();
  try {
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

/** @returns the timely answer while the table was locked */
async function askWhileLocked<Answer>(table: string, ask: () => Promise<Answer>): Promise<Answer> {
  return whileLocked(table, async () => {
    const startedAt = performance.now();
    const answer = await ask();
    expect(performance.now() - startedAt).toBeLessThan(longestAnswerMilliseconds);
    return answer;
  });
}

function expectTryAgain({ status, headers, text }: TestResponse): void {
  expect({ status, text, retryAfter: headers['retry-after'] }).toEqual({ status: 503, text: '', retryAfter: '5' });
  expect(headers['cache-control']).toContain('no-store');
}

const count = async (table: string, condition: string, parameters: unknown[]): Promise<number> =>
  (await world.sandbox.database.query(`SELECT FROM ${table} WHERE ${condition}`, parameters)).rowCount ?? 0;

const idOf = (answer: TestResponse, name: 'ConsentId' | 'FilePaymentId'): string =>
  String((answer.json()['Data'] as Record<string, unknown>)[name]);

const expectTryAgainPage = (page: AuthorizationOutcome): void => expectErrorPage(page, 'temporarily_unavailable', 503);

const withKey = () => ({ headers: { 'x-idempotency-key': randomUUID() } });

const register = async (): Promise<TestResponse> => {
  const { provider, credentials } = client;
  const claims = { ...registrationClaims(provider, credentials), jti: randomUUID() };
  return httpsRequest({
    url: provider.registration_endpoint,
    method: 'POST',
    headers: { 'content-type': 'application/jose', accept: 'application/json' },
    body: await signJwt({ claims, credentials, expiresInSeconds: 300 }),
    agent: client.agent,
  });
};

/** Approved by the customer, its file uploaded. */
async function anApprovedConsent(payments = 3): Promise<{ consentId: string; initiation: Record<string, unknown> }> {
  const { consentId, initiation } = await tpp.authorise(aPaymentFile({ payments }));
  return { consentId, initiation };
}

describe('the file payments API while a table is locked', () => {
  it.each(['payment_consents', 'idempotency_keys', 'access_tokens', 'clients'])(
    'stages a consent once under the same key after %s was locked',
    async (table) => {
      const [body, key] = [aConsentRequest(), withKey()];
      const stage = (): Promise<TestResponse> => tpp.post('/file-payment-consents', body, key);
      const refused = await askWhileLocked(table, stage);
      expectTryAgain(refused);
      expectInteractionId(refused);
      const before = await count('payment_consents', 'client_id = $1', [client.clientId]);
      const answers = [await stage(), await stage()];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(new Set(answers.map((answer) => idOf(answer, 'ConsentId'))).size).toBe(1);
      expect(await count('payment_consents', 'client_id = $1', [client.clientId])).toBe(before + 1);
    },
  );

  it.each(['payment_files', 'payment_consents', 'idempotency_keys'])(
    'accepts a file under the same key after %s was locked',
    async (table) => {
      const file = aPaymentFile({ payments: 3 });
      const [consentId, key] = [await tpp.stageConsent(file), withKey()];
      const upload = (): Promise<TestResponse> => tpp.upload(consentId, file, key);
      expectTryAgain(await askWhileLocked(table, upload));
      expect([(await upload()).status, (await upload()).status]).toEqual([200, 200]);
      expect(await tpp.consentStatus(consentId)).toBe('AwaitingAuthorisation');
    },
  );

  it.each(['payments', 'payment_orders', 'payment_consents', 'instruction_lists', 'idempotency_keys'])(
    'makes a payment once under the same key after %s was locked',
    async (table) => {
      const { consentId, initiation } = await anApprovedConsent();
      const [body, key] = [aPaymentRequest(consentId, initiation), withKey()];
      const pay = (): Promise<TestResponse> => tpp.post('/file-payments', body, key);
      expectTryAgain(await askWhileLocked(table, pay));
      const answers = [await pay(), await pay()];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(new Set(answers.map((answer) => idOf(answer, 'FilePaymentId'))).size).toBe(1);
      expect(await count('payment_orders', 'consent_id = $1', [consentId])).toBe(1);
      expect(await count('payments JOIN payment_orders USING (payment_order_id)', 'consent_id = $1', [consentId])).toBe(
        3,
      );
    },
  );

  it('answers each read with 503, and afterwards with the resource', async () => {
    const { consentId, initiation } = await anApprovedConsent();
    const filePaymentId = idOf(await tpp.pay({ consentId, initiation }), 'FilePaymentId');
    for (const [path, table] of [
      [`/file-payment-consents/${consentId}`, 'payment_consents'],
      [`/file-payment-consents/${consentId}/file`, 'payment_files'],
      [`/file-payments/${filePaymentId}`, 'payment_orders'],
      [`/file-payments/${filePaymentId}/payment-details`, 'payments'],
      [`/file-payments/${filePaymentId}/report-file`, 'payments'],
    ] as const) {
      expectTryAgain(await askWhileLocked(table, () => tpp.get(path)));
      expect({ path, status: (await tpp.get(path)).status }).toEqual({ path, status: 200 });
    }
  });
});

describe('registration while a table is locked', () => {
  it.each(['clients', 'used_jwt_ids', 'audit_events'])('can be repeated (%s)', async (table) => {
    const before = await count('clients', 'true', []);
    expectTryAgain(await askWhileLocked(table, register));
    expect(await count('clients', 'true', [])).toBe(before);
    expect((await register()).status).toBe(201);
  });

  it.each(['clients', 'access_tokens'])('is read and ended later (%s)', async (table) => {
    const own = await world.client({ method: 'private_key_jwt', name: 'Ending' });
    const token = (await own.token({ grant_type: 'client_credentials', scope: 'payments' })).json()['access_token'];
    const ask = (method: string): Promise<TestResponse> =>
      httpsRequest({
        url: `${own.provider.registration_endpoint}/${own.clientId}`,
        method,
        headers: { authorization: `Bearer ${String(token)}`, accept: 'application/json' },
        agent: own.agent,
      });
    for (const [method, status] of [
      ['GET', 200],
      ['DELETE', 204],
    ] as const) {
      expectTryAgain(await askWhileLocked(table, () => ask(method)));
      expect({ method, status: (await ask(method)).status }).toEqual({ method, status });
    }
  });
});

describe('the token endpoint while a table is locked', () => {
  const grant = { grant_type: 'client_credentials', scope: 'payments' };

  it.each(['clients', 'access_tokens', 'used_jwt_ids'])('issues no token, and later one (%s)', async (table) => {
    expectTryAgain(await askWhileLocked(table, () => client.token(grant)));
    expect((await client.token(grant)).status).toBe(200);
  });

  it.each(['authorization_codes', 'access_tokens', 'payment_consents'])(
    'does not use up a code without issuing tokens (%s)',
    async (table) => {
      const { code } = await world.authorise(client);
      const exchange = (): Promise<TestResponse> => client.token(client.exchange(code));
      expectTryAgain(await askWhileLocked(table, exchange));
      expect((await exchange()).status).toBe(200);
      expect((await exchange()).status).toBe(400);
    },
  );
});

describe('the customer’s pages while a table is locked', () => {
  const { username, password, oneTimeCode } = { username: 'alice', password: 'alice-password', oneTimeCode: '111111' };

  it('accept the request, both factors and the decision when they are repeated', async () => {
    const browser = new PageBrowser(world.sandbox);
    const claims = client.requestObject({ claims: intentClaims(await tpp.stageFile()) });
    const url = client.authorizationUrl(claims);
    expectTryAgainPage(await askWhileLocked('clients', () => browser.get(url)));
    let page = await browser.get(url);
    const steps = [
      ['/sign-in', { username, password }, 'authorization_sessions'],
      ['/consent', {}, 'authorization_sessions'],
      ['/challenge', { one_time_code: oneTimeCode }, 'payment_consents'],
      // The bank has accepted the code by then, and accepts it once.
      ['/challenge', { one_time_code: oneTimeCode }, 'authorization_codes'],
    ] as const;
    for (const [path, fields, table] of steps) {
      const account = /name="debtor_account"[^>]* value="([^"]+)"/.exec(page.html)?.[1];
      const form = { ...fields, ...(account !== undefined && { debtor_account: account }) };
      expectTryAgainPage(await askWhileLocked(table, () => browser.submit(page, path, form)));
      if (table === 'payment_consents') continue;
      page = await browser.submit(page, path, form);
    }
    expect({ kind: page.kind, hasCode: page.fragment.has('code') }).toEqual({ kind: 'redirect', hasCode: true });
  });

  it('tell the TPP of a request that could not be stored (RFC 6749 s4.1.2.1)', async () => {
    const claims = client.requestObject({ claims: intentClaims(await tpp.stageFile()) });
    const outcome = await askWhileLocked('authorization_sessions', () => client.authorize(claims));
    expectErrorRedirect(outcome, client, 'temporarily_unavailable', { state: claims['state'] });
  });

  it('of further approvers lose nobody’s sign-in', async () => {
    const browser = new PageBrowser(world.sandbox);
    const list = `${new URL(client.provider.authorization_endpoint).origin}/approvals`;
    let page = await browser.get(list);
    const signIn = { username: 'carol', password: 'carol-password' };
    expectTryAgainPage(
      await askWhileLocked('approval_sessions', () => browser.submit(page, '/approvals/sign-in', signIn)),
    );
    page = await browser.submit(page, '/approvals/sign-in', signIn);
    page = await browser.submit(page, '/approvals/second-factor', { one_time_code: '333333' });
    expectTryAgainPage(await askWhileLocked('payment_orders', () => browser.get(list)));
    expect((await browser.get(list)).html).toContain('Payments waiting for you');
  });
});

describe('the worker while a table is locked', () => {
  it.each(['payments', 'payment_orders'])('tries again later, and records no fault (%s)', async (table) => {
    const file = aPaymentFile({ payments: 25 });
    const consentId = await tpp.stageFile(file);
    await tpp.approveInPages(await tpp.createAuthorizationRequest(consentId));
    const filePaymentId = idOf(await tpp.pay({ consentId, initiation: anInitiation(file) }), 'FilePaymentId');
    const { database } = world.sandbox;
    // Several loops of the worker want the table: each statement that waits is known by its connection and its start.
    const waiting = async (): Promise<string[]> => {
      const { rows } = await database.query<{ statement: string }>(
        `SELECT pid || ' ' || query_start AS statement FROM pg_stat_activity
          WHERE application_name = 'worker' AND wait_event_type = 'Lock'`,
      );
      return rows.map(({ statement }) => statement);
    };
    await whileLocked(table, async () => {
      // Twice: it has met the lock, given up, and met it again.
      for (let time = 0; time < 2; time += 1) {
        let met: string | undefined;
        await until(async () => (met = (await waiting())[0]) !== undefined);
        await until(async () => !(await waiting()).includes(met ?? ''));
      }
    });
    const statusOf = async (): Promise<unknown> =>
      ((await tpp.get(`/file-payments/${filePaymentId}`)).json()['Data'] as Record<string, unknown>)['Status'];
    await expectEventually(statusOf, 'InitiationCompleted');
    const { rows } = await database.query(
      'SELECT faults, last_fault, held_at FROM payment_orders WHERE payment_order_id = $1',
      [filePaymentId],
    );
    expect(rows).toEqual([{ faults: 0, last_fault: null, held_at: null }]);
    expect(await count('payments', 'payment_order_id = $1 AND handed_over_at IS NOT NULL', [filePaymentId])).toBe(25);
  });
});
