import { beforeEach, describe, expect, it } from '@jest/globals';
import { eraseCustomerData, eraseOldCustomerData } from '#libs/payment-order';
import { walk } from '#libs/persistence';
import { runUnguarded } from '../../support/unguarded.js';
import { aFilePayment, clock, database, day, many, run, usePaymentProcessor } from './payment-processor-world.js';

usePaymentProcessor();

beforeEach(async () => {
  await runUnguarded(database.pool, 'TRUNCATE payment_consents, payment_files, instruction_lists CASCADE', []);
});

const tables = [
  'payment_consents',
  'payment_orders',
  'payments',
  'payment_files',
  'instruction_lists',
  'reconciliations',
];
type Change = readonly [table: string, change: string];

const change = (consentId: string, [table, to]: Change): Promise<void> =>
  runUnguarded(
    database.pool,
    table === 'payments'
      ? `UPDATE payments SET ${to}
          WHERE payment_order_id = (SELECT payment_order_id FROM payment_orders WHERE consent_id = $1)`
      : `UPDATE ${table} SET ${to} WHERE consent_id = $1`,
    [consentId],
  );

/** The consent of a file payment that has ended, one of its two payments paid. */
async function aFinished(): Promise<string> {
  const id = await aFilePayment(many(2));
  const [order] = await run('SELECT consent_id FROM payment_orders WHERE payment_order_id = $1', [id]);
  const consentId = String(order?.['consent_id']);
  await change(consentId, ['payment_orders', `status = 'InitiationCompleted', next_attempt_at = NULL`]);
  await change(consentId, [
    'payments',
    `handed_over_at = now(), status = CASE position WHEN 0 THEN 'Rejected' ELSE 'AcceptedSettlementCompleted' END,
      status_detail = CASE position WHEN 0 THEN '{"Status": "s", "StatusReasonDescription": "of Ms Green"}' END`,
  ]);
  return consentId;
}

const everything = (consentId?: string) =>
  Promise.all(
    tables.map((table) => {
      const key = table === 'payments' ? 'payment_order_id' : 'consent_id';
      const own = table === 'payments' ? 'SELECT payment_order_id FROM payment_orders WHERE consent_id = $1' : '$1';
      return run(`SELECT * FROM ${table} WHERE $1::uuid IS NULL OR ${key} NOT IN (${own}) ORDER BY 1`, [consentId]);
    }),
  );

const single = (consentId: string) => eraseCustomerData(database, { consentId, now: clock.now() });
const endedBeforeNow = () => eraseOldCustomerData(database, { endedBefore: clock.now(), limit: 10, now: clock.now() });
const old = () =>
  walk((after) =>
    eraseOldCustomerData(database, { endedBefore: new Date(clock.time + 1), limit: 1, now: clock.now() }, after),
  );

describe('the personal data of a payment order', () => {
  it.each<[string, (consentId: string) => Promise<unknown>]>([
    ['one by one', single],
    [
      'by their age',
      async (consentId) => {
        // What ended at the limit, or later, is not old yet.
        await change(consentId, ['payment_consents', `status_updated_at = status_updated_at - interval '1 day'`]);
        expect(await endedBeforeNow()).toEqual({ changed: 1, next: undefined });
        expect(await endedBeforeNow()).toEqual({ changed: 0, next: undefined });
        return true;
      },
    ],
  ])('is erased once, with what its payments say of people, and of no other order: %s', async (_title, erase) => {
    const [, consentId] = [await aFinished(), await aFinished()];
    const others = await everything(consentId);
    await erase(consentId);
    expect(await everything(consentId)).toEqual(others);
    const erased = await run(
      `SELECT consent.debtor_account, consent.erased_at, list.instructions, octet_length(file.content) AS length
         FROM payment_consents AS consent JOIN instruction_lists AS list USING (consent_id)
         JOIN payment_files AS file USING (consent_id) WHERE consent_id = $1`,
      [consentId],
    );
    expect(erased).toEqual([{ debtor_account: null, erased_at: clock.now(), instructions: '', length: 0 }]);
    const told = await run(
      `SELECT status_detail FROM payments JOIN payment_orders USING (payment_order_id) WHERE consent_id = $1
        ORDER BY position`,
      [consentId],
    );
    expect(told.map((row) => JSON.parse(String(row['status_detail'])) as unknown)).toEqual([{ Status: 's' }, null]);
    clock.time += day;
    expect(await single(consentId)).toBe(false);
  });

  it.each<[string, Change, boolean]>([
    ['its customer has not decided', ['payment_consents', `status = 'AwaitingAuthorisation'`], false],
    ['it can still be paid', ['payment_consents', `status = 'Authorised'`], false],
    ['it is on its way', ['payment_orders', `status = 'InitiationPending'`], false],
    ['a payment is on its way', ['payments', `status = CASE position WHEN 0 THEN status ELSE 'Pending' END`], false],
    ['a payment is not settled', ['payments', `status = 'AcceptedSettlementInProcess'`], false],
    ['it differs from the bank’s book', ['reconciliations', `differences = '[]'`], false],
    ['a person has seen how it differs', ['reconciliations', `differences = '[]', acknowledged_at = now()`], true],
    ['nothing differs', ['reconciliations', 'differences = NULL'], true],
    ['it has failed', ['payment_orders', `status = 'InitiationFailed'`], true],
    ['its customer declined', ['payment_consents', `status = 'Rejected'`], true],
    ['it was erased before', ['payment_consents', 'erased_at = now()'], false],
  ])('%s', async (_title, differs, isErased) => {
    const ids = [await aFinished(), await aFinished()];
    for (const consentId of ids) {
      await run('INSERT INTO reconciliations (consent_id, changed_at) VALUES ($1, $2)', [consentId, clock.now()]);
      await change(consentId, differs);
    }
    const before = await everything();
    expect(await single(ids[0]!)).toBe(isErased);
    expect(await old()).toBe(isErased ? 1 : 0);
    if (!isErased) expect(await everything()).toEqual(before);
  });
});
