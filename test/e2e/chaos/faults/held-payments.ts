import type { Random } from '../random.js';
import type { ChaosWorld } from '../world/chaos-world.js';
import type { Fault } from './fault.js';

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
