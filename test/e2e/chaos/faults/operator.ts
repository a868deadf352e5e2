import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.js';
import type { ChaosWorld } from '../world/chaos-world.js';
import type { Fault, Scene } from './fault.js';
import { payroll, traders } from '../customers/order.js';
import type { Intervention } from '../world/history.js';

/** What is stopped: the words of the command, and its name in the accounting. */
interface Target {
  readonly words: readonly string[];
  readonly about: Pick<Intervention, 'filePaymentId' | 'clientId' | 'psuId'>;
}

/**
 * An operator stops payments that were not handed over: of one file, of a TPP, of a customer, or all; then releases or
 * ends them.
 */
export const stoppedPayments: Fault = {
  name: 'stops',
  strike: async (scene, dice) => {
    const { history, operator } = scene.world;
    const { words, about } = await chooseTarget(scene, dice);
    if (history.isStopped(about)) return;
    const stop = history.announce({ kind: 'stopped', ...about });
    stop.from = (await operator.insist('payments', 'stop', ...words, '--reason', 'chaos')).answeredAt;
    await sleep(dice.between(300, 4_000));
    if (about.filePaymentId !== undefined && dice.happens(50)) await reject(scene.world, about.filePaymentId);
    stop.until = Date.now();
    await operator.insist('payments', 'resume', ...words, '--reason', 'chaos');
    stop.endedAt = Date.now();
  },
};

async function chooseTarget({ world, tpps }: Scene, dice: Random): Promise<Target> {
  const [first, ...others] = tpps;
  const scope = dice.pick(['file', 'file', 'file', 'client', 'psu', 'all']);
  const { clientId } = first === undefined ? { clientId: '' } : dice.pick([first, ...others]);
  const { psuId } = dice.pick([payroll, traders]);
  if (scope === 'file') {
    const filePaymentId = await findPending(world);
    if (filePaymentId !== undefined) return { words: ['--payment-order', filePaymentId], about: { filePaymentId } };
  }
  if (scope === 'psu') return { words: ['--psu', psuId], about: { psuId } };
  if (scope === 'all') return { words: ['--all'], about: {} };
  return { words: ['--client', clientId], about: { clientId } };
}

/** @returns the newest file payment in progress */
async function findPending({ database }: ChaosWorld): Promise<string | undefined> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT payment_order_id AS id FROM payment_orders WHERE status = 'InitiationPending' AND next_attempt_at IS NOT NULL
      ORDER BY created_at DESC LIMIT 1`,
  );
  return rows[0]?.id;
}

/** The bank suspends a TPP, and reinstates it. */
export const suspendedClients: Fault = {
  name: 'suspensions',
  strike: async ({ world, tpps }, dice) => {
    const { history, operator } = world;
    const [first, ...others] = tpps;
    if (first === undefined) return;
    const { clientId } = dice.pick([first, ...others]);
    if (history.isSuspended(clientId)) return;
    const suspension = history.announce({ kind: 'suspended', clientId });
    // Refused: its registration is gone, or an earlier attempt succeeded without an answer.
    suspension.from = (await operator.insist('clients', 'suspend', clientId, '--reason', 'chaos')).answeredAt;
    await sleep(dice.between(500, 8_000));
    suspension.until = Date.now();
    await operator.insist('clients', 'resume', clientId, '--reason', 'chaos');
    suspension.endedAt = Date.now();
  },
};

/** A TPP deletes its registration while its payments are in progress, and registers as a new client. */
export const leavingTpps: Fault = {
  name: 'leaving',
  strike: async ({ tpps }, dice) => {
    const [first, ...others] = tpps;
    if (first !== undefined) dice.pick([first, ...others]).leaveSoon();
  },
};

interface Held {
  readonly filePaymentId: string;
  readonly status: string;
  readonly waiting: readonly string[];
}

/** An operator looks at held payments, asks the bank, and has them tried again or ended. */
export const heldPayments: Fault = {
  name: 'held',
  // One person, one command after the other: with more at once, the decisions of one minute would be carried out over
  // the next ten.
  strike: ({ world }, dice) => decideHeld(world, dice, { rejectPercent: 50, most: 5 }),
};

/** Decides about held payments, in any order. */
export async function decideHeld(
  world: ChaosWorld,
  dice: Random,
  options: { rejectPercent: number; most?: number },
): Promise<void> {
  const held = await world.operator.insist('payments', 'held');
  for (const each of dice.shuffle(JSON.parse(held.text) as Held[]).slice(0, options.most)) {
    if (dice.happens(options.rejectPercent) && (await isUnknownToBank(world, each)))
      await reject(world, each.filePaymentId);
    else await world.operator.insist('payments', 'retry', each.filePaymentId, '--reason', 'chaos');
  }
}

/** As deploy/file-payments.md demands: only payments that the bank does not have may be rejected. */
async function isUnknownToBank({ bank }: ChaosWorld, { status, waiting }: Held): Promise<boolean> {
  if (status !== 'InitiationPending') return false;
  const { rowCount } = await bank.query('SELECT FROM payments WHERE payment_id = ANY ($1)', [waiting]);
  return rowCount === 0;
}

/** Ends a file payment for good. */
export async function reject({ operator, history }: ChaosWorld, filePaymentId: string): Promise<void> {
  const rejection = history.announce({ kind: 'rejected', filePaymentId });
  const answer = await operator.insist('payments', 'reject', filePaymentId, '--reason', 'chaos');
  if (answer.isDone) rejection.from = answer.answeredAt;
}
