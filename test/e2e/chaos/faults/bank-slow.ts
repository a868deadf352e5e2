import { setTimeout as sleep } from 'node:timers/promises';
import { workersPatience } from '../world/chaos-world.js';
import type { Fault } from './fault.js';

/** The bank takes the payment and answers later than the service waits (BANK_TIMEOUT_MILLISECONDS). */
export const bankSlow: Fault = {
  name: 'bank-slow',
  strike: ({ world }, dice) =>
    world.gate.misbehave(
      'bank-slow',
      async ({ answer, dice: own }) => {
        await sleep(own.between(workersPatience - 300, workersPatience + 1_500));
        return answer;
      },
      { dice, percent: dice.between(20, 80), milliseconds: dice.between(1_000, 4_000) },
    ),
};
