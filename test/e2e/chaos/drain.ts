import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { decideHeld } from './faults/held-payments.js';
import type { Random } from './random.js';
import type { ChaosWorld } from './world/chaos-world.js';

/** Time for the service to finish everything once the faults have ended. */
export const drainSeconds = 600;
/** What a worker takes, and the column that says when. */
const queues = [
  ['payment_orders', 'next_attempt_at'],
  ['payments', 'next_attempt_at'],
  ['domain_events', 'next_attempt_at'],
  ['approval_requests', 'next_attempt_at'],
  ['decline_notices', 'next_attempt_at'],
  ['reconciliations', 'due_at'],
] as const;

/**
 * Lets the service finish without further faults. Pauses between attempts pass quickly: what waits for them is made due.
 */
export async function drain(world: ChaosWorld, dice: Random): Promise<void> {
  await Promise.all(world.services.map((service) => service.shiftClock(0)));
  await world.untilListening();
  const deadline = Date.now() + drainSeconds * 1_000;
  for (let step = 1; Date.now() < deadline && (await countOpen(world.database)) > 0; step += 1) {
    await sleep(700);
    if (step % 4 === 0) await decideHeld(world, dice, { rejectPercent: 0 });
    // Who has not approved by now stays silent: the bank's week for it passes.
    await world.database.query(
      `UPDATE payment_orders SET created_at = created_at - interval '8 days'
        WHERE status = 'InitiationPending' AND approvals_received < approvals_required AND created_at > now() - interval '1 day'`,
    );
    for (const [table, column] of queues) {
      await world.database.query(
        `UPDATE ${table} SET ${column} = ${column} - interval '2 minutes' WHERE ${column} > now()`,
      );
    }
  }
}

/** The remaining work: payments, settlements, events to deliver, files to compare. */
async function countOpen(database: Pool): Promise<number> {
  const { rows } = await database.query<{ open: number }>(
    `SELECT (SELECT count(*) FROM payment_orders WHERE status = 'InitiationPending')::int
          + (SELECT count(*) FROM payments WHERE status IN ('Pending', 'AcceptedSettlementInProcess'))::int
          + (SELECT count(*) FROM domain_events WHERE delivered_at IS NULL)::int
          + (SELECT count(*) FROM reconciliations WHERE reconciled_at IS NULL OR differences IS NOT NULL)::int AS open`,
  );
  return rows[0]?.open ?? 0;
}
