import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.js';

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
