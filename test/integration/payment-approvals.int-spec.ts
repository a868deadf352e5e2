import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { endApprovalsOfClient, PaymentApprovalService, PaymentQueue } from '#libs/payment-order';
import { walk } from '#libs/persistence';
import { runUnguarded } from '../support/unguarded.js';
import {
  aFilePayment,
  clientId,
  clock,
  config,
  database,
  day,
  many,
  run,
  stateOf,
  usePaymentProcessor,
} from './payment-processor/payment-processor-world.js';

usePaymentProcessor();

type Decision = Parameters<PaymentApprovalService['decide']>[0];
const account = { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20000112345678' };
let approvals: PaymentApprovalService;

beforeEach(async () => {
  approvals = new PaymentApprovalService(database);
  await run('TRUNCATE approval_sessions, decline_notices', []);
  await run(`UPDATE clients SET status = 'Active'`, []);
});

/** A file payment that the customer `psu` has approved, and that this many must approve. */
async function aShared(approvalsRequired = 2, count = 2): Promise<string> {
  const id = await aFilePayment(many(count));
  await change(id, ['payment_orders', `approvals_required = ${approvalsRequired}, next_attempt_at = NULL`]);
  await change(id, ['payment_consents', `approvals_required = ${approvalsRequired}`]);
  return id;
}

const keys = {
  payment_orders: 'payment_order_id = $1',
  payments: 'payment_order_id = $1',
  payment_consents: 'consent_id = (SELECT consent_id FROM payment_orders WHERE payment_order_id = $1)',
  clients: 'client_id = (SELECT client_id FROM payment_orders WHERE payment_order_id = $1)',
  approval_sessions: `challenge ->> 'filePaymentId' = $1::uuid::text`,
};
type Change = readonly [table: keyof typeof keys, change: string];

/** Changes what belongs to one file payment, as nothing else would. */
const change = (id: string, [table, to]: Change): Promise<void> =>
  runUnguarded(database.pool, `UPDATE ${table} SET ${to} WHERE ${keys[table]}`, [id]);

/** No program leaves this behind. */
const anySettled: Change = [
  'payments',
  `status = CASE position WHEN 0 THEN 'AcceptedSettlementCompleted' ELSE status END`,
];

const hashOf = async (id: string): Promise<Buffer> =>
  (
    await run(
      'SELECT approval_hash FROM payment_consents JOIN payment_orders USING (consent_id) WHERE payment_order_id = $1',
      [id],
    )
  )[0]?.['approval_hash'] as Buffer;

/** What this person decides, who has been asked for a code. */
async function aDecision(filePaymentId: string, psuId = 'second'): Promise<Decision> {
  const [sessionHash, challengeId, approvalHash] = [randomBytes(32), randomUUID(), await hashOf(filePaymentId)];
  const challenge = { challengeId, filePaymentId, approvalHash: approvalHash.toString('hex'), payees: [] };
  const expiresAt = new Date(clock.time + 60_000);
  await run(
    `INSERT INTO approval_sessions (approval_session_id, session_hash, psu_id, psu_name, created_at, expires_at, challenge)
     VALUES ($1, $2, $3, 'N', $4, $5, $6)`,
    [randomUUID(), sessionHash, psuId, clock.now(), expiresAt, challenge],
  );
  return {
    outcome: 'Approved',
    psuId,
    accounts: [account],
    filePaymentId,
    approvalHash,
    acr: 'acr',
    authenticatedAt: clock.now(),
    challenge: { sessionHash, challengeId },
    now: clock.now(),
  };
}

const aDecline = async (filePaymentId: string, psuId = 'second'): Promise<Decision> => {
  const { challenge: _, ...decision } = await aDecision(filePaymentId, psuId);
  const notice = { psuId, reason: 'SuspectedFraud', filePaymentId, requestedBy: 'S' } as const;
  return { ...decision, outcome: 'Declined', reason: 'SuspectedFraud', notice };
};

/** Every row that a decision could change, of all file payments but one. */
const everything = async (but: string = randomUUID()) => [
  await run('SELECT * FROM payment_orders WHERE payment_order_id <> $1 ORDER BY payment_order_id', [but]),
  await run('SELECT * FROM payments WHERE payment_order_id <> $1 ORDER BY payment_id', [but]),
  await run('SELECT * FROM payment_approvals WHERE payment_order_id <> $1 ORDER BY psu_id', [but]),
  await run(`SELECT * FROM approval_sessions WHERE challenge ->> 'filePaymentId' <> $1 ORDER BY session_hash`, [but]),
];

const orderOf = async (id: string) =>
  (await run('SELECT * FROM payment_orders WHERE payment_order_id = $1', [id]))[0] ?? {};

const nothingToDecide: Record<string, Change> = {
  'has failed': ['payment_orders', `status = 'InitiationFailed'`],
  'has all approvals': ['payment_orders', 'approvals_received = 2'],
  'has more approvals than it needs': ['payment_orders', 'approvals_received = 3'],
  'was approved by the same person first': ['payment_consents', `psu_id = 'second'`],
};
const ofOtherAccounts: Record<string, Change> = {
  'is of another scheme': ['payment_consents', `debtor_account = debtor_account || '{"SchemeName": "UK.OBIE.PAN"}'`],
  'is of another account': ['payment_consents', `debtor_account = debtor_account || '{"Identification": "2"}'`],
};
const cannotBeMade: Record<string, Change> = {
  'is stopped': ['payment_orders', `stopped_at = now(), stop_cause = 'Operator'`],
  'is of a suspended client': ['clients', `status = 'Suspended'`],
};
const withoutItsCode: Record<string, Change> = {
  'was challenged as somebody else': ['approval_sessions', `psu_id = 'third'`],
  'is signed out by now': ['approval_sessions', 'expires_at = created_at'],
  'was asked for another code since': ['approval_sessions', `challenge = challenge || '{"challengeId": "another"}'`],
  'was asked for another list': ['approval_sessions', `challenge = challenge || '{"approvalHash": "00"}'`],
  'has used the code': ['approval_sessions', 'challenge = NULL'],
};

describe('a further approver', () => {
  it('approves with the code for it: the last approval makes it due, and nothing else changes', async () => {
    const [id, other] = [await aShared(3), await aShared(3)];
    const decisions = [await aDecision(id), await aDecision(id, 'third'), await aDecision(other)];
    const others = await everything(id);
    expect(await approvals.decide(decisions[0]!)).toBe(true);
    expect(await orderOf(id)).toMatchObject({ approvals_received: 2, next_attempt_at: null });
    expect(await approvals.decide({ ...(await aDecision(id)), now: clock.now() })).toBe(false);
    expect(await approvals.decide(decisions[1]!)).toBe(true);
    const due = { approvals_received: 3, next_attempt_at: clock.now(), status: 'InitiationPending' };
    expect(await orderOf(id)).toMatchObject(due);
    expect(await everything(id)).toEqual(others);
    const used = await run('SELECT session_hash FROM approval_sessions WHERE challenge IS NULL', []);
    expect(used).toHaveLength(2);
    // The bank is shown the codes of those who approved it, and of nobody else.
    expect(await approvals.decide(decisions[2]!)).toBe(true);
    const taken = await new PaymentQueue(database, config, clock).takeNext();
    const codes = ['challenge', ...decisions.slice(0, 2).map(({ challenge }) => challenge?.challengeId)];
    expect(taken).toMatchObject({ filePaymentId: id, challengeIds: { length: 3 } });
    expect(taken).toMatchObject({ challengeIds: expect.arrayContaining(codes) });
  });

  it('decides once, of 200 clicks on either button', async () => {
    const id = await aShared();
    const [approval, decline] = [await aDecision(id), await aDecline(id)];
    const clicks = Array.from({ length: 200 }, (_, click) => approvals.decide(click % 50 === 7 ? decline : approval));
    expect((await Promise.all(clicks)).filter(Boolean)).toHaveLength(1);
    expect(await run('SELECT FROM payment_approvals', [])).toHaveLength(1);
  });

  it('declines without a code: its payments are rejected, the bank hears why, and nothing else changes', async () => {
    const [id, other] = [await aShared(), await aShared()];
    const decline = await aDecline(id);
    await aDecline(other);
    await change(id, anySettled);
    const others = await everything(id);
    expect(await approvals.decide(decline)).toBe(true);
    const { status, isDue, payments } = await stateOf(id);
    expect([status, isDue]).toEqual(['InitiationFailed', false]);
    expect(payments.map((each) => each['status'])).toEqual(['AcceptedSettlementCompleted', 'Rejected']);
    expect(await run('SELECT report FROM decline_notices', [])).toEqual([{ report: decline.notice }]);
    expect(await everything(id)).toEqual(others);
  });

  it.each(Object.entries({ ...nothingToDecide, ...ofOtherAccounts }))(
    'decides nothing about a file payment that %s',
    async (_title, differs) => {
      const id = await aShared();
      const decisions = [await aDecision(id), await aDecline(id)];
      await change(id, differs);
      const before = await everything();
      for (const decision of decisions) expect(await approvals.decide(decision)).toBe(false);
      expect(await everything()).toEqual(before);
    },
  );

  it.each(Object.entries(cannotBeMade))(
    'declines, but never approves, a file payment that %s',
    async (_title, differs) => {
      const id = await aShared();
      const [approval, decline] = [await aDecision(id), await aDecline(id)];
      await change(id, differs);
      expect(await approvals.decide(approval)).toBe(false);
      expect(await orderOf(id)).toMatchObject({ approvals_received: 1, next_attempt_at: null });
      expect(await approvals.decide(decline)).toBe(true);
    },
  );

  it.each(Object.entries(withoutItsCode))('approves nothing who %s', async (_title, differs) => {
    const id = await aShared();
    const approval = await aDecision(id);
    await change(id, differs);
    const before = await everything();
    expect(await approvals.decide(approval)).toBe(false);
    expect(await everything()).toEqual(before);
  });

  it('approves nothing but what was shown', async () => {
    const [id, other] = [await aShared(), await aShared()];
    const [approval, ofOther] = [await aDecision(id), await aDecision(other)];
    const before = await everything();
    for (const wrong of [{ approvalHash: Buffer.alloc(32) }, { challenge: ofOther.challenge! }])
      expect(await approvals.decide({ ...approval, ...wrong })).toBe(false);
    expect(await approvals.decide({ ...(await aDecline(id)), approvalHash: Buffer.alloc(32) })).toBe(false);
    expect((await everything()).slice(0, 3)).toEqual(before.slice(0, 3));
  });
});

/** What this person is shown. */
const listed = async (psuId: string) => ({
  awaiting: (await approvals.findAwaiting(psuId, [account])).map(({ filePaymentId }) => filePaymentId),
  decided: (await approvals.findDecided(psuId, [account])).map(({ filePaymentId }) => filePaymentId),
});

describe('the lists of a further approver', () => {
  it('show what waits for them, the oldest first, and to whoever has decided, what they decided', async () => {
    const first = await aShared(3);
    clock.time += 1_000;
    const second = await aShared(3);
    for (const id of [first, second]) expect(await approvals.decide(await aDecision(id, 'third'))).toBe(true);
    expect(await listed('second')).toEqual({ awaiting: [first, second], decided: [] });
    for (const psuId of ['psu', 'third'])
      expect(await listed(psuId)).toEqual({ awaiting: [], decided: [second, first] });
    expect(await approvals.findAwaiting('second', [{ ...account, schemeName: 'UK.OBIE.PAN' }])).toEqual([]);
    expect(await approvals.findDecided('psu', [{ ...account, schemeName: 'UK.OBIE.PAN' }])).toEqual([]);
  });

  it.each(Object.entries({ ...nothingToDecide, ...cannotBeMade, ...ofOtherAccounts }))(
    'do not ask about a file payment that %s',
    async (title, differs) => {
      const id = await aShared();
      await change(id, differs);
      expect(await listed('second')).toEqual({ awaiting: [], decided: title in nothingToDecide ? [id] : [] });
      const isShown = !(title in ofOtherAccounts);
      expect((await approvals.find('second', [account], id)) !== undefined).toBe(isShown);
    },
  );

  it('leave out what a single person approves', async () => {
    const id = await aShared(1);
    expect(await listed('psu')).toEqual({ awaiting: [], decided: [] });
    expect(await approvals.find('psu', [account], id)).toBeUndefined();
  });

  it('show each person their own part in it, and a reason only to whoever gave it', async () => {
    const [id, other] = [await aShared(), await aShared()];
    expect(await approvals.decide(await aDecision(other, 'third'))).toBe(true);
    expect(await approvals.decide(await aDecline(id))).toBe(true);
    const shown = async (psuId: string) => (await approvals.find(psuId, [account], id))?.payment;
    const declined = { psuId: 'second', outcome: 'Declined', decidedAt: clock.now() };
    const first = { psuId: 'psu', outcome: 'Approved', decidedAt: clock.now() };
    const common = { filePaymentId: id, isClientActive: true, isStopped: false };
    expect(await shown('second')).toMatchObject({
      ...common,
      isFirstApprover: false,
      decision: { outcome: 'Declined', decidedAt: clock.now() },
      decisions: [first, { ...declined, reason: 'SuspectedFraud' }],
    });
    const ofFirst = await shown('psu');
    expect(ofFirst?.decision).toBeUndefined();
    expect(ofFirst).toMatchObject({ ...common, isFirstApprover: true });
    expect(ofFirst?.decisions).toEqual([first, declined]);
    await change(id, cannotBeMade['is stopped']!);
    await change(id, cannotBeMade['is of a suspended client']!);
    expect(await shown('psu')).toMatchObject({ isClientActive: false, isStopped: true });
  });
});

describe('what waits for further approvers too long, or for a client that is gone', () => {
  const others: Record<string, Change> = {
    'was approved meanwhile': ['payment_orders', 'approvals_received = 2'],
    'was completed': ['payment_orders', `status = 'InitiationCompleted'`],
  };
  const ways: Record<string, () => Promise<unknown>> = {
    'its time is over': () =>
      walk((after) => approvals.endOverdue({ now: clock.now(), batchSize: 1, approvalSeconds: 86_400 }, after)),
    'its client is gone': () => endApprovalsOfClient(database, { clientId, now: clock.now() }),
  };

  it.each(Object.entries(ways))('ends, and nothing else, where %s', async (_title, end) => {
    const waiting = [await aShared(), await aShared(), await aShared()];
    const kept = [await aShared(), await aShared()];
    for (const [index, differs] of Object.values(others).entries()) await change(kept[index]!, differs);
    await change(waiting[0]!, anySettled);
    clock.time += day;
    const young = await aFilePayment(many(1));
    await change(young, [
      'payment_orders',
      `client_id = gen_random_uuid(), approvals_required = 2, next_attempt_at = NULL`,
    ]);
    const stays = async () =>
      await Promise.all([...kept, young].map(async (id) => [await orderOf(id), await stateOf(id)]));
    const before = await stays();
    expect(await end()).toBe(3);
    expect(await stays()).toEqual(before);
    const ended = { status: 'InitiationFailed', isDue: false };
    for (const id of waiting) expect(await stateOf(id)).toMatchObject(ended);
    const statuses = (await stateOf(waiting[0]!)).payments.map((each) => each['status']);
    expect(statuses).toEqual(['AcceptedSettlementCompleted', 'Rejected']);
  });
});
