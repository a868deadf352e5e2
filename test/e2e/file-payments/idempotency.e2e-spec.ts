import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Clock } from '#libs/config';
import { ConsentService, filePaymentKind, type Initiation, readFileTerms } from '#libs/consent';
import { claimIdempotencyKeys, IdempotencyStore } from '#libs/idempotency';
import { Database, openPool } from '#libs/persistence';
import { aConsentRequest, aPaymentRequest, anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { expectObError } from '../../support/expectations.js';
import { openConnections } from '../../support/https-request.js';
import { consentIdOf, consents, dataOf, inDays, unknownId } from './world.js';
import { useWorld } from './use-world.js';

const world = useWorld();

const header = 'x-idempotency-key';
const withKey = (key: string | undefined = randomUUID()) => ({ headers: { [header]: key } });

/** @returns the answer but for what the bank has done in the meantime: a replay shows the state of now */
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
  it('FP-130, FP-131, FP-080 answers a repeated consent and upload with the state of now', async () => {
    const { tpp } = world();
    const file = aPaymentFile();
    const body = aConsentRequest({ file });
    const same = withKey();
    const first = await tpp.post(consents, body, same);
    const again = await tpp.post(consents, body, same);
    expect(again.status).toBe(201);
    expect(again.json()).toEqual(first.json());
    const consentId = consentIdOf(first);
    const upload = withKey();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await tpp.upload(consentId, file, upload)).status).toBe(200);
    }
    const afterUpload = await tpp.post(consents, body, same);
    expect({ status: afterUpload.status, state: dataOf(afterUpload)['Status'] }).toEqual({
      status: 201,
      state: 'AwaitingAuthorisation',
    });
    // White space and the order of members do not make another request.
    const reordered = JSON.stringify({ Data: { Initiation: anInitiation(file, { ControlSum: 21 }) } }, undefined, 1);
    expect(consentIdOf(await tpp.post(consents, reordered, same))).toBe(consentId);
  });

  it('FP-132 refuses another body under the same key, and changes nothing', async () => {
    const { tpp } = world();
    const same = withKey();
    const first = await tpp.post(consents, aConsentRequest({ initiation: { FileReference: 'ONE' } }), same);
    const other = await tpp.post(consents, aConsentRequest({ initiation: { FileReference: 'TWO' } }), same);
    expectObError(other, 400, 'Rules.ResourceAlreadyExists', header);
    const read = await tpp.get(`${consents}/${consentIdOf(first)}`);
    expect(read.json()).toEqual(first.json());
  });

  it('FP-132 refuses another file under the same key', async () => {
    const { tpp } = world();
    const file = aPaymentFile();
    const consentId = await tpp.stageConsent(file);
    const same = withKey();
    expect((await tpp.upload(consentId, file, same)).status).toBe(200);
    const other = await tpp.upload(consentId, aPaymentFile({ payments: 3 }), same);
    expectObError(other, 400, 'Rules.ResourceAlreadyExists', header);
    expect(await tpp.consentStatus(consentId)).toBe('AwaitingAuthorisation');
  });

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
    // The earlier requests are answered as before, with the state of now, and have no effect any more.
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

  it('is looked for without a write when a twin has it: 200 twins do not wait for 200 writes of the disk', async () => {
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
      const source = `(SELECT $1::uuid AS client_id, $2::text AS operation, $3::text AS idempotency_key, $4::bytea AS request_hash,
        $5::uuid AS resource_id)`;
      const claimed = await connection.query(claimIdempotencyKeys(source, '$6', '$7::timestamptz'), parameters);
      expect(claimed.rows).toEqual([]);
      const written = await connection.query('SELECT pg_current_xact_id_if_assigned() AS id');
      expect(written.rows).toEqual([{ id: null }]);
    } finally {
      connection.release(true);
    }
  });

  it('gives simultaneous requests one consent each, twins the same one, and refuses another body for a used key', async () => {
    const { tpp } = world();
    const pairs = Array.from({ length: 20 }, () => ({ reference: randomUUID(), same: withKey() }));
    const taken = withKey();
    const first = await tpp.post(consents, aConsentRequest(), taken);
    const staged = pairs.map(async ({ reference, same }) => {
      const body = aConsentRequest({ initiation: { FileReference: reference } });
      const twins = await Promise.all([tpp.post(consents, body, same), tpp.post(consents, body, same)]);
      expect(twins.map(({ status }) => status)).toEqual([201, 201]);
      expect(twins[0]?.text).toBe(twins[1]?.text);
      const [consentId = ''] = twins.map(consentIdOf);
      const read = dataOf(await tpp.get(`${consents}/${consentId}`));
      expect(read['Initiation']).toMatchObject({ FileReference: reference });
      return consentId;
    });
    const other = tpp.post(consents, aConsentRequest({ initiation: { FileReference: 'OTHER' } }), taken);
    expect(new Set(await Promise.all(staged)).size).toBe(20);
    expectObError(await other, 400, 'Rules.ResourceAlreadyExists', header);
    expect((await tpp.get(`${consents}/${consentIdOf(first)}`)).json()).toEqual(first.json());
  });

  it('is claimed by one statement for all requests of one moment, of which one that cannot be stored fails alone', async () => {
    const { tpp, sandbox } = world();
    const settings = { url: sandbox.databaseUrl, poolSize: 2, applicationName: 'test' };
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

  it('gives 200 twins of an upload one file', async () => {
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

  it('counts for 24 hours and is a new one afterwards, but never makes a second payment', async () => {
    const { tpp, sandbox } = world();
    const [file, same] = [aPaymentFile(), withKey()];
    const key = same.headers[header];
    const staged = async (reference: string) => {
      const initiation = { FileReference: reference };
      return tpp.post(consents, aConsentRequest({ file, initiation }), same);
    };
    const first = await staged('ONE');
    const { rows } = await sandbox.database.query<{ hours: number }>(
      'SELECT extract(epoch FROM expires_at - now())::float / 3600 AS hours FROM idempotency_keys WHERE idempotency_key = $1',
      [key],
    );
    expect(rows[0]?.hours).toBeCloseTo(24, 1);
    const consent = await tpp.authorise(file);
    expect((await tpp.pay(consent, same)).status).toBe(201);
    await sandbox.database.query('UPDATE idempotency_keys SET expires_at = now() WHERE idempotency_key = $1', [key]);
    const [second, other] = [await staged('ONE'), await staged('TWO')];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(consentIdOf(second)).not.toBe(consentIdOf(first));
    expectObError(other, 400, 'Rules.ResourceAlreadyExists', header);
    expectObError(await tpp.pay(consent, same), 400, 'Resource.InvalidConsentStatus', 'Data.Status');
    expect(await countOf('payment_orders', 'consent_id', [consent.consentId])).toBe(1);
  });

  it('FP-139 is not used up by a refused request', async () => {
    const { tpp } = world();
    const same = withKey();
    const wrong = await tpp.post(consents, aConsentRequest({ initiation: { FileHash: 'x' } }), same);
    expect(wrong.status).toBe(400);
    expect((await tpp.post(consents, aConsentRequest(), same)).status).toBe(201);
  });

  it('FP-139 is not used up by a refused upload or payment either', async () => {
    const { tpp } = world();
    const [file, same] = [aPaymentFile(), withKey()];
    const consentId = await tpp.stageConsent(file);
    const forged = { headers: { ...same.headers, 'x-jws-signature': tpp.sign('{}') } };
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
    const headers = { [header]: key, 'x-jws-signature': tpp.sign('{}') };
    expectObError(await tpp.post(consents, body, { headers }), 400, 'Signature.Invalid');
  });

  const posts = [consents, `${consents}/${unknownId}/file`, '/file-payments'];

  it.each(posts)('FP-136, FP-138 is needed on POST %s', async (path) => {
    for (const key of [undefined, '']) {
      const response = await world().tpp.post(path, '{}', { headers: { [header]: key } });
      expectObError(response, 400, 'Header.Missing', header);
    }
  });

  it.each(posts)('FP-137 has at most 40 characters on POST %s', async (path) => {
    const response = await world().tpp.post(path, '{}', withKey('k'.repeat(41)));
    expectObError(response, 400, 'Header.Invalid', header);
  });

  it('FP-137 may have 40 characters, of any printable kind', async () => {
    const { tpp } = world();
    for (const key of ['k'.repeat(40), `~!@#$%^&*()_+ ${randomUUID().slice(0, 8)}`]) {
      expect((await tpp.post(consents, aConsentRequest(), withKey(key))).status).toBe(201);
    }
  });
});
