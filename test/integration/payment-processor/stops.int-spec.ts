import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BankRefusedError, BankUnavailableError, type BankPayment } from '#libs/bank';
import {
  type DueOrder,
  endApprovalsOfClient,
  findBegunStoppedOrders,
  LeaseLostError,
  openLists,
  orderStop,
  PaymentQueue,
  putAsideStopped,
  putBackAllReleased,
  putBackReleased,
  type StopTarget,
} from '#libs/payment-order';
import type { Config } from '#libs/config';
import { Database, DatabaseReader, openPool } from '#libs/persistence';
import {
  type ServiceCommand,
  PaymentOperations,
  PaymentStops,
  SecondPerson,
  type Operations,
  runCommand,
} from '../../support/apps/operator.js';
import {
  aFilePayment,
  clientId,
  clock,
  config,
  database,
  drain,
  good,
  many,
  processNext,
  processor,
  run,
  scheme,
  stateOf,
  usePaymentProcessor,
} from './payment-processor-world.js';

// Before the database is dropped.
const people: Database[] = [];

afterAll(() => Promise.all(people.map((person) => person.onApplicationShutdown())));

usePaymentProcessor();

let stops: PaymentStops;
let operations: PaymentOperations;
const all: StopTarget = { scope: 'All', target: '' };
const mandate = { actor: 'olivia', reason: 'fraud' };

beforeEach(async () => {
  const reader = new DatabaseReader(database, undefined);
  stops = new PaymentStops(database, reader, clock, scheme);
  operations = new PaymentOperations(database, reader, clock, config, scheme);
  await run('DELETE FROM payment_stops', []);
  await run("UPDATE clients SET status = 'Active', removed_by = NULL", []);
});

const setClient = (status: string, removedBy: string | null = null) =>
  run('UPDATE clients SET status = $1, removed_by = $2', [status, removedBy]);

/** Does something once the bank has taken this many payments, before it answers the last of them and any more. */
function afterHandOver(count: number, act: () => Promise<unknown>): void {
  const handOver = scheme.handOverPayment.bind(scheme);
  let taken = 0;
  let acting: Promise<unknown> | undefined;
  scheme.handOverPayment = async (request) => {
    const outcome = await handOver(request);
    taken += 1;
    if (taken === count) acting = act();
    await acting;
    return outcome;
  };
}

/** Makes a change that the database lets nobody make. */
const unguarded = (sql: string): Promise<unknown> =>
  run('SET session_replication_role = replica', [])
    .then(() => run(sql, []))
    .finally(() => run('SET session_replication_role = DEFAULT', []));

/** Makes this many copies of the file payment. */
async function copyFilePayments(count: number): Promise<void> {
  const ids = `jsonb_build_object('consent_id', md5('consent' || number)::uuid, 'payment_order_id', md5('payment' || number)::uuid)`;
  for (const table of ['payment_consents', 'payment_orders']) {
    await unguarded(
      `INSERT INTO ${table} SELECT copy.*
         FROM (SELECT * FROM ${table} ORDER BY created_at DESC LIMIT 1) AS original CROSS JOIN generate_series(1, ${count}) AS number
        CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(original) || ${ids}) AS copy
       ON CONFLICT DO NOTHING`,
    );
  }
}

const countStopped = async () => (await run('SELECT FROM payment_orders WHERE stopped_at IS NOT NULL', [])).length;

const statusesOf = async (id: string): Promise<unknown[]> =>
  (await stateOf(id)).payments.map((payment) => payment['status']);

describe('payments stop', () => {
  it.each<[string, (id: string) => StopTarget]>([
    ['one file payment', (id) => ({ scope: 'PaymentOrder', target: id })],
    ['a client', () => ({ scope: 'Client', target: clientId })],
    ['a customer', () => ({ scope: 'Psu', target: 'psu' })],
    ['everything', () => all],
  ])('of %s lets nothing leave, says so, and lets it continue when it is revoked', async (_title, targetOf) => {
    const id = await aFilePayment(many(3));
    const target = targetOf(id);
    expect(await stops.stop({ target, mandate })).toMatchObject({ done: 'stop', stopped: 1 });
    clock.time += 3_600_000;
    await drain(processor);
    expect(scheme.handedOver).toEqual([]);
    const { status, payments } = await stateOf(id);
    expect(status).toBe('InitiationPending');
    expect(JSON.parse(String(payments[0]?.['status_detail']))).toMatchObject({ Status: 'HeldByBank' });
    expect(await stops.findStops()).toMatchObject([{ ...target, ...mandate }]);
    expect(await stops.findStopped()).toMatchObject([
      { filePaymentId: id, kind: 'file-payment', stopCause: 'Operator' },
    ]);
    expect(await stops.resume({ target, mandate })).toMatchObject({ resumed: 1 });
    await drain(processor);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
    expect(scheme.handedOver).toHaveLength(3);
    expect(await statusesOf(id)).toEqual(Array.from({ length: 3 }, () => good.status));
  });

  it('of another client, customer or file payment stops none of these', async () => {
    const id = await aFilePayment(many(1));
    const other = await aFilePayment(many(1));
    await stops.stop({ target: { scope: 'Psu', target: 'somebody else' }, mandate });
    await stops.stop({ target: { scope: 'PaymentOrder', target: other }, mandate });
    await drain(processor);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
  });

  it.each(['Client', 'PaymentOrder'] as const)('of a %s that nobody knows is refused', async (scope) => {
    const target = { scope, target: '0b0e1cde-0000-4000-8000-000000000000' };
    await expect(stops.stop({ target, mandate })).rejects.toMatchObject({ reason: 'refused' });
    expect(await stops.findStops()).toEqual([]);
  });

  it('also counts for what comes later', async () => {
    await stops.stop({ target: all, mandate });
    const id = await aFilePayment(many(1));
    await drain(processor);
    expect(scheme.handedOver).toEqual([]);
    expect(await stops.findStopped()).toMatchObject([{ filePaymentId: id }]);
  });

  it('that takes several steps and ended half way continues with the same order, and so does the way back', async () => {
    const [due, waiting, held] = [1_200, 700, 600];
    await aFilePayment(many(1));
    await copyFilePayments(due + waiting + held - 1);
    const positions = `SELECT payment_order_id, row_number() OVER (ORDER BY payment_order_id) AS number FROM payment_orders`;
    await unguarded(
      `UPDATE payment_orders AS payment
          SET next_attempt_at = CASE WHEN number <= ${due} THEN next_attempt_at END,
              approvals_required = CASE WHEN number > ${due + held} THEN 2 ELSE 1 END,
              held_at = CASE WHEN number > ${due} AND number <= ${due + held} THEN created_at END
         FROM (${positions}) AS each WHERE each.payment_order_id = payment.payment_order_id`,
    );
    let steps = 0;
    const dying = new Proxy(database, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
        return (statement: string, ...rest: [string, unknown[]]) => {
          if (statement === 'put-aside-stopped' && (steps += 1) === 3) throw new Error('killed');
          return target.query(statement, ...rest);
        };
      },
    });
    await expect(
      new PaymentStops(dying, new DatabaseReader(dying, undefined), clock, scheme).stop({ target: all, mandate }),
    ).rejects.toThrow('killed');
    expect(await countStopped()).toBe(1_000);
    expect(await stops.stop({ target: all, mandate })).toMatchObject({ stopped: due + waiting + held - 1_000 });
    expect(await countStopped()).toBe(due + waiting + held);
    expect(await stops.resume({ target: all, mandate })).toMatchObject({ resumed: due + waiting + held });
    expect(await countStopped()).toBe(0);
    await unguarded('DELETE FROM payment_orders');
  });

  it('reads a list that may not continue yet page by page, and once', async () => {
    await aFilePayment(many(1));
    await copyFilePayments(600);
    await stops.stop({ target: all, mandate });
    const { changed, next } = await putBackReleased(database, clock.now());
    expect({ changed, next }).toEqual({ changed: 0, next: expect.anything() });
    expect(await putBackReleased(database, clock.now(), next)).toEqual({ changed: 0, next: undefined });
    await unguarded('DELETE FROM payment_orders');
  });

  it('is not looked for among those that have ended, however many they are', async () => {
    await aFilePayment(many(1));
    await copyFilePayments(600);
    await unguarded(
      `UPDATE payment_orders SET status = 'InitiationFailed', next_attempt_at = NULL, approvals_required = 2`,
    );
    for (const list of openLists)
      expect(await putAsideStopped(database, { list, now: clock.now() })).toEqual({ changed: 0, next: undefined });
    await unguarded('DELETE FROM payment_orders');
  });

  it.each([
    ['due', 'next_attempt_at = next_attempt_at'],
    ['waiting', 'next_attempt_at = NULL, approvals_required = 2'],
    ['held', 'next_attempt_at = NULL, held_at = created_at'],
  ] as const)('takes what is %s from that list alone', async (list, change) => {
    await aFilePayment(many(1));
    await unguarded(`UPDATE payment_orders SET ${change}`);
    await orderStop(database, all, { ...mandate, now: clock.now() });
    for (const each of openLists.filter((other) => other !== list))
      expect(await putAsideStopped(database, { list: each, now: clock.now() })).toEqual({
        changed: 0,
        next: undefined,
      });
    expect(await putAsideStopped(database, { list, now: clock.now() })).toEqual({ changed: 1, next: undefined });
  });

  it('reaches a worker in the middle of a file: the group under way is noted, no other leaves, nothing leaves twice', async () => {
    const id = await aFilePayment(many(30));
    // The first one of the second group, so that all of that group wait, however slow the machine is.
    afterHandOver(11, () => stops.stop({ target: all, mandate }));
    await processNext(processor);
    expect(scheme.handedOver).toHaveLength(20);
    expect((await statusesOf(id)).filter((status) => status === good.status)).toHaveLength(20);
    await stops.resume({ target: all, mandate });
    await drain(processor);
    expect(new Set(scheme.handedOver).size).toBe(30);
    expect(scheme.handedOver).toHaveLength(30);
  });

  it('has the bank refuse what is still on its way', async () => {
    const id = await aFilePayment(many(2));
    const late: BankPayment[] = [];
    scheme.outcomeOf = (payment) => {
      late.push(payment);
      throw new Error('the answer is lost');
    };
    await processNext(processor);
    const outcome = await stops.stop({ target: { scope: 'PaymentOrder', target: id }, mandate });
    expect(outcome).toMatchObject({ stopped: 1, fenced: 1, unfenced: 0, unreachable: 0 });
    scheme.outcomeOf = () => good;
    for (const payment of late) {
      const call = { interactionId: 'i' };
      await expect(scheme.handOverPayment({ payment, attempt: 1, call })).rejects.toThrow('A later attempt is known');
    }
  });

  it('fences what a worker has put aside by itself, however many pages there are', async () => {
    const ids = [await aFilePayment(many(1)), await aFilePayment(many(1)), await aFilePayment(many(1))];
    afterHandOver(1, () => setClient('Suspended'));
    await processNext(processor);
    // To the microsecond, as the database writes it.
    await run(`UPDATE payment_orders SET stopped_at = stopped_at + interval '7 microseconds'`, []);
    const begun = await findBegunStoppedOrders(database);
    expect(begun).toMatchObject([{ stopCause: 'Client', handOverAttempt: 2 }]);
    expect(await findBegunStoppedOrders(database, begun[0])).toEqual([]);
    const outcome = await stops.stop({ target: { scope: 'Client', target: clientId }, mandate });
    expect(outcome).toMatchObject({ stopped: 2, fenced: 1, unfenced: 0, unreachable: 0 });
    expect(scheme.attempts.get(begun[0]?.filePaymentId ?? '')).toBe(2);
    expect(ids).toContain(begun[0]?.filePaymentId);
  });

  it('continues with the others if the bank answers oddly about one', async () => {
    for (let file = 0; file < 3; file += 1) await aFilePayment(many(11));
    scheme.outcomeOf = () => {
      throw new BankUnavailableError('The bank is away.');
    };
    for (let file = 0; file < 3; file += 1) await processNext(processor);
    let asked = 0;
    const fence = scheme.fenceBatch.bind(scheme);
    scheme.fenceBatch = async (request) => {
      asked += 1;
      if (asked === 1) throw new BankRefusedError('The bank answered 400.');
      return fence(request);
    };
    expect(await stops.stop({ target: all, mandate })).toMatchObject({ stopped: 3, fenced: 2, unreachable: 1 });
  });

  it('of everything is not revoked for one file payment', async () => {
    const id = await aFilePayment(many(1));
    await stops.stop({ target: all, mandate });
    const target = { scope: 'PaymentOrder', target: id } as const;
    await expect(stops.resume({ target, mandate })).rejects.toMatchObject({ reason: 'refused' });
    await setClient('Suspended');
    await stops.resume({ target: all, mandate });
    expect(await stops.findStopped()).toMatchObject([{ filePaymentId: id }]);
  });

  it('is written to the audit trail, and revokes only what was ordered', async () => {
    const target = { scope: 'Client', target: clientId } as const;
    await stops.stop({ target, mandate: { actor: 'olivia', reason: 'to be audited' } });
    clock.time += 1_000;
    await stops.resume({ target, mandate: { actor: 'oscar', reason: 'to be audited' } });
    await expect(stops.resume({ target, mandate })).rejects.toMatchObject({ reason: 'refused' });
    const events = await run(
      `SELECT actor, action FROM audit_events WHERE details ->> 'reason' = 'to be audited' AND client_id = $1
        ORDER BY occurred_at`,
      [clientId],
    );
    expect(events).toEqual([
      { actor: 'olivia', action: 'payments.stop' },
      { actor: 'oscar', action: 'payments.resume' },
    ]);
  });
});

describe('what an operator does with payments', () => {
  it('is not done if the audit trail cannot record who did it', async () => {
    const nobody = { actor: '', reason: 'fraud' };
    const unrecorded = 'audit_events_actor_check';
    const id = await aFilePayment(many(1));
    await run('UPDATE payment_orders SET held_at = $1, next_attempt_at = NULL', [clock.now()]);
    await expect(operations.retry(id, nobody)).rejects.toThrow(unrecorded);
    expect(await operations.findHeld()).toHaveLength(1);
    await operations.retry(id, mandate);
    await expect(stops.stop({ target: all, mandate: nobody })).rejects.toThrow(unrecorded);
    expect(await stops.findStops()).toEqual([]);
    await stops.stop({ target: all, mandate });
    await expect(operations.reject(id, nobody, true)).rejects.toThrow(unrecorded);
    await expect(stops.resume({ target: all, mandate: nobody })).rejects.toThrow(unrecorded);
    expect(await stops.findStops()).toHaveLength(1);
    expect((await stateOf(id)).status).toBe('InitiationPending');
  });
});

describe('a client that is shut out', () => {
  it.each([
    ['Suspended', null],
    ['Deleted', 'Bank'],
    ['Deleted', null],
  ] as const)(
    'by the bank (%s): what was approved waits, and continues when somebody lets it',
    async (status, removedBy) => {
      const id = await aFilePayment(many(1));
      await setClient(status, removedBy);
      await drain(processor);
      expect(scheme.handedOver).toEqual([]);
      expect(await stops.findStopped()).toMatchObject([{ filePaymentId: id, stopCause: 'Client' }]);
      await stops.resume({ target: { scope: 'PaymentOrder', target: id }, mandate });
      await drain(processor);
      expect((await stateOf(id)).status).toBe('InitiationCompleted');
    },
  );

  it('again, after somebody let a file payment continue: it waits again', async () => {
    const id = await aFilePayment(many(30));
    await setClient('Suspended');
    await drain(processor);
    await stops.resume({ target: { scope: 'PaymentOrder', target: id }, mandate });
    clock.time += 60_000;
    await run('UPDATE clients SET updated_at = $1', [clock.now()]);
    await drain(processor);
    expect(scheme.handedOver).toEqual([]);
    expect(await stops.findStopped()).toMatchObject([{ filePaymentId: id, stopCause: 'Client' }]);
  });

  it('by itself: what was approved is still paid', async () => {
    const id = await aFilePayment(many(1));
    await setClient('Deleted', 'Client');
    await drain(processor);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
  });

  it('is checked before each group', async () => {
    await aFilePayment(many(30));
    afterHandOver(3, () => setClient('Suspended'));
    await processNext(processor);
    expect(scheme.handedOver).toHaveLength(10);
    await setClient('Active');
    await putBackAllReleased(database, clock.now());
    await drain(processor);
    expect(new Set(scheme.handedOver).size).toBe(30);
  });

  it('has only files that are put aside in progress compared with the book', async () => {
    const queue = new PaymentQueue(database, config, clock);
    await aFilePayment(many(1));
    const due = (await queue.takeNext()) as DueOrder;
    await queue.noteHandedOver(due, []);
    expect(await run('SELECT FROM reconciliations', [])).toHaveLength(0);
    await setClient('Suspended');
    await expect(queue.noteHandedOver(due, [])).rejects.toThrow(LeaseLostError);
    expect(await run('SELECT FROM reconciliations', [])).toHaveLength(1);
  });

  it('loses what waits for further approvals', async () => {
    const id = await aFilePayment(many(2));
    await run('SET session_replication_role = replica', []);
    await run('UPDATE payment_orders SET approvals_required = 2, next_attempt_at = NULL', []).finally(() =>
      run('SET session_replication_role = DEFAULT', []),
    );
    expect(await endApprovalsOfClient(database, { clientId, now: clock.now() })).toBe(1);
    expect((await stateOf(id)).status).toBe('InitiationFailed');
    expect(await statusesOf(id)).toEqual(['Rejected', 'Rejected']);
  });
});

describe('payments reject', () => {
  it('ends what is stopped; what the bank has of it is noted, not rejected', async () => {
    const id = await aFilePayment(many(2));
    scheme.outcomeOf = () => {
      throw new Error('the answer is lost');
    };
    await processNext(processor);
    await stops.stop({ target: all, mandate });
    const [first] = await run('SELECT payment_id FROM payments ORDER BY position', []);
    const taken = { paymentId: String(first?.['payment_id']), amount: '1.00', currency: 'GBP' };
    scheme.book = () => ({ decision: 'Accepted', payments: [{ ...taken, status: 'AcceptedSettlementInProcess' }] });
    expect(await operations.reject(id, mandate)).toMatchObject({ foundAtBank: 1 });
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
    expect(await statusesOf(id)).toEqual(['AcceptedSettlementInProcess', 'Rejected']);
    await stops.resume({ target: all, mandate });
    scheme.outcomeOf = () => good;
    await drain(processor);
    expect(scheme.handedOver).toEqual([]);
  });

  it('is refused while the bank cannot say what it has, unless somebody has asked there', async () => {
    const id = await aFilePayment(many(1));
    await stops.stop({ target: all, mandate });
    scheme.book = () => {
      throw new BankUnavailableError('The bank answered 503.');
    };
    await expect(operations.reject(id, mandate)).rejects.toMatchObject({
      reason: 'failed',
      message: expect.stringContaining('--without-bank'),
    });
    expect((await stateOf(id)).status).toBe('InitiationPending');
    await operations.reject(id, mandate, true);
    expect((await stateOf(id)).status).toBe('InitiationFailed');
  });

  it('is refused by a bank that does not show its book: a 404 says nothing of what it has', async () => {
    const id = await aFilePayment(many(1));
    await stops.stop({ target: all, mandate });
    await expect(operations.reject(id, mandate)).rejects.toMatchObject({
      reason: 'failed',
      message: expect.stringContaining('--without-bank'),
    });
    expect(await statusesOf(id)).toEqual(['Pending']);
  });

  it('waits until nothing can be on its way to a bank that refuses no late requests', async () => {
    const id = await aFilePayment(many(1));
    await stops.stop({ target: all, mandate });
    scheme.fenceBatch = async () => 'NotOffered';
    scheme.book = () => ({ decision: 'Unknown', payments: [] });
    const { filePayment, bank } = config;
    clock.time += filePayment.leaseSeconds * 1_000 + bank.timeoutMilliseconds - 1;
    await expect(operations.reject(id, mandate)).rejects.toMatchObject({ reason: 'failed' });
    clock.time += 1;
    expect(await operations.reject(id, mandate)).toMatchObject({ foundAtBank: 0 });
  });

  it('ends nothing once somebody else has continued it', async () => {
    const id = await aFilePayment(many(2));
    await stops.stop({ target: all, mandate });
    scheme.book = async () => {
      await stops.resume({ target: all, mandate });
      await drain(processor);
      await stops.stop({ target: all, mandate });
      return { decision: 'Unknown', payments: [] };
    };
    scheme.outcomeOf = () => {
      throw new BankUnavailableError('The answer is lost.');
    };
    await expect(operations.reject(id, mandate)).rejects.toMatchObject({ reason: 'refused' });
    expect(await statusesOf(id)).toEqual(['Pending', 'Pending']);
  });

  it('says in the audit trail what the bank was asked', async () => {
    const id = await aFilePayment(many(1));
    await stops.stop({ target: all, mandate });
    await operations.reject(id, { actor: 'olivia', reason: 'audited rejection' }, true);
    const events = await run(
      "SELECT action, details FROM audit_events WHERE details ->> 'reason' = 'audited rejection' ORDER BY occurred_at, action DESC",
      [],
    );
    expect(events).toMatchObject([
      { action: 'payment-order.seize' },
      { action: 'payment-order.reject', details: { filePaymentId: id, foundAtBank: 'not asked' } },
    ]);
  });

  it('needs something that is held or stopped', async () => {
    const id = await aFilePayment(many(1));
    await expect(operations.reject(id, mandate)).rejects.toMatchObject({ reason: 'refused' });
  });
});

/** @returns the operations of a person with this database account */
async function withAccount(account: string): Promise<Operations> {
  const { pool, applicationName } = database;
  await pool.query(`CREATE ROLE "${account}" SUPERUSER LOGIN PASSWORD 'of-the-test'`).catch(() => undefined);
  const url = new URL(String(Reflect.get(pool.options, 'connectionString')));
  Object.assign(url, { username: encodeURIComponent(account), password: 'of-the-test' });
  const settings = { url: url.href, poolSize: 2, applicationName };
  const own = new Database(openPool(settings), settings);
  people.push(own);
  const strict = { filePayment: { ...config.filePayment, needsSecondPerson: true } } as unknown as Config;
  const secondPerson = new SecondPerson(own, new DatabaseReader(own, undefined), clock, strict);
  return { payments: operations, stops, secondPerson } as unknown as Operations;
}

const request = async (command: ServiceCommand, account = 'olivia'): Promise<string> =>
  ((await runCommand(command, await withAccount(account))) as { requestId: string }).requestId;

/** @param actor the name that is given at the terminal */
const confirm = async (requestId: string, account: string, actor = account): Promise<unknown> =>
  runCommand({ name: 'confirm', requestId, mandate: { actor } }, await withAccount(account));

describe('OPERATOR_FOUR_EYES', () => {
  const stopAll = { name: 'stop', target: all, mandate } as const;

  it('has a stop of everything confirmed by another person, once', async () => {
    const requestId = await request(stopAll);
    expect(await stops.findStops()).toEqual([]);
    await expect(confirm(requestId, 'olivia')).rejects.toMatchObject({ reason: 'refused' });
    const outcomes = await Promise.allSettled(['oscar', 'oscar', 'omar'].map((name) => confirm(requestId, name)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await stops.findStops()).toMatchObject([{ scope: 'All', actor: 'olivia' }]);
  });

  it('knows a person by the database account, whatever name is given', async () => {
    const requestId = await request({ ...stopAll, mandate: { actor: 'oscar', reason: 'fraud' } });
    for (const name of ['oscar', ' olivia', 'olivia\u200b'])
      await expect(confirm(requestId, 'olivia', name)).rejects.toMatchObject({ reason: 'refused' });
    for (const account of [' Olivia', 'o livia', 'olivia\u200b'])
      await expect(confirm(requestId, account)).rejects.toMatchObject({ reason: 'refused' });
    const confirmation = { name: 'confirm', requestId, mandate: { actor: 'olivia', reason: 'seen' } } as const;
    await runCommand(confirmation, await withAccount('oscar'));
    expect(await stops.findStops()).toMatchObject([{ scope: 'All', actor: 'olivia' }]);
    const named = await run(
      `SELECT actor, details ->> 'reason' AS reason FROM audit_events WHERE details ->> 'requestId' = $1
       ORDER BY occurred_at, action DESC`,
      [requestId],
    );
    expect(named).toEqual([
      { actor: 'olivia', reason: 'fraud' },
      { actor: 'oscar', reason: 'seen' },
    ]);
  });

  it('says that a request is used up when it could not be carried out', async () => {
    const id = await aFilePayment(many(1));
    const requestId = await request({ name: 'reject', filePaymentId: id, mandate, isWithoutBank: true });
    await expect(confirm(requestId, 'oscar')).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringMatching(/held .*, or stopped\. The request \S+ is used up: for another attempt, make/),
    });
  });

  it.each<[string, string, (id: string) => Promise<ServiceCommand>]>([
    ['a stop', 'payments.stop', async () => stopAll],
    [
      'its end',
      'payments.resume',
      async () => {
        await stops.stop({ target: all, mandate });
        return { ...stopAll, name: 'continue' };
      },
    ],
    [
      'a rejection',
      'payment-order.seize',
      async (filePaymentId) => {
        await stops.stop({ target: all, mandate });
        return { name: 'reject', filePaymentId, mandate, isWithoutBank: true };
      },
    ],
    [
      'a conclusion',
      'payment.conclude',
      async () => {
        scheme.outcomeOf = () => ({ status: 'AcceptedSettlementInProcess' });
        await drain(processor);
        await run('UPDATE payment_orders SET held_at = $1', [clock.now()]);
        const [payment] = await run('UPDATE payments SET next_attempt_at = NULL RETURNING payment_id', []);
        return { name: 'conclude', paymentId: String(payment?.['payment_id']), status: 'Rejected', mandate };
      },
    ],
  ])('keeps the request of %s open if the database fails, and has it confirmed once', async (_title, action, make) => {
    const requestId = await request(await make(await aFilePayment(many(1))));
    const breakOff = `'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'`;
    await run(`CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS ${breakOff}`, []);
    await run(
      `CREATE TRIGGER break_off BEFORE INSERT ON audit_events FOR EACH ROW WHEN (NEW.action = '${action}')
       EXECUTE FUNCTION break_off()`,
      [],
    );
    await expect(confirm(requestId, 'oscar')).rejects.toMatchObject({ code: '57P01' });
    await run('DROP FUNCTION break_off CASCADE', []);
    await confirm(requestId, 'oscar');
    const confirmed = `SELECT actor FROM audit_events
      WHERE action = 'operator.confirm' AND details ->> 'requestId' = $1`;
    expect(await run(confirmed, [requestId])).toEqual([{ actor: 'oscar' }]);
    await expect(confirm(requestId, 'omar')).rejects.toThrow(/used up, make/);
  });

  it('is needed for a rejection, and not for a stop of one client', async () => {
    const id = await aFilePayment(many(1));
    const target = { scope: 'Client', target: clientId } as const;
    await runCommand({ name: 'stop', target, mandate: { ...mandate, actor: 'oscar' } }, await withAccount('olivia'));
    expect(await stops.findStops()).toMatchObject([{ actor: 'olivia' }]);
    await request({ name: 'reject', filePaymentId: id, mandate, isWithoutBank: true });
    expect((await stateOf(id)).status).toBe('InitiationPending');
    expect(await runCommand({ name: 'requests' }, await withAccount('oscar'))).toMatchObject([
      { requestedBy: 'olivia', command: { name: 'reject' } },
    ]);
  });

  it('forgets a request after a day', async () => {
    const requestId = await request(stopAll);
    clock.time += 86_400_001;
    await expect(confirm(requestId, 'oscar')).rejects.toMatchObject({ reason: 'refused' });
  });
});
