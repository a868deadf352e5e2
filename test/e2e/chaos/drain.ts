import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { decideHeld } from './faults/held-payments.js';
import type { Random } from './random.js';
import type { ChaosWorld } from './world/chaos-world.js';

/** Time for the service to finish everything once the faults have ended. */
export const drainSeconds = 600;
const stepMilliseconds = 120_000;

/**
 * Lets the service finish without further faults. Pauses between attempts, leases that a wrong clock has made long and
 * deadlines pass quickly, because the workers' clocks do.
 */
export async function drain(world: ChaosWorld, dice: Random): Promise<void> {
  await Promise.all(world.services.map((service) => service.shiftClock(0)));
  await world.untilListening();
  const deadline = Date.now() + drainSeconds * 1_000;
  for (let step = 1; Date.now() < deadline && (await countOpen(world.database)) > 0; step += 1) {
    await sleep(700);
    if (step % 4 === 0) await decideHeld(world, dice, { rejectPercent: 0 });
    for (const worker of world.workers) await worker.shiftClock(step * stepMilliseconds);
  }
}

/** The remaining work: payments, settlements, events to deliver, files to compare. */
async function countOpen(database: Pool): Promise<number> {
  const { rows } = await database.query<{ open: number }>(
    `SELECT (SELECT count(*) FROM file_payments WHERE status = 'InitiationPending')::int
          + (SELECT count(*) FROM payments WHERE status IN ('Pending', 'AcceptedSettlementInProcess'))::int
          + (SELECT count(*) FROM domain_events WHERE delivered_at IS NULL)::int
          + (SELECT count(*) FROM reconciliations WHERE reconciled_at IS NULL OR differences IS NOT NULL)::int AS open`,
  );
  return rows[0]?.open ?? 0;
}
