import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  aFilePayment,
  clientId,
  clock,
  database,
  drain,
  many,
  processor,
  run,
  usePaymentProcessor,
} from './payment-processor/payment-processor-world.js';

usePaymentProcessor();

/** An approved consent whose file has that many payments of one pound each. */
async function aConsent({ payments = 3, status = 'Authorised', isApproved = true } = {}): Promise<string> {
  const consentId = randomUUID();
  const instructions = JSON.stringify({ consentId });
  const hash = createHash('sha256').update(instructions).digest();
  await run(
    `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation,
       charges, local_instrument, number_of_transactions, control_sum, psu_id, debtor_account, approvals_required, approval_hash,
       approved_hash, authorised_at, challenge_id)
     VALUES ('file-payment', '3.1', $1, $2, $3, $4, $4, $4, '{}', '[]', 'UK.OBIE.FPS', $5::integer, $5::integer, 'psu', '{}', 1, $6, $7, $4, 'c')`,
    [consentId, clientId, status, clock.now(), payments, hash, isApproved ? hash : Buffer.of()],
  );
  await run('INSERT INTO instruction_lists (consent_id, instructions, amounts) VALUES ($1, $2, $3)', [
    consentId,
    instructions,
    Array.from({ length: payments }, () => '1.00'),
  ]);
  return consentId;
}

/** Makes the file payment of a consent as a program might, right or wrong. */
function create(consentId: string, items: readonly { position: number; amount?: string }[]): Promise<unknown> {
  return run(
    `WITH consumed AS (
       UPDATE payment_consents SET status = 'Consumed' WHERE consent_id = $2 AND status = 'Authorised'),
     created AS (
       INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at, status_updated_at,
         approvals_required, approvals_received, approvals_updated_at, next_attempt_at)
       VALUES ($1, $2, $3, 'InitiationPending', $4, $4, 1, 1, $4, $4) RETURNING payment_order_id)
     INSERT INTO payments (payment_id, payment_order_id, position, status, status_updated_at, amount)
     SELECT item.payment_id, created.payment_order_id, item.position, 'Pending', $4, item.amount
       FROM created, unnest($5::text[], $6::integer[], $7::numeric[]) AS item (payment_id, position, amount)`,
    [
      randomUUID(),
      consentId,
      clientId,
      clock.now(),
      items.map(() => randomUUID().replaceAll('-', '')),
      items.map(({ position }) => position),
      items.map(({ amount = '1.00' }) => amount),
    ],
  );
}

const items = (count: number): { position: number }[] => Array.from({ length: count }, (_, position) => ({ position }));

/** PostgreSQL's code of a refused row, with the guard's name. */
const refusedBy = (constraint: string) => expect.objectContaining({ code: '23514', constraint });

const countOrders = async (): Promise<unknown> =>
  (await run('SELECT count(*)::int AS count FROM payment_orders', []))[0]?.['count'];

describe('a file payment made by any program', () => {
  it('is made with all payments of its file', async () => {
    await create(await aConsent(), items(3));
    expect(await countOrders()).toBe(1);
  });

  it.each([
    ['no payment', items(0)],
    ['a payment less', items(2)],
    ['a payment more', items(4)],
    ['a gap', [{ position: 0 }, { position: 1 }, { position: 3 }]],
    ['a payment less, whose amount another one has', [{ position: 0 }, { position: 2, amount: '2.00' }]],
    ['a payment before the first', [{ position: -1 }, { position: 1 }, { position: 2 }]],
    ['another sum', [{ position: 0 }, { position: 1 }, { position: 2, amount: '1.01' }]],
  ])('is not made with %s', async (_case, wrong) => {
    const consentId = await aConsent();
    await expect(create(consentId, wrong)).rejects.toEqual(refusedBy('payment_orders_created'));
    expect(await countOrders()).toBe(0);
  });

  it('is not made of a file that nobody approved', async () => {
    const consentId = await aConsent({ isApproved: false });
    await expect(create(consentId, items(3))).rejects.toEqual(refusedBy('payment_orders_created'));
  });

  it('exists for each Consumed consent', async () => {
    const consentId = await aConsent();
    await expect(
      run("UPDATE payment_consents SET status = 'Consumed' WHERE consent_id = $1", [consentId]),
    ).rejects.toEqual(refusedBy('payment_consents_consumed'));
  });
});

const complete = (id: string) =>
  run("UPDATE payment_orders SET status = 'InitiationCompleted' WHERE payment_order_id = $1", [id]);

describe('InitiationCompleted written by any program', () => {
  it('requires that every payment was handed over, or rejected before', async () => {
    const id = await aFilePayment(many(3));
    await expect(complete(id)).rejects.toEqual(refusedBy('payment_orders_completed'));
    await run(
      `UPDATE payments SET status = 'AcceptedSettlementInProcess', handed_over_at = now()
        WHERE payment_order_id = $1 AND position = 0`,
      [id],
    );
    // The bank has it, and has not said more.
    await run('UPDATE payments SET handed_over_at = now() WHERE payment_order_id = $1 AND position = 2', [id]);
    await expect(complete(id)).rejects.toEqual(refusedBy('payment_orders_completed'));
    await run("UPDATE payments SET status = 'Rejected' WHERE payment_order_id = $1 AND position = 1", [id]);
    await complete(id);
  });

  it('requires all payments of the file: a file with lost payments is held for an operator', async () => {
    const id = await aFilePayment(many(2));
    // As a program without these guards would leave it.
    await database.transaction(async (runner) => {
      await runner.query('replica', 'SET LOCAL session_replication_role = replica', []);
      await runner.query('lose', 'DELETE FROM payments WHERE payment_order_id = $1', [id]);
    });
    await expect(complete(id)).rejects.toEqual(refusedBy('payment_orders_completed'));
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await drain(processor);
      clock.time += 61_000;
    }
    expect(await run('SELECT status, held_at IS NOT NULL AS is_held, last_fault FROM payment_orders', [])).toEqual([
      {
        status: 'InitiationPending',
        is_held: true,
        last_fault: 'The stored payments are not those that were approved.',
      },
    ]);
  });
});

/**
 * Lasting access as a customer gave it: asked for, without a customer, then approved.
 * @returns what changes it
 */
async function anAccess(): Promise<(values: string) => Promise<unknown>> {
  const id = randomUUID();
  await run(
    `INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, terms)
     VALUES ($1, $2, 'account-access', '3.1', 'AwaitingAuthorisation', now(), now(), '{}')`,
    [id, clientId],
  );
  const write = (values: string): Promise<unknown> =>
    run(`UPDATE access_consents SET ${values} WHERE consent_id = $1`, [id]);
  await write(`status = 'Authorised', psu_id = 'psu', authorised_at = now(), accounts = '[]', challenge_id = 'c'`);
  return write;
}

describe('what may change', () => {
  it('is a consent on its way: its file once, then its approval once', async () => {
    const id = randomUUID();
    await run(
      `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at, expires_at,
         initiation, charges, number_of_transactions, control_sum)
       VALUES ('file-payment', '3.1', $1, $2, 'AwaitingUpload', now(), now(), now(), '{}', '[]', 2, 2)`,
      [id, clientId],
    );
    const change = (values: string): Promise<unknown> =>
      run(`UPDATE payment_consents SET ${values} WHERE consent_id = $1`, [id]);
    await change(`status = 'AwaitingAuthorisation', approval_hash = '\\x01', number_of_transactions = 3, control_sum = 3,
      local_instrument = 'UK.OBIE.FPS'`);
    await expect(change('control_sum = 2')).rejects.toEqual(refusedBy('payment_consents_agreed'));
    // Somebody signs in, and then another customer.
    await change(`psu_id = 'first', debtor_account = '{}'`);
    await change(`psu_id = 'psu'`);
    await change(`status = 'Authorised', challenge_id = 'c', approved_hash = '\\x01', authorised_at = now()`);
    await change(`status = 'Rejected'`);
  });

  it('are the accounts of lasting access, with a new approval', async () => {
    const write = await anAccess();
    await write(`accounts = '[{}]', challenge_id = 'd'`);
    await expect(write(`accounts = '[]'`)).rejects.toEqual(refusedBy('access_consents_approval'));
  });
});

describe('what stays', () => {
  it.each([
    ['payments', `status = 'Rejected', handed_over_at = now()`, `status = 'AcceptedSettlementCompleted'`],
    ['payments', `status = 'AcceptedSettlementInProcess'`, `status = 'Pending'`],
    ['payment_orders', `status = 'InitiationFailed'`, `status = 'InitiationPending'`],
    ['payment_orders', `status = 'InitiationFailed'`, `status = 'InitiationCompleted'`],
    ['payment_consents', `status = status`, `status = 'Authorised'`],
  ])('is a final state: %s', async (table, first, second) => {
    await aFilePayment(many(1));
    await run(`UPDATE ${table} SET ${first}`, []);
    await expect(run(`UPDATE ${table} SET ${second}`, [])).rejects.toEqual(refusedBy(`${table}_transitions`));
  });

  it.each([
    ['payments_lasting', 'UPDATE payments SET amount = 7'],
    ['payments_lasting', 'UPDATE payments SET position = position + 1'],
    ['payments_lasting', 'UPDATE payments SET payment_order_id = gen_random_uuid()'],
    ['payment_orders_lasting', 'UPDATE payment_orders SET approvals_required = 3'],
    ['payment_orders_lasting', 'UPDATE payment_orders SET consent_id = gen_random_uuid()'],
    ['payment_orders_lasting', 'UPDATE payment_orders SET client_id = gen_random_uuid()'],
    ['payment_consents_lasting', 'UPDATE payment_consents SET client_id = gen_random_uuid()'],
    ['payment_consents_lasting', `UPDATE payment_consents SET kind = 'domestic-payment'`],
    ['payment_consents_lasting', `UPDATE payment_consents SET api_version = '4.0'`],
    ['payment_consents_lasting', `UPDATE payment_consents SET approved_hash = '\\x00'`],
    ['payment_consents_lasting', `UPDATE payment_consents SET approval_hash = NULL`],
    ['payment_consents_agreed', 'UPDATE payment_consents SET control_sum = 7'],
    ['payment_consents_agreed', 'UPDATE payment_consents SET number_of_transactions = 7'],
    ['payment_consents_agreed', `UPDATE payment_consents SET local_instrument = 'UK.OBIE.CHAPS'`],
    ['payment_consents_approval', `UPDATE payment_consents SET debtor_account = '{"Identification": "1"}'`],
    ['payment_consents_approval', `UPDATE payment_consents SET psu_id = 'mallory'`],
    ['payment_consents_approval', `UPDATE payment_consents SET challenge_id = 'other'`],
    ['instruction_lists_text', `UPDATE instruction_lists SET instructions = 'other'`],
    ['instruction_lists_lasting', `UPDATE instruction_lists SET amounts = '{7}'`],
    ['payments_no_delete', 'DELETE FROM payments'],
    ['payment_orders_no_delete', 'DELETE FROM payment_orders'],
  ])('is what was agreed and made: %s', async (guard, statement) => {
    await create(await aConsent(), items(3));
    await expect(run(statement, [])).rejects.toEqual(refusedBy(guard));
  });

  it.each([
    ['access_consents_lasting', 'client_id = gen_random_uuid()'],
    ['access_consents_lasting', `kind = 'funds-confirmation'`],
    ['access_consents_lasting', `api_version = '4.0'`],
    ['access_consents_agreed', `terms = '{"Permissions": []}'`],
    ['access_consents_agreed', `terms = '{"Permissions": []}', status = 'Expired'`],
    ['access_consents_approval', `psu_id = 'mallory'`],
    ['access_consents_approval', `accounts = '[{}]'`],
    ['access_consents_transitions', `status = 'AwaitingAuthorisation'`],
  ])('is what lasting access was given for: %s, %s', async (guard, change) => {
    const write = await anAccess();
    await expect(write(change)).rejects.toEqual(refusedBy(guard));
    await write(`status = 'Withdrawn', withdrawn_at = now()`);
    await expect(write(change)).rejects.toEqual(refusedBy(guard));
    // What is over may be forgotten.
    await write(`status = 'Revoked', terms = '{"erased": true}'`);
  });

  it('is not touched by a statement that writes what is there', async () => {
    await create(await aConsent(), items(3));
    await anAccess();
    for (const ended of ['NULL', 'now()']) {
      const [hash, owner] = [`sha256('${ended}')`, `'${clientId}'`];
      await run(
        `INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at, expires_at, revoked_at)
         VALUES (${hash}, ${owner}, 'client_credentials', 's', 't', now(), now(), ${ended})`,
        [],
      );
      await run(
        `INSERT INTO refresh_grants (code_hash, client_id, scope, certificate_subject, psu_id, consented_at, issued_at, expires_at,
           revoked_at)
         VALUES (${hash}, ${owner}, 's', 'c', 'psu', now(), now(), now(), ${ended})`,
        [],
      );
      await run(
        `INSERT INTO authorization_codes (code_hash, client_id, redirect_uri, scope, psu_id, subject, acr, authenticated_at,
           consented_at, expires_at, redeemed_at)
         VALUES (${hash}, ${owner}, 'u', 's', 'psu', 's', 'a', now(), now(), now(), ${ended})`,
        [],
      );
    }
    const guards = readFileSync('libs/persistence/src/migrations/guards.sql', 'utf8');
    const guarded = [...guards.matchAll(/BEFORE UPDATE OF ([\w, ]+?)\s+ON (\w+)/g)];
    expect(guarded.length).toBeGreaterThan(12);
    for (const [, columns = '', table = ''] of guarded)
      await run(`UPDATE ${table} SET ${columns.replaceAll(/\w+/g, '$& = $&')}`, []);
  });

  it('is not the text of an erased list', async () => {
    await aConsent();
    await run(`UPDATE instruction_lists SET instructions = '', erased_at = now()`, []);
  });
});
