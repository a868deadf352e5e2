import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Clock } from '#libs/config';
import { ConsentService, filePaymentKind, type Initiation, readFileTerms } from '#libs/consent';
import { claimIdempotencyKeys, IdempotencyStore } from '#libs/idempotency';
import { Database, openPool } from '#libs/persistence';
import { aConsentRequest, anInitiation, aPaymentRequest, decimal, toJson } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { expectObError, until } from '../../support/expectations.js';
import { openConnections } from '../../support/https-request.js';
import { consentIdOf, consents, dataOf, inDays, unknownId } from './world.js';
import { useWorld } from './use-world.js';

const world = useWorld();

const idsInDetails = async (path: string): Promise<string[]> => {
  const details = dataOf(await world().tpp.get(`${path}/payment-details`));
  const items = details['PaymentStatus'] as { PaymentTransactionId: string }[];
  return items.map(({ PaymentTransactionId }) => PaymentTransactionId);
};
const finalStatus = async (filePaymentId: string): Promise<string> => {
  let status = 'InitiationPending';
  await until(async () => {
    status = String(dataOf(await world().tpp.get(`/file-payments/${filePaymentId}`))['Status']);
    return status !== 'InitiationPending';
  });
  return status;
};

/** @returns the states in the report file, which must agree with the file's totals and with payment-details */
const statesIn = async (filePaymentId: string, total: { count: string; sum: number }): Promise<string[]> => {
  const path = `/file-payments/${filePaymentId}`;
  const report = dataOf(await world().tpp.get(`${path}/report-file`));
  expect(report).toMatchObject({ NumberOfTransactions: total.count, ControlSum: total.sum });
  const payments = report['DomesticPayments'] as Record<string, unknown>[];
  const { PaymentStatus } = dataOf(await world().tpp.get(`${path}/payment-details`));
  expect(PaymentStatus).toEqual(
    payments.map(({ PaymentId, Status, StatusUpdateDateTime, StatusDetail }) => ({
      PaymentTransactionId: PaymentId,
      Status,
      StatusUpdateDateTime,
      ...(StatusDetail === undefined ? {} : { StatusDetail }),
    })),
  );
  return payments.map(({ Status }) => String(Status));
};

/** FP-095 to FP-122, FP-185 to FP-189. */
describe('POST /file-payments', () => {
  it('FP-095, FP-096, FP-097, FP-100, FP-105, FP-107, FP-189 makes an approved consent’s payments once', async () => {
    const { tpp } = world();
    const consent = await tpp.authorise(aPaymentFile());
    expect(await tpp.consentStatus(consent.consentId)).toBe('Authorised');
    // A second to tell the creation of the payment from that of the consent.
    await world().sandbox.database.query(
      `UPDATE payment_consents SET created_at = to_timestamp(extract(epoch FROM created_at - 'epoch'::timestamptz)
        - 9) WHERE consent_id = $1`,
      [consent.consentId],
    );
    const { CreationDateTime: consentCreation } = dataOf(await tpp.get(`${consents}/${consent.consentId}`));
    const response = await tpp.pay({ ...consent, initiation: { ...consent.initiation, ControlSum: decimal('21') } });
    expect({ status: response.status, text: response.text }).toMatchObject({ status: 201 });
    const data = dataOf(response);
    expect(data).toMatchObject({ ConsentId: consent.consentId, Status: 'InitiationPending', Charges: [] });
    expect(data['FilePaymentId']).toMatch(/^\S{1,40}$/);
    const sent = JSON.parse(toJson(consent.initiation)) as unknown;
    expect(data['Initiation']).toEqual(sent);
    expect(dataOf(await tpp.get(`${consents}/${consent.consentId}`))['Initiation']).toEqual(sent);
    expect(data).not.toHaveProperty('MultiAuthorisation');
    expect(Date.parse(String(data['CreationDateTime']))).toBeGreaterThan(Date.parse(String(consentCreation)));
    const self = tpp.url(`/file-payments/${String(data['FilePaymentId'])}`);
    expect(response.json()).toMatchObject({ Links: { Self: self }, Meta: {} });
    expect(await tpp.consentStatus(consent.consentId)).toBe('Consumed');
    expectObError(await tpp.pay(consent), 400, 'Resource.InvalidConsentStatus', 'Data.Status');
  });

  it('FP-097, FP-172 takes the token of the approval, which does not read the payment', async () => {
    const { tpp } = world();
    const consent = await tpp.authorise();
    const accessToken = await tpp.exchangeCode(consent);
    const paid = await tpp.pay(consent, { accessToken });
    expect(paid.status).toBe(201);
    const path = `/file-payments/${String(dataOf(paid)['FilePaymentId'])}`;
    for (const end of ['', '/report-file', '/payment-details']) {
      expectObError(await tpp.get(`${path}${end}`, { accessToken }), 403, /^UK\.SandboxBank\./);
    }
  });

  it('FP-108 makes one payment for 22 simultaneous keys', async () => {
    const { tpp } = world();
    const consent = await tpp.authorise();
    const responses = await Promise.all(Array.from({ length: 22 }, () => tpp.pay(consent)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectObError(response, 400, 'Resource.InvalidConsentStatus', 'Data.Status');
    }
    const { rows } = await world().sandbox.database.query(
      'SELECT count(*)::int AS count FROM payment_orders WHERE consent_id = $1',
      [consent.consentId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('FP-109 says that an account with two approvers waits for the second', async () => {
    const { tpp } = world();
    const consent = await tpp.authorise(aPaymentFile(), { customer: 'bob', accountName: 'Brown & Clark Traders' });
    const response = await tpp.pay(consent);
    expect(response.status).toBe(201);
    expect(dataOf(response)).toMatchObject({
      Status: 'InitiationPending',
      MultiAuthorisation: { Status: 'AwaitingFurtherAuthorisation', NumberRequired: 2, NumberReceived: 1 },
    });
    // Without a deadline of the TPP the bank's own counts, a week.
    const { CreationDateTime, MultiAuthorisation } = dataOf(response);
    const { ExpirationDateTime, LastUpdateDateTime } = MultiAuthorisation as Record<string, string>;
    expect(LastUpdateDateTime).toBe(CreationDateTime);
    expect(Date.parse(ExpirationDateTime ?? '') - Date.parse(String(CreationDateTime))).toBe(7 * 86_400_000);
  });

  it('FP-109 says that the TPP’s own deadline ends the waiting, if it is earlier', async () => {
    const { tpp } = world();
    const [file, deadline] = [aPaymentFile(), inDays(2)];
    const Authorisation = { AuthorisationType: 'Any', CompletionDateTime: deadline };
    const consentId = consentIdOf(await tpp.post(consents, aConsentRequest({ file, data: { Authorisation } })));
    await tpp.upload(consentId, file);
    const request = await tpp.createAuthorizationRequest(consentId);
    await tpp.approveInPages(request, 'bob', 'Brown & Clark Traders');
    const paid = await tpp.pay({ consentId, initiation: anInitiation(file) });
    const read = await tpp.get(`/file-payments/${String(dataOf(paid)['FilePaymentId'])}`);
    for (const answer of [paid, read]) {
      expect(dataOf(answer)['MultiAuthorisation']).toMatchObject({ ExpirationDateTime: deadline });
    }
  });
});

describe('GET /file-payments/{FilePaymentId} and its report file', () => {
  it('FP-115, FP-116, FP-118, FP-120, FP-087 follows the payments to the end', async () => {
    const { tpp } = world();
    const file = aPaymentFile({ payments: 12 });
    const consent = await tpp.authorise(file);
    const filePaymentId = String(dataOf(await tpp.pay(consent))['FilePaymentId']);
    const path = `/file-payments/${filePaymentId}`;
    const early = await tpp.get(`${path}/report-file`);
    expect(early.status).toBe(200);
    expect(dataOf(early)['DomesticPayments']).toHaveLength(12);
    expect(await finalStatus(filePaymentId)).toBe('InitiationCompleted');
    const response = await tpp.get(path);
    expect(dataOf(response)).toMatchObject({ FilePaymentId: filePaymentId, Status: 'InitiationCompleted' });
    const report = dataOf(await tpp.get(`${path}/report-file`));
    expect(report).toMatchObject({ Status: 'InitiationCompleted', NumberOfTransactions: '12', ControlSum: 126 });
    const payments = report['DomesticPayments'] as { PaymentId: string; Status: string }[];
    expect(payments.map(({ Status }) => Status)).toEqual(Array(12).fill('AcceptedCreditSettlementCompleted'));
    const stored = (await tpp.get(`${consents}/${consent.consentId}/file`)).json() as {
      File: { Data: { DomesticPayments: { PaymentId: string }[] } };
    };
    const ids = stored.File.Data.DomesticPayments.map(({ PaymentId }) => PaymentId);
    expect(payments.map(({ PaymentId }) => PaymentId)).toEqual(ids);
    expect(await idsInDetails(path)).toEqual(ids);
  });

  it('reports payments that the scheme refused (.99) or has not posted (.97), whatever the file says', async () => {
    const { tpp } = world();
    const amounts = ['1.00', '2.99', '3.97'];
    const file = aPaymentFile({
      payments: 3,
      item: (index) => ({
        InstructedAmount: { Amount: amounts[index], Currency: 'GBP' },
        Status: 'Pending',
        StatusDetail: { Status: 'Said by the TPP' },
        // The report is held against the types of the standard, whatever form the file has.
        CreditorAccount: {
          SchemeName: 'SortCodeAccountNumber',
          Identification: '20000112345678',
          Name: 'A Supplier',
        },
        RequestedExecutionDateTime: inDays(0).replace('+00:00', ''),
        RemittanceInformation: {},
        Purpose: null,
      }),
    });
    const filePaymentId = String(dataOf(await tpp.pay(await tpp.authorise(file)))['FilePaymentId']);
    expect(await finalStatus(filePaymentId)).toBe('InitiationCompleted');
    expect(await statesIn(filePaymentId, { count: '3', sum: 7.96 })).toEqual([
      'AcceptedCreditSettlementCompleted',
      'Rejected',
      'AcceptedWithoutPosting',
    ]);
  });

  it('FP-116, FP-120 fails a file as a whole that the account cannot pay, and rejects all of it', async () => {
    const { tpp } = world();
    const amounts = ['12.00', '0.51', '1.00'];
    const file = aPaymentFile({
      payments: 3,
      item: (index) => ({ InstructedAmount: { Amount: amounts[index], Currency: 'GBP' } }),
    });
    const consent = await tpp.authorise(file, { customer: 'dave', accountName: 'Dixon Current' });
    const filePaymentId = String(dataOf(await tpp.pay(consent))['FilePaymentId']);
    expect(await finalStatus(filePaymentId)).toBe('InitiationFailed');
    expect(await statesIn(filePaymentId, { count: '3', sum: 13.51 })).toEqual(Array(3).fill('Rejected'));
    const { DomesticPayments } = dataOf(await tpp.get(`/file-payments/${filePaymentId}/report-file`));
    for (const payment of DomesticPayments as object[]) {
      expect(payment).toMatchObject({ StatusDetail: { Status: 'InsufficientFunds', StatusReason: 'Proprietary' } });
    }
    // The consent stays Consumed. No second payment is made.
    expect(await tpp.consentStatus(consent.consentId)).toBe('Consumed');
    expectObError(await tpp.pay(consent), 400, 'Resource.InvalidConsentStatus', 'Data.Status');
  });

  it('reads consents of another release with more members than are accepted now', async () => {
    const { tpp, sandbox } = world();
    const file = aPaymentFile();
    const widen = (consentId: string) => {
      const initiation = toJson(anInitiation(file, { SupplementaryData: { numbers: Array(1_001).fill(1) } }));
      const sql = 'UPDATE payment_consents SET initiation = $2 WHERE consent_id = $1';
      return sandbox.database.query(sql, [consentId, initiation]);
    };
    const paid = await tpp.authorise(file);
    const path = `/file-payments/${String(dataOf(await tpp.pay(paid))['FilePaymentId'])}`;
    await widen(paid.consentId);
    for (const address of [path, `${path}/report-file`, `${consents}/${paid.consentId}`]) {
      expect((await tpp.get(address)).status).toBe(200);
    }
    const staged = await tpp.stageConsent(file);
    await widen(staged);
    expect((await tpp.upload(staged, file)).status).toBe(200);
  });
});

const header = 'x-idempotency-key';
const withKey = (key: string | undefined = randomUUID()) => ({ headers: { [header]: key } });

/** @returns the answer without what the bank has done meanwhile: a replay shows the current state */
function answerOf(response: { json: () => Record<string, unknown> }): string {
  const { Status: _status, StatusUpdateDateTime: _at, ...rest } = dataOf(response);
  return JSON.stringify({ ...response.json(), Data: rest });
}

const countOf = async (table: 'payment_orders' | 'payment_consents', column: string, ids: string[]) => {
  const { rows } = await world().sandbox.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = ANY($1)`,
    [ids],
  );
  return rows[0]?.count;
};

/** FP-080, FP-130 to FP-139. */
describe('x-idempotency-key', () => {
  it("FP-133 counts for one TPP, not for the other's request", async () => {
    const { tpp, otherTpp } = world();
    const [body, same] = [aConsentRequest(), withKey()];
    const ids = [await tpp.post(consents, body, same), await otherTpp.post(consents, body, same)].map(consentIdOf);
    expect(new Set(ids).size).toBe(2);
  });

  it('FP-134, FP-135 takes one key for consent, upload and payment, and the payment once', async () => {
    const { tpp } = world();
    const file = aPaymentFile();
    const same = withKey();
    const created = await tpp.post(consents, aConsentRequest({ file }), same);
    const consentId = consentIdOf(created);
    expect((await tpp.upload(consentId, file, same)).status).toBe(200);
    await tpp.approveInPages(await tpp.createAuthorizationRequest(consentId));
    const body = aPaymentRequest(consentId, anInitiation(file));
    const payments = [await tpp.post('/file-payments', body, same), await tpp.post('/file-payments', body, same)];
    expect(payments.map(({ status }) => status)).toEqual([201, 201]);
    const ids = payments.map((response) => String(dataOf(response)['FilePaymentId']));
    expect(new Set(ids).size).toBe(1);
    const changed = aPaymentRequest(consentId, anInitiation(file, { FileReference: 'OTHER' }));
    for (const other of [changed, '{"Data":{}}']) {
      expectObError(await tpp.post('/file-payments', other, same), 400, 'Rules.ResourceAlreadyExists', header);
    }
    // The earlier requests are answered as before, with the current state, and have no further effect.
    expect((await tpp.upload(consentId, file, same)).status).toBe(200);
    const staged = await tpp.post(consents, aConsentRequest({ file }), same);
    expect([staged.status, consentIdOf(staged), dataOf(staged)['Status']]).toEqual([201, consentId, 'Consumed']);
  });

  it('gives 200 twins of a consent request one consent', async () => {
    const { tpp } = world();
    const [body, same] = [aConsentRequest({ initiation: { FileReference: randomUUID() } }), withKey()];
    await openConnections(tpp.agent, world().sandbox.description.base_url, 200);
    const responses = await Promise.all(Array.from({ length: 200 }, () => tpp.post(consents, body, same)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    // Not only the same consent: the same answer.
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const { rows } = await world().sandbox.database.query(
      "SELECT count(*)::int AS count FROM payment_consents WHERE (initiation::jsonb)->>'FileReference' = $1",
      [(JSON.parse(body) as { Data: { Initiation: { FileReference: string } } }).Data.Initiation.FileReference],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('is looked up without a write if a twin has it: 200 twins do not wait for 200 disk writes', async () => {
    const { tpp, sandbox } = world();
    const key = randomUUID();
    expect((await tpp.post(consents, aConsentRequest(), withKey(key))).status).toBe(201);
    const { rows } = await sandbox.database.query<{ client_id: string; operation: string; request_hash: Buffer }>(
      'SELECT client_id, operation, request_hash FROM idempotency_keys WHERE idempotency_key = $1',
      [key],
    );
    const [taken] = rows;
    const connection = await sandbox.database.connect();
    try {
      await connection.query('BEGIN');
      const parameters = [taken?.client_id, taken?.operation, key, taken?.request_hash, unknownId, 86_400, inDays(0)];
      const source = `(SELECT $1::uuid AS client_id, $2::text AS operation, $3::text AS idempotency_key, $4::bytea
        AS request_hash,
        $5::uuid AS resource_id)`;
      const claimed = await connection.query(claimIdempotencyKeys(source, '$6', '$7::timestamptz'), parameters);
      expect(claimed.rows).toEqual([]);
      const written = await connection.query('SELECT pg_current_xact_id_if_assigned() AS id');
      expect(written.rows).toEqual([{ id: null }]);
    } finally {
      connection.release(true);
    }
  });

  it('is claimed by one statement for all requests of a moment; one that cannot be stored fails alone', async () => {
    const { tpp, sandbox } = world();
    const settings = { ...sandbox.config.database, poolSize: 2, applicationName: 'test' };
    const database = new Database(openPool(settings), settings);
    const store = new IdempotencyStore(database, sandbox.config);
    // Nothing here is a replay, and only replays are read.
    const service = new ConsentService(undefined as never, database, store, sandbox.config, new Clock());
    const create = (clientId: string) => {
      const request = { clientId, operation: 'test', idempotencyKey: randomUUID(), requestHash: Buffer.alloc(32) };
      const initiation = anInitiation() as unknown as Initiation;
      return service.create(filePaymentKind, request, {
        apiVersion: '3.1',
        initiation,
        terms: readFileTerms(initiation),
      });
    };
    const transactionsOf = async (created: readonly { consentId: string }[]): Promise<unknown> => {
      const { rows } = await sandbox.database.query<{ count: number }>(
        'SELECT count(DISTINCT xmin::text)::int AS count FROM payment_consents WHERE consent_id = ANY ($1::uuid[])',
        [created.map(({ consentId }) => consentId)],
      );
      return rows[0]?.count;
    };
    try {
      expect(await transactionsOf(await Promise.all(Array.from({ length: 10 }, () => create(tpp.clientId))))).toBe(1);
      const clientIds = [tpp.clientId, 'no UUID', tpp.clientId];
      const outcomes = await Promise.allSettled(clientIds.map(create));
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    } finally {
      await database.onApplicationShutdown();
    }
  });

  it('FP-080 gives 200 twins of an upload one file', async () => {
    const { tpp } = world();
    const file = aPaymentFile({ payments: 20 });
    const [consentId, same] = [await tpp.stageConsent(file), withKey()];
    await openConnections(tpp.agent, world().sandbox.description.base_url, 200);
    const responses = await Promise.all(Array.from({ length: 200 }, () => tpp.upload(consentId, file, same)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await tpp.consentStatus(consentId)).toBe('AwaitingAuthorisation');
    expect(new Set(responses.map(({ text }) => text))).toEqual(new Set(['']));
  });

  it('gives 200 twins of a payment request one file payment', async () => {
    const { tpp } = world();
    const [consent, same] = [await tpp.authorise(), withKey()];
    await openConnections(tpp.agent, world().sandbox.description.base_url, 200);
    const responses = await Promise.all(Array.from({ length: 200 }, () => tpp.pay(consent, same)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(answerOf)).size).toBe(1);
    expect(await countOf('payment_orders', 'consent_id', [consent.consentId])).toBe(1);
  });

  it('is valid for 24 hours and new afterwards, but never makes a second payment', async () => {
    const { tpp, sandbox } = world();
    const [file, same] = [aPaymentFile(), withKey()];
    const key = same.headers[header];
    const staged = async (reference: string) => {
      const initiation = { FileReference: reference };
      return tpp.post(consents, aConsentRequest({ file, initiation }), same);
    };
    const first = await staged('ONE');
    const { rows } = await sandbox.database.query<{ hours: number }>(
      `SELECT extract(epoch FROM expires_at - now())::float / 3600 AS hours FROM idempotency_keys WHERE
        idempotency_key = $1`,
      [key],
    );
    expect(rows[0]?.hours).toBeCloseTo(24, 1);
    const consent = await tpp.authorise(file);
    expect((await tpp.pay(consent, same)).status).toBe(201);
    await sandbox.database.query(
      "UPDATE idempotency_keys SET expires_at = now() - interval '1 s' WHERE idempotency_key = $1",
      [key],
    );
    const [second, other] = [await staged('ONE'), await staged('TWO')];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(consentIdOf(second)).not.toBe(consentIdOf(first));
    expectObError(other, 400, 'Rules.ResourceAlreadyExists', header);
    expectObError(await tpp.pay(consent, same), 400, 'Resource.InvalidConsentStatus', 'Data.Status');
    expect(await countOf('payment_orders', 'consent_id', [consent.consentId])).toBe(1);
  });

  it('FP-081, FP-139 is not used up by a refused consent, upload or payment', async () => {
    const { tpp } = world();
    const [file, same] = [aPaymentFile(), withKey()];
    expect((await tpp.post(consents, '{}', same)).status).toBe(400);
    const consentId = consentIdOf(await tpp.post(consents, aConsentRequest({ file }), same));
    const forged = { headers: { ...same.headers, 'x-jws-signature': tpp.signBody('{}') } };
    expectObError(await tpp.upload(consentId, file, forged), 400, 'Signature.Invalid');
    const unreadable = await tpp.post(`${consents}/${consentId}/file`, '{', same);
    expectObError(unreadable, 400, 'Resource.InvalidFormat');
    expect((await tpp.upload(consentId, file, same)).status).toBe(200);
    expectObError(
      await tpp.pay({ consentId, initiation: anInitiation(file) }, same),
      400,
      'Resource.InvalidConsentStatus',
    );
    await tpp.approveInPages(await tpp.createAuthorizationRequest(consentId));
    const wrong = { consentId, initiation: anInitiation(file, { FileReference: 'OTHER' }) };
    expectObError(await tpp.pay(wrong, same), 400, 'Resource.ConsentMismatch');
    expect((await tpp.pay({ consentId, initiation: anInitiation(file) }, same)).status).toBe(201);
  });

  it('verifies the signature of a repeated request like that of the first', async () => {
    const { tpp } = world();
    const [body, key] = [aConsentRequest(), randomUUID()];
    expect((await tpp.post(consents, body, withKey(key))).status).toBe(201);
    const headers = { [header]: key, 'x-jws-signature': tpp.signBody('{}') };
    expectObError(await tpp.post(consents, body, { headers }), 400, 'Signature.Invalid');
  });
});
