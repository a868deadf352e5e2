import { setTimeout as sleep } from 'node:timers/promises';
import { payroll, traders } from '../customers/order.js';
import type { Random } from '../random.js';
import type { ChaosWorld } from '../world/chaos-world.js';
import type { Intervention } from '../world/history.js';
import type { Fault, Scene } from './fault.js';
import { reject } from './held-payments.js';

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
