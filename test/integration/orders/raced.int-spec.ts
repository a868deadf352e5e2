import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ConsentService } from '#libs/consent';
import { domesticPaymentKind } from '#libs/domestic-payment';
import type { IdempotentRequest } from '#libs/idempotency';
import { isDatabaseUnavailable } from '#libs/persistence';
import { config, database, run } from '../payment-processor/payment-processor-world.js';
import { stage } from '../reconciliation/reconciliation-world.js';
import {
  aFile,
  approve,
  aRequest,
  consents,
  pay,
  stageFile,
  stageForFile,
  stageOrder,
  uploadTo,
  useOrders,
} from './orders-world.js';

useOrders();

beforeEach(() => stage('TRUNCATE payment_consents CASCADE'));

afterEach(async () => {
  jest.restoreAllMocks();
  await run(`UPDATE clients SET status = 'Active'`, []);
});

/** Makes a change just before a statement is sent: a frozen process may continue at any time. */
function justBefore(statement: string, change: () => Promise<unknown>): void {
  const query = database.query.bind(database);
  jest.spyOn(database, 'query').mockImplementation(async (...parameters: Parameters<typeof query>) => {
    if (parameters[0] === statement) await change();
    return query(...parameters) as never;
  });
}

/** Has a statement committed, whose answer is lost with its connection. */
function loseAnswerOf(statement: string): void {
  const query = database.query.bind(database);
  jest.spyOn(database, 'query').mockImplementation(async (...parameters: Parameters<typeof query>) => {
    const answer = await query(...parameters);
    if (parameters[0] !== statement) return answer as never;
    throw new Error('Connection terminated unexpectedly');
  });
}

const changes: readonly [title: string, change: string, code: string][] = [
  ['has expired at this moment', 'UPDATE payment_consents SET expires_at = created_at', 'InvalidConsentStatus'],
  ['was rejected', `UPDATE payment_consents SET status = 'Rejected'`, 'InvalidConsentStatus'],
  ['belongs to another client', 'UPDATE payment_consents SET client_id = gen_random_uuid()', 'ConsentOfAnotherClient'],
  ['is of another kind', `UPDATE payment_consents SET kind = 'other'`, 'ConsentNotFound'],
  ['is of a suspended client', `UPDATE clients SET status = 'Suspended'`, 'ClientNotActive'],
];

describe('a consent that changed since its request was checked', () => {
  it.each(changes)('is not paid if it %s', async (_title, change, code) => {
    const { consentId } = await stageOrder();
    await approve(consentId);
    justBefore('create-file-payment', () => stage(change));
    await expect(pay(domesticPaymentKind, consentId)).rejects.toMatchObject({ code });
    expect(await run('SELECT FROM payment_orders', [])).toEqual([]);
    expect(await run(`SELECT FROM payment_consents WHERE status = 'Consumed'`, [])).toEqual([]);
  });

  it.each(changes)('takes no file if it %s', async (_title, change, code) => {
    justBefore('store-payment-file', () => stage(change));
    await expect(stageFile()).rejects.toMatchObject({ code });
    expect(await run('SELECT FROM payment_files', [])).toEqual([]);
    expect(await run(`SELECT FROM payment_consents WHERE status = 'AwaitingAuthorisation'`, [])).toEqual([]);
  });

  it('changes alone', async () => {
    const [one, other] = [await stageOrder(), await stageOrder()];
    for (const { consentId } of [one, other]) await approve(consentId);
    await pay(domesticPaymentKind, one.consentId);
    const statuses = await run('SELECT status, consent_id FROM payment_consents ORDER BY status', []);
    expect(statuses).toEqual([
      { status: 'Authorised', consent_id: other.consentId },
      { status: 'Consumed', consent_id: one.consentId },
    ]);
    expect(await run('SELECT FROM payments', [])).toHaveLength(1);
  });
});

async function staged(): Promise<string> {
  const { consentId } = await stageOrder();
  await approve(consentId);
  return consentId;
}

const payAll = (consentIds: readonly string[], requests = consentIds.map(() => aRequest('pay'))) =>
  Promise.allSettled(
    consentIds.map((consentId, index) => pay(domesticPaymentKind, consentId, undefined, requests[index])),
  );
const ordersOf = async (consentIds: readonly string[]): Promise<unknown[]> =>
  (await run('SELECT consent_id FROM payment_orders ORDER BY consent_id', []))
    .map((row) => row['consent_id'])
    .filter((id) => consentIds.includes(String(id)));

describe('orders that arrive together', () => {
  it('share a statement, and each gets its own', async () => {
    const sent: string[] = [];
    justBefore('create-file-payment', async () => void sent.push('create'));
    const consentIds = [await staged(), await staged(), await staged()];
    const answers = await payAll(consentIds);
    const made = answers.map((each) => (each.status === 'fulfilled' ? each.value.payment.consentId : each.reason));
    expect(made).toEqual(consentIds);
    expect(await ordersOf(consentIds)).toEqual(consentIds.toSorted());
    expect(sent).toHaveLength(1);
    const written = await run(
      `SELECT payment_order_id, count(*)::int, count(DISTINCT resource_id)::int AS events
         FROM payments JOIN payment_orders AS own USING (payment_order_id)
         JOIN domain_events ON resource_id = own.consent_id JOIN reconciliations ON reconciliations.consent_id = own.consent_id
        WHERE event_type = 'consent.status' AND domain_events.status = 'Consumed' GROUP BY payment_order_id`,
      [],
    );
    expect(written.map(({ count, events }) => [count, events])).toEqual(consentIds.map(() => [1, 1]));
  });

  it.each([
    ['twins of one request get one order', true, true, 'made'],
    ['a second order of the consent is refused', false, true, 'AlreadyThere'],
    ['a second use of the key is refused', true, false, 'IdempotencyKeyReused'],
  ])('%s', async (_title, sameKey, sameConsent, outcome) => {
    const [one, other] = [await staged(), await staged()];
    const request = aRequest('pay');
    const second = sameKey ? { ...request, requestHash: Buffer.alloc(32, sameConsent ? 0 : 1) } : aRequest('pay');
    const consentIds = [one, sameConsent ? one : other];
    const answers = await payAll(consentIds, [request, second]);
    const seen = answers.map((each) => (each.status === 'fulfilled' ? 'made' : each.reason.code));
    expect(seen).toEqual(['made', outcome]);
    expect(await ordersOf([one, other])).toEqual([one]);
  });

  it('one that cannot be made does not stop the others', async () => {
    const consentIds = [await staged(), await staged()];
    await run('DELETE FROM instruction_lists WHERE consent_id = $1', [consentIds[0]]);
    const [refused, made] = await payAll(consentIds);
    expect([refused?.status, made?.status]).toEqual(['rejected', 'fulfilled']);
    expect(await ordersOf(consentIds)).toEqual([consentIds[1]]);
  });
});

const outcomesOf = (answers: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  answers.map((each) =>
    each.status === 'fulfilled' ? 'done' : isDatabaseUnavailable(each.reason) ? 'try again' : each.reason.code,
  );

describe('requests that arrive together, whose connection breaks after the commit', () => {
  it('make their orders once: each may try again, and gets its own', async () => {
    const consentIds = [await staged(), await staged(), await staged()];
    const requests = consentIds.map(() => aRequest('pay'));
    loseAnswerOf('create-file-payment');
    expect(outcomesOf(await payAll(consentIds, requests))).toEqual(['try again', 'try again', 'try again']);
    jest.restoreAllMocks();
    const made = (await payAll(consentIds, requests)).map((each) => each.status === 'fulfilled' && each.value.payment);
    expect(made).toMatchObject(consentIds.map((consentId) => ({ consentId })));
    expect(outcomesOf(await payAll(consentIds))).toEqual(['AlreadyThere', 'AlreadyThere', 'AlreadyThere']);
    expect(await ordersOf(consentIds)).toEqual(consentIds.toSorted());
  });

  it('store their files once: each may try again, and hears that its file is there', async () => {
    const consentIds = [await stageForFile(aFile()), await stageForFile(aFile()), await stageForFile(aFile())];
    const requests = consentIds.map((consentId) => aRequest(`upload ${consentId}`));
    const uploadAll = (sent: readonly (IdempotentRequest | undefined)[]) =>
      Promise.allSettled(consentIds.map((id, index) => uploadTo(id, aFile(), undefined, sent[index])));
    loseAnswerOf('store-payment-file');
    expect(outcomesOf(await uploadAll(requests))).toEqual(['try again', 'try again', 'try again']);
    jest.restoreAllMocks();
    expect(outcomesOf(await uploadAll(requests))).toEqual(['done', 'done', 'done']);
    expect(outcomesOf(await uploadAll([]))).toEqual(['AlreadyThere', 'AlreadyThere', 'AlreadyThere']);
    const stored = await run('SELECT content FROM payment_files WHERE consent_id = ANY ($1)', [consentIds]);
    expect(stored.map(({ content }) => content)).toEqual([aFile(), aFile(), aFile()]);
  });
});

describe('files that arrive together', () => {
  it('share a statement, and each is stored with its own consent', async () => {
    const sent: string[] = [];
    justBefore('store-payment-file', async () => void sent.push('store'));
    const files = [aFile('Zoë Łukasz', '1.00'), aFile('Dana Dole', '22.00'), aFile('Ærø Fisk – 魚', '333.00')];
    const consentIds = await Promise.all(files.map((body) => stageForFile(body)));
    await Promise.all(files.map((body, index) => uploadTo(String(consentIds[index]), body)));
    expect(sent).toHaveLength(1);
    const rows = await run(
      `SELECT content, amounts::text[], control_sum, sha256(convert_to(instructions, 'UTF8')) = approval_hash AS hashed
         FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (consent_id, number) JOIN payment_consents USING (consent_id)
         JOIN payment_files USING (consent_id) JOIN instruction_lists USING (consent_id) ORDER BY number`,
      [consentIds],
    );
    expect(rows).toEqual(
      ['1.00', '22.00', '333.00'].map((sum, index) => ({
        content: files[index],
        amounts: [sum],
        control_sum: sum,
        hashed: true,
      })),
    );
  });

  it('those that repeat a consent, however its id is spelt, come after the first', async () => {
    const consentId = await stageForFile(aFile());
    const answers = await Promise.allSettled([
      uploadTo(consentId.toUpperCase(), aFile()),
      uploadTo(consentId, aFile()),
    ]);
    expect(answers.map((each) => (each.status === 'fulfilled' ? 'stored' : each.reason.code))).toEqual([
      'stored',
      'AlreadyThere',
    ]);
    const claimed = await run('SELECT FROM idempotency_keys WHERE operation ILIKE $1', [`upload ${consentId}`]);
    expect(claimed).toHaveLength(1);
  });
});

describe('a file that comes too late', () => {
  afterEach(() => {
    Object.assign(config.filePayment.cutOff, { strategy: 'accept' });
  });

  it('is refused once its consent is rejected, not before', async () => {
    Object.assign(config.filePayment.cutOff, { strategy: 'reject' });
    const steps: string[] = [];
    jest
      .spyOn(consents, 'rejectAwaitingUpload')
      .mockImplementation(async (): ReturnType<ConsentService['rejectAwaitingUpload']> => {
        await new Promise(setImmediate);
        steps.push('rejected');
      });
    justBefore('find-consents-for-upload', () => stage('UPDATE payment_consents SET cut_off_at = created_at'));
    await expect(stageFile()).rejects.toMatchObject({ code: 'AfterCutOffDateTime' });
    expect(steps).toEqual(['rejected']);
  });
});
