import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTpp, TestTpp } from '../../support/a-tpp.js';
import type { ApiVersion } from '../../support/a-payment-file.js';
import { expectInteractionId, until } from '../../support/expectations.js';
import type { TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox({});
});

afterAll(() => sandbox?.stop());

/** Sends a request whose token has been checked when its client is suspended. */
async function suspendDuring(tpp: TestTpp, send: () => Promise<TestResponse>): Promise<TestResponse> {
  const holder = await sandbox.database.connect();
  try {
    // The guard reads the client before the statement that claims the key is planned.
    await holder.query('BEGIN; LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE');
    const answer = send();
    const waiting = `SELECT FROM pg_locks WHERE relation = 'idempotency_keys'::regclass AND NOT granted`;
    await until(async () => ((await sandbox.database.query(waiting)).rowCount ?? 0) > 0);
    await sandbox.database.query(`UPDATE clients SET status = 'Suspended' WHERE client_id = $1`, [tpp.clientId]);
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
  const sql = `SELECT count(*)::int AS count FROM ${table} WHERE consent_id = $1`;
  const { rows } = await sandbox.database.query<{ count: number }>(sql, [consentId]);
  return rows[0]?.count ?? -1;
}

describe.each<ApiVersion>(['3.1', '4.0'])(
  'a client of %s that is suspended while its request is answered',
  (version) => {
    let tpp: TestTpp;

    beforeAll(async () => {
      tpp = new TestTpp({ ...(await aTpp(sandbox)), version });
    });

    afterAll(async () => tpp?.close());

    const activate = (): Promise<unknown> =>
      sandbox.database.query(`UPDATE clients SET status = 'Active' WHERE client_id = $1`, [tpp.clientId]);

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
