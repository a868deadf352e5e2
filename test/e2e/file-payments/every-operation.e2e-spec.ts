import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { requestToken } from '../../../apps/tpp/src/oauth/request-token.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { expectBodiless, expectErrorShape, expectInteractionId, expectObError } from '../../support/expectations.js';
import { openConnections, type TestResponse } from '../../support/https-request.js';
import type { Differences } from '../../support/a-tpp.js';
import { consents, dataOf, unknownId } from './world.js';
import { useWorld } from './use-world.js';

const world = useWorld();

const consent = `${consents}/${unknownId}`;
const payment = `/file-payments/${unknownId}`;

/** All eight, on something that does not exist. */
const operations: ['GET' | 'POST', string, string][] = [
  ['POST', consents, 'Field.Missing'],
  ['GET', consent, 'Resource.NotFound'],
  ['POST', `${consent}/file`, 'Resource.NotFound'],
  ['GET', `${consent}/file`, 'Resource.NotFound'],
  ['POST', '/file-payments', 'Field.Missing'],
  ['GET', payment, 'Resource.NotFound'],
  ['GET', `${payment}/report-file`, 'Resource.NotFound'],
  ['GET', `${payment}/payment-details`, 'Resource.NotFound'],
];

const idsOf = (list: unknown, name: string) => (list as Record<string, string>[]).map((each) => each[name]);

const call = (method: string, path: string, differences: Differences = {}): Promise<TestResponse> =>
  method === 'POST' ? world().tpp.post(path, '{}', differences) : world().tpp.get(path, differences);

/** A token of the client with other scopes than payments. */
const aTokenForAccounts = async (): Promise<string> => {
  const { client, provider, credentials, clientId } = world().tpp;
  const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
  const { access_token: accessToken } = await requestToken({ client, provider, credentials, clientId, grant });
  const hash = createHash('sha256').update(accessToken).digest();
  await world().sandbox.database.query("UPDATE access_tokens SET scope = '{accounts}' WHERE token_hash = $1", [hash]);
  return accessToken;
};

/** What holds of each operation. The bodies are held against the standard's types by the TPP itself. */
describe('every operation', () => {
  it.each(operations)(
    'FP-168, FP-170, FP-173 answers %s %s with the errors of the standard',
    async (method, path, code) => {
      const accessToken = await aTokenForAccounts();
      const refusals = [
        await call(method, path),
        await call(method, path, { accessToken }),
        await call(method, path, { headers: { authorization: undefined } }),
        await call(method, path, { headers: { accept: 'text/xml' } }),
        await call(method, path, { method: 'PUT' }),
        await call(method, `${path}/nowhere/at/all`),
      ];
      const [bad, forbidden, unauthorised, notAcceptable, notAllowed, notFound] = refusals as [
        TestResponse,
        TestResponse,
        TestResponse,
        TestResponse,
        TestResponse,
        TestResponse,
      ];
      expectObError(bad, 400, code);
      expectObError(forbidden, 403, /^UK\.SandboxBank\.Token\.InsufficientScope$/);
      for (const response of [bad, forbidden]) {
        expectErrorShape(response.json());
        expect(response.headers).toHaveProperty('x-jws-signature');
      }
      expectBodiless(unauthorised, 401);
      expect(unauthorised.headers['www-authenticate']).toBe('Bearer realm="open-banking"');
      expectBodiless(notAcceptable, 406);
      expectBodiless(notAllowed, 405);
      expect(notAllowed.headers.allow).toContain(method);
      expectBodiless(notFound, 404);
      if (method === 'POST') expectBodiless(await call(method, path, { headers: { 'content-type': 'text/xml' } }), 415);
      for (const response of refusals) expectInteractionId(response);
    },
  );

  it('FP-122, FP-173, FP-177, FP-179 shows what was made, each in its type and signed', async () => {
    const { tpp } = world();
    const authorised = await tpp.authorise(aPaymentFile({ payments: 3 }));
    const id = String(dataOf(await tpp.pay(authorised))['FilePaymentId']);
    const own = `${consents}/${authorised.consentId}`;
    const reads = [
      own,
      `${own}/file`,
      ...['', '/report-file', '/payment-details'].map((end) => `/file-payments/${id}${end}`),
    ];
    for (const path of reads) {
      const response = await tpp.get(path);
      expect(response.status).toBe(200);
      expect(response.headers).toHaveProperty('x-jws-signature');
      expect(response.headers['content-type']).toMatch(/^application\/json/);
    }
    const { PaymentStatus } = dataOf(await tpp.get(`/file-payments/${id}/payment-details`));
    const { DomesticPayments } = dataOf(await tpp.get(`/file-payments/${id}/report-file`));
    expect(idsOf(PaymentStatus, 'PaymentTransactionId')).toEqual(idsOf(DomesticPayments, 'PaymentId'));
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

  it('FP-173 reveals nothing of an internal fault: 500, UnexpectedError and an Id', async () => {
    const { tpp, sandbox } = world();
    const consentId = await tpp.stageFile();
    await sandbox.database.query("UPDATE payment_files SET content = 'rubbish' WHERE consent_id = $1", [consentId]);
    const response = await tpp.get(`${consents}/${consentId}/file`);
    expectObError(response, 500, 'UnexpectedError');
    expectErrorShape(response.json());
    expect(response.json()).toMatchObject({ Id: expect.stringMatching(/^\S{1,40}$/) });
    expect(response.text).not.toMatch(/rubbish|JSON|payment_files|at /);
  });
});
