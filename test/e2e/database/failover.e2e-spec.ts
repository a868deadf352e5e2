import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Config } from '#libs/config';
import { runMigrations } from '#libs/typeorm';
import { requestToken } from '../../support/apps/tpp.js';
import { aConsentRequest, aPaymentRequest } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import type { TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { postgresPrograms, PostgresPair } from './debian-postgres.js';

const programs = postgresPrograms();
if (programs === undefined)
  process.stderr.write('The fail-over tests are skipped: PostgreSQL of Debian is not installed.\n');

/** Requests under way at a time. */
const clients = 6;
/** From when the new primary takes writes: how long PostgreSQL itself needs for that is not the service's. */
const recoveryMilliseconds = 15_000;

(programs === undefined ? describe.skip : describe)('a primary that dies under load', () => {
  let pair: PostgresPair;
  let sandbox: TestSandbox;
  let tpp: TestTpp;

  beforeAll(async () => {
    pair = await PostgresPair.start(programs ?? '');
    await runMigrations(pair.url);
    const onPair = (config: Config): Config =>
      new Config({ ...config, database: { ...config.database, url: pair.url, poolSize: 4 } });
    sandbox = await startTestSandbox({
      configure: onPair,
      environment: { LOG_LEVEL: 'fatal', AUTHORIZATION_CODE_SECONDS: '600' },
    });
    tpp = await aTpp(sandbox);
  });

  afterAll(async () => {
    tpp?.close();
    await sandbox?.stop();
    await pair?.remove();
  });

  it('loses nothing acknowledged, and the service continues once the standby is promoted', async () => {
    const before = await tpp.authorise(aPaymentFile({ payments: 2 }));
    const approved = await Promise.all(Array.from({ length: clients }, () => tpp.authorise()));
    const acknowledged: { consentId: string; at: number }[] = [];
    const uploaded: string[] = [];
    const unexpected: number[] = [];
    const loading = new AbortController();
    /** What was not acknowledged is asked for again under the same key. */
    const send = async (path: string, body: string | Buffer, wanted: number): Promise<TestResponse | undefined> => {
      const headers = { 'x-idempotency-key': randomUUID() };
      while (!loading.signal.aborted) {
        const response = await tpp.post(path, body, { headers }).catch(() => undefined);
        if (response?.status === wanted) return response;
        if (response && response.status !== 503) unexpected.push(response.status);
        await sleep(50);
      }
      return undefined;
    };
    /** Stages one consent after the other, with its file. */
    const load = async (): Promise<void> => {
      while (!loading.signal.aborted) {
        const file = aPaymentFile();
        const staged = await send('/file-payment-consents', aConsentRequest({ file }), 201);
        if (staged === undefined) return;
        const { ConsentId } = staged.json()['Data'] as { ConsentId: string };
        acknowledged.push({ consentId: ConsentId, at: performance.now() });
        const isStored = await send(`/file-payment-consents/${ConsentId}/file`, file.body, 200);
        if (isStored !== undefined) uploaded.push(ConsentId);
      }
    };
    const underWay = Promise.all(Array.from({ length: clients }, load));
    await until(() => acknowledged.length >= 20);

    // Some before the end of the primary, some at it, some afterwards.
    const paid = approved.map(async ({ consentId, initiation }, index) => {
      await sleep(20 * index);
      return send('/file-payments', aPaymentRequest(consentId, initiation), 201);
    });
    await sleep(10 * clients);
    await pair.killPrimary();
    const killedAt = performance.now();
    await sleep(1_000); // somebody, or something, notices
    await pair.promote();
    const promotedAt = performance.now();
    const isAfter = ({ at }: { at: number }): boolean => at > killedAt + 1_000;
    while (performance.now() < promotedAt + 2 * recoveryMilliseconds && !acknowledged.some(isAfter)) await sleep(20);
    const firstAfter = acknowledged.find(isAfter)?.at ?? Number.POSITIVE_INFINITY;
    await Promise.all([sleep(1_000), ...paid]);
    loading.abort();
    await underWay;

    expect(unexpected).toEqual([]);
    expect(firstAfter - promotedAt).toBeLessThan(recoveryMilliseconds);
    const consentsOf = async (table: string): Promise<string[]> => {
      const sql = `SELECT consent_id FROM ${table}`;
      const rows = await pair.query<{ consent_id: string }>('standby', sql, 'open_banking');
      return rows.map(({ consent_id: consentId }) => consentId);
    };
    const [stored, files] = [new Set(await consentsOf('payment_consents')), new Set(await consentsOf('payment_files'))];
    expect(acknowledged.filter(({ consentId }) => !stored.has(consentId))).toEqual([]);
    expect(uploaded.filter((consentId) => !files.has(consentId))).toEqual([]);
    const toPay = approved.map(({ consentId }) => consentId).toSorted();
    expect((await consentsOf('payment_orders')).toSorted()).toEqual(toPay);
    process.stderr.write(
      `fail-over: ${acknowledged.length} consents acknowledged, the first ${Math.round(firstAfter - promotedAt)} ms after the promotion\n`,
    );

    // Every process has found the new primary: the authorisation begun before goes on, and payments are made.
    const accessToken = await tpp.exchangeCode(before).catch(() => tpp.exchangeCode(before));
    expect((await tpp.pay(before, { accessToken })).status).toBe(201);
    const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
    expect((await requestToken({ ...tpp, grant })).access_token).not.toBe('');
    const after = await tpp.authorise(aPaymentFile({ payments: 2 }));
    expect((await tpp.pay(after)).status).toBe(201);
  });
});
