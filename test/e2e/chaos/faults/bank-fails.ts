import type { Fault } from './fault.js';

/** The bank takes the payment and then fails: an error, or a connection that is cut. */
export const bankFails: Fault = {
  name: 'bank-fails',
  strike: ({ world }, dice) =>
    world.gate.misbehave(
      'bank-fails',
      async ({ dice: own }) => own.pick(['cut', 'cut', { status: 500, body: '' }, { status: 503, body: '{}' }]),
      { dice, percent: dice.between(20, 90), milliseconds: dice.between(1_000, 4_000) },
    ),
};
