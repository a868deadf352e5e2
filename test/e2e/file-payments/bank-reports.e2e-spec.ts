import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPair, importPKCS8, SignJWT, type CryptoKey } from 'jose';
import { stringify } from 'lossless-json';
import { createOperatorApp } from '../../support/apps/operator-app.js';
import { PaymentOperations } from '../../support/apps/operator.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { TestTpp } from '../../support/a-tpp.js';
import { expectEventually, until, expectObError } from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { dataOf, consents, type GetWorld } from './world.js';
import { runUnguarded } from '../../support/unguarded.js';
import { useWorld } from './use-world.js';

const inAYear = (): string => new Date(Date.now() + 300 * 86_400_000).toISOString();

/** Files whose payments the bank has but has not ended, and the service's answers about them. */
function pendingFiles(world: GetWorld) {
  /**
   * Payments whose scheme takes days, so that only a report can end them; the bank's clock holds back its own reports.
   */
  const aPendingFile = async (count = 1): Promise<{ path: string; ids: string[] }> => {
    const { tpp, sandbox } = world();
    const file = aPaymentFile({ payments: count, item: () => ({ RequestedExecutionDateTime: inAYear() }) });
    const id = String(dataOf(await tpp.pay(await tpp.authorise(file)))['FilePaymentId']);
    await until(async () => dataOf(await tpp.get(`/file-payments/${id}`))['Status'] !== 'InitiationPending');
    // The bank is not asked about them while the test looks.
    await sandbox.database.query(
      "UPDATE payments SET next_attempt_at = now() + interval '1 hour' WHERE payment_order_id = $1",
      [id],
    );
    return {
      path: `/file-payments/${id}`,
      ids: (await statesOf(`/file-payments/${id}`)).map(([paymentId]) => paymentId),
    };
  };
  const statesOf = async (payment: string): Promise<[string, string][]> => {
    const { PaymentStatus } = dataOf(await world().tpp.get(`${payment}/payment-details`));
    return (PaymentStatus as { PaymentTransactionId: string; Status: string }[]).map((state) => [
      state.PaymentTransactionId,
      state.Status,
    ]);
  };

  /** What the report file says about each payment besides its state. */
  const detailsOf = async (payment: string): Promise<string> => {
    const { DomesticPayments } = dataOf(await world().tpp.get(`${payment}/report-file`));
    return (DomesticPayments as { StatusDetail?: { Status: string } }[])
      .map(({ StatusDetail }) => StatusDetail?.Status ?? 'none')
      .join();
  };

  /** Payments that should have been settled by now, and about which the bank knows nothing new. */
  const anOverdueFile = async (count = 1) => {
    const { database } = world().sandbox;
    const pending = await aPendingFile(count);
    const filePaymentId = String(pending.path.split('/').at(-1));
    await database.query('UPDATE payment_orders SET settle_by = now() WHERE payment_order_id = $1', [filePaymentId]);
    await database.query('UPDATE payments SET next_attempt_at = now() WHERE payment_order_id = $1', [filePaymentId]);
    await expectEventually(() => detailsOf(pending.path), Array(count).fill('SettlementOverdue').join());
    return { ...pending, filePaymentId };
  };

  return { aPendingFile, anOverdueFile, statesOf, detailsOf };
}

const world = useWorld();

const path = '/bank/v1/payment-outcomes';
const waiting = 'AcceptedSettlementInProcess';
const settled = 'AcceptedSettlementCompleted';

interface Differences {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: CryptoKey;
}

const send = (body: string, contentType = 'application/jwt'): Promise<TestResponse> => {
  const { config, agent } = world().sandbox;
  return httpsRequest({
    url: `${config.baseUrl}${path}`,
    method: 'POST',
    body,
    headers: { 'content-type': contentType },
    agent,
  });
};

const { aPendingFile, anOverdueFile, statesOf, detailsOf } = pendingFiles(world);

/** Reports of the bank's hub on payments: who may send one, that it counts once, and what it may change. */
describe(`POST ${path}`, () => {
  let key: CryptoKey;
  let kid: string;

  beforeAll(async () => {
    const folder = join(world().sandbox.directory, 'bank');
    key = await importPKCS8(await readFile(join(folder, 'hub-private-key.pem'), 'utf8'), 'ES256');
    const { keys } = JSON.parse(await readFile(join(folder, 'hub-keys.json'), 'utf8')) as { keys: [{ kid: string }] };
    kid = keys[0].kid;
  });

  const aReport = (payments: unknown, { header, claims, key: other }: Differences = {}): Promise<string> => {
    const { config } = world().sandbox;
    const iat = Math.floor(Date.now() / 1_000);
    const own = {
      iss: config.bank.url,
      aud: `${config.baseUrl}${path}`,
      iat,
      exp: iat + 60,
      jti: randomUUID(),
      payments,
    };
    return new SignJWT({ ...own, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'payment-outcomes+jwt', ...header })
      .sign(other ?? key);
  };

  it('F4-055 records the outcome of payments in the bank’s words, for report file and payment-details', async () => {
    const { tpp } = world();
    const { path: payment, ids } = await aPendingFile(3);
    const [first = '', second = '', third = ''] = ids;
    const statusDetail = { status: 'AC04', reason: 'AC04', description: 'The account is closed.' };
    const response = await send(
      await aReport([
        { paymentId: first, status: settled },
        { paymentId: second, status: 'Rejected', statusDetail },
        { paymentId: third, status: waiting },
        { paymentId: 'somebody-elses', status: settled },
      ]),
    );
    expect(response.status).toBe(200);
    expect(response.json()).toEqual({ noted: 3, unknown: ['somebody-elses'], conflicting: [] });
    expect((await statesOf(payment)).map(([, status]) => status)).toEqual([settled, 'Rejected', waiting]);
    const { DomesticPayments } = dataOf(await tpp.get(`${payment}/report-file`));
    expect((DomesticPayments as unknown[])[1]).toMatchObject({
      Status: 'Rejected',
      StatusDetail: {
        Status: 'AC04',
        StatusReason: 'Proprietary',
        StatusReasonDescription: 'The account is closed.',
      },
    });
    const in40 = new TestTpp({ ...tpp, version: '4.0' });
    const { PaymentStatus } = dataOf(await in40.get(`${payment}/payment-details`));
    expect((PaymentStatus as unknown[])[1]).toMatchObject({
      Status: 'RJCT',
      StatusDetail: { Status: 'RJCT', StatusReason: 'AC04', StatusReasonDescription: 'The account is closed.' },
    });
  });

  it('DP-094 only adds to an outcome that the creditor has the money, and never goes back to Pending', async () => {
    const { path: payment, ids } = await aPendingFile();
    const credited = 'AcceptedCreditSettlementCompleted';
    const steps = [waiting, 'Pending', settled, waiting, 'Rejected', credited, settled, 'Rejected'];
    const seen: string[] = [];
    for (const status of steps) {
      expect((await send(await aReport([{ paymentId: ids[0], status }]))).status).toBe(200);
      seen.push((await statesOf(payment))[0]?.[1] ?? '');
    }
    expect(seen).toEqual([waiting, waiting, settled, settled, settled, credited, credited, credited]);
  });

  it('names payments that ended otherwise, and leaves them as they are', async () => {
    const { path: payment, ids } = await aPendingFile(3);
    const states = (statuses: string[]) => ids.map((paymentId, index) => ({ paymentId, status: statuses[index] }));
    await send(await aReport(states([settled, 'Rejected', 'AcceptedWithoutPosting'])));
    const other = states(['Rejected', settled, 'AcceptedCreditSettlementCompleted']);
    expect((await send(await aReport(other))).json()).toEqual({
      noted: 0,
      unknown: [],
      conflicting: [ids[0], ids[1]],
    });
    // What is only late is no contradiction.
    expect((await send(await aReport(states([waiting, waiting, 'Pending'])))).json()).toMatchObject({
      conflicting: [],
    });
    const after = (await statesOf(payment)).map(([, status]) => status);
    expect(after).toEqual([settled, 'Rejected', 'AcceptedWithoutPosting']);
  });

  it('FP-116 leaves the file payment InitiationCompleted, whatever is reported on its payments', async () => {
    const { tpp } = world();
    const { path: payment, ids } = await aPendingFile(2);
    const before = (await tpp.get(payment)).text;
    for (const status of ['Rejected', settled, 'Pending']) {
      await send(await aReport(ids.map((paymentId) => ({ paymentId, status }))));
      expect((await tpp.get(payment)).text).toBe(before);
    }
  });

  it('ends what is held because its settlement is overdue; report file and event say that it is', async () => {
    const { sandbox } = world();
    const { path: payment, ids, filePaymentId } = await anOverdueFile();
    expect((await statesOf(payment))[0]?.[1]).toBe('Pending');
    const { rows } = await sandbox.database.query(
      "SELECT status FROM domain_events WHERE resource_id = $1 AND event_type = 'file-payment.held'",
      [filePaymentId],
    );
    expect(rows).toEqual([{ status: 'InitiationCompleted' }]);
    expect((await send(await aReport([{ paymentId: ids[0], status: settled }]))).json()).toMatchObject({ noted: 1 });
    expect(await statesOf(payment)).toEqual([[ids[0], settled]]);
    expect(await detailsOf(payment)).toBe('none');
  });

  it('counts once: a repeated report is answered and changes nothing', async () => {
    const { sandbox } = world();
    const { path: payment, ids } = await aPendingFile();
    const report = await aReport([{ paymentId: ids[0], status: waiting }]);
    expect((await send(report)).json()).toEqual({ noted: 1, unknown: [], conflicting: [] });
    await runUnguarded(sandbox.database, "UPDATE payments SET status = 'Pending' WHERE payment_id = $1", [ids[0]]);
    const again = await Promise.all(Array.from({ length: 10 }, () => send(report)));
    for (const response of again) expect(response.json()).toEqual({ noted: 0, unknown: [], conflicting: [] });
    expect((await statesOf(payment))[0]?.[1]).toBe('Pending');
  });

  it('touches no payment of a file whose money the bank has not reserved', async () => {
    const { tpp } = world();
    const consent = await tpp.authorise(aPaymentFile(), { customer: 'bob', accountName: 'Brown & Clark Traders' });
    const payment = `/file-payments/${String(dataOf(await tpp.pay(consent))['FilePaymentId'])}`;
    const [[paymentId] = ['']] = await statesOf(payment);
    expect((await send(await aReport([{ paymentId, status: settled }]))).json()).toEqual({
      noted: 0,
      unknown: [],
      conflicting: [paymentId],
    });
    expect((await statesOf(payment))[0]?.[1]).toBe('Pending');
  });

  it("refuses another signer's token, a changed one, and what is not a token", async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const forged = await aReport([{ paymentId: 'x', status: settled }], { key: privateKey });
    const [header = '', , signature = ''] = (await aReport([{ paymentId: 'x', status: settled }])).split('.');
    const changed = [header, Buffer.from('{"payments":[]}').toString('base64url'), signature].join('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`;
    const unknown = await aReport([{ paymentId: 'x', status: settled }], { header: { kid: 'nobody' } });
    for (const token of [forged, changed, unsigned, unknown, '', 'abc', 'a.b.c', '{}', 'é'.repeat(100)]) {
      const { status, text } = await send(token);
      expect([status, text]).toEqual([401, '']);
    }
    expect((await send(forged, 'application/json')).status).toBe(415);
  });

  it.each([
    ['no payments', undefined, 'payments'],
    ['an empty list', [], 'payments'],
    [
      '201 payments',
      Array.from({ length: 201 }, (_, index) => ({ paymentId: `p${index}`, status: settled })),
      'payments',
    ],
    [
      'a payment twice',
      [
        { paymentId: 'x', status: settled },
        { paymentId: 'x', status: waiting },
      ],
      'payments',
    ],
    ['an unknown status', [{ paymentId: 'x', status: 'Lost' }], 'payments[0]'],
    ['no paymentId', [{ status: settled }], 'payments[0]'],
    ['null', [null], 'payments[0]'],
    ['a detail without status', [{ paymentId: 'x', status: settled, statusDetail: {} }], 'payments[0]'],
  ])('names the fault of %s', async (_title, payments, faulty) => {
    const response = await send(await aReport(payments));
    expect(response.status).toBe(400);
    expect(response.json()).toMatchObject({ Errors: [{ ErrorCode: 'UK.OBIE.Field.Invalid', Path: faulty }] });
  });

  it('is used by the sandbox’s bank: a payment held for checks is settled without being asked for', async () => {
    const { tpp, sandbox } = world();
    const file = aPaymentFile({ item: () => ({ InstructedAmount: { Amount: '1.98', Currency: 'GBP' } }) });
    const payment = `/file-payments/${String(dataOf(await tpp.pay(await tpp.authorise(file)))['FilePaymentId'])}`;
    await until(async () => {
      await sandbox.database.query(
        "UPDATE payments SET next_attempt_at = now() + interval '1 hour' WHERE status = 'Pending'",
      );
      return (await statesOf(payment)).every(([, status]) => status !== 'Pending');
    });
    const { rows } = await sandbox.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM used_jwt_ids WHERE purpose = 'bank-callback'",
    );
    expect((await statesOf(payment)).map(([, status]) => status)).toEqual(
      Array(2).fill('AcceptedCreditSettlementCompleted'),
    );
    expect(rows[0]?.count).toBeGreaterThan(0);
  });
});

/** What an operator can do about payments whose settlement never arrived. */
describe('a settlement that is overdue', () => {
  it('can be resolved: an operator has the bank asked again, or records how a payment ended', async () => {
    const { sandbox } = world();
    const { path: payment, ids, filePaymentId } = await anOverdueFile(2);
    const operator = await createOperatorApp(sandbox.config);
    try {
      const payments = operator.get(PaymentOperations);
      const mandate = { actor: 'olivia', reason: 'the scheme said so' };
      const held = (await payments.findHeld()).find((file) => file.filePaymentId === filePaymentId);
      expect(held).toMatchObject({ status: 'InitiationCompleted', handedOver: 2, waiting: [], unsettled: ids });
      await expect(payments.reject(filePaymentId, mandate)).rejects.toThrow(/before its payments were handed/);
      await payments.conclude(ids[1] ?? '', 'Rejected', mandate);
      await expect(payments.conclude(ids[1] ?? '', settled, mandate)).rejects.toThrow(/no payment/);
      expect((await statesOf(payment)).map(([, status]) => status)).toEqual(['Pending', 'Rejected']);
      await payments.retry(filePaymentId, mandate);
      await expect(payments.retry(filePaymentId, mandate)).rejects.toThrow(/no payment order/);
    } finally {
      await operator.close();
    }
    // The bank is asked, and repeats its answer.
    await expectEventually(() => detailsOf(payment), 'PDNG,none');
    const { rows } = await sandbox.database.query(
      "SELECT action, actor, details->>'reason' AS reason FROM audit_events WHERE details->>'filePaymentId' = $1 ORDER BY occurred_at",
      [filePaymentId],
    );
    const [actor, reason] = ['olivia', 'the scheme said so'];
    expect(rows).toEqual([
      { action: 'payment.conclude', actor, reason },
      { action: 'payment-order.retry', actor, reason },
    ]);
  });
});

const secret = 'Secret Payroll';

const housekeeping = async (...parameters: string[]): Promise<string> => {
  const { databaseUrl } = world().sandbox;
  const program = ['dist/apps/worker/src/housekeeping-command.js', ...parameters];
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl, DATABASE_TLS: 'any' };
  return (await promisify(execFile)(process.execPath, program, { env })).stdout;
};

/** Erasure removes personal data and keeps what was paid. */
describe('npm run housekeeping', () => {
  it('erases a finished file, and keeps totals and states', async () => {
    const { tpp, sandbox } = world();
    const amounts = ['10.50', '10.50', '10.99'];
    const file = aPaymentFile({
      payments: 3,
      item: (index) => ({ InstructedAmount: { Amount: amounts[index], Currency: 'GBP' } }),
    });
    const initiation = {
      DebtorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678', Name: secret },
      RemittanceInformation: { Unstructured: secret },
      SupplementaryData: { note: `${secret}\u0000` },
    };
    const consent = await tpp.authorise(file, { initiation });
    expect(await housekeeping('erase', '--consent', consent.consentId)).toMatch(/^Erased: 0 /);
    const path = `/file-payments/${String(dataOf(await tpp.pay(consent))['FilePaymentId'])}`;
    await until(async () => dataOf(await tpp.get(path))['Status'] !== 'InitiationPending');
    const details = await tpp.get(`${path}/payment-details`);
    expect(await housekeeping('retain', '--days', '1')).toBe('Erased: 0\n');
    expect(await housekeeping('erase', '--consent', consent.consentId)).toBe('Erased: 1\n');

    const { rows } = await sandbox.database.query(
      'SELECT length(content) AS length FROM payment_files WHERE consent_id = $1',
      [consent.consentId],
    );
    expect(rows).toEqual([{ length: 0 }]);
    expectObError(await tpp.get(`${consents}/${consent.consentId}/file`), 400, 'Resource.NotFound', 'ConsentId');
    const read = dataOf(await tpp.get(`${consents}/${consent.consentId}`));
    const {
      DebtorAccount: _account,
      RemittanceInformation: _text,
      SupplementaryData: _data,
      ...kept
    } = consent.initiation;
    expect(read['Initiation']).toEqual(JSON.parse(stringify(kept) ?? ''));
    const remaining = await tpp.get(`${path}/payment-details`);
    expect(details.text).toContain("The creditor's account is closed.");
    expect(remaining.text).toBe(
      details.text.replace(`,"StatusReasonDescription":"The creditor's account is closed."`, ''),
    );
    const everything = await sandbox.database.query(
      `SELECT consent::text || file::text || list::text AS text FROM payment_consents AS consent
         JOIN payment_files AS file USING (consent_id) JOIN instruction_lists AS list USING (consent_id) WHERE consent_id = $1`,
      [consent.consentId],
    );
    expect(String(everything.rows[0]?.['text'])).not.toMatch(/Secret|20000112345678/);
    // Not checked against the type of the report: the payments of the file are gone.
    const report = dataOf(await new TestTpp(tpp).get(`${path}/report-file`));
    expect(report).toMatchObject({ NumberOfTransactions: '3', ControlSum: 31.99, Status: 'InitiationCompleted' });
    const states = dataOf(remaining)['PaymentStatus'] as { PaymentTransactionId: string; Status: string }[];
    expect(report['DomesticPayments']).toEqual(
      states.map(({ PaymentTransactionId, ...state }) => ({ PaymentId: PaymentTransactionId, ...state })),
    );
  });

  it('erases the data of a rejected consent without a file, and does not touch an open one', async () => {
    const { tpp, sandbox } = world();
    const initiation = { RemittanceInformation: { Unstructured: secret } };
    const [living, rejected] = [
      await tpp.stageConsent(undefined, initiation),
      await tpp.stageConsent(undefined, initiation),
    ];
    await sandbox.database.query("UPDATE payment_consents SET status = 'Rejected' WHERE consent_id = $1", [rejected]);
    expect(await housekeeping('erase', '--consent', living)).toMatch(/^Erased: 0 /);
    await sandbox.database.query(
      "UPDATE payment_consents SET status_updated_at = now() - interval '9 days' WHERE consent_id = ANY($1)",
      [[living, rejected]],
    );
    expect(await housekeeping('retain', '--days', '8')).toBe('Erased: 1\n');
    const texts = await Promise.all([living, rejected].map((id) => tpp.get(`${consents}/${id}`)));
    expect(texts.map(({ text }) => text.includes(secret))).toEqual([true, false]);
  });

  it('says how it is used', async () => {
    await expect(housekeeping('erase')).rejects.toThrow(/Usage: npm run housekeeping/);
  });
});
