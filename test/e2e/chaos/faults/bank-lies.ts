import type { Random } from '../random.js';
import type { BankAnswer } from '../world/bank-gate.js';
import type { Fault } from './fault.js';

const nonsense: readonly [BankAnswer, ...BankAnswer[]] = [
  { status: 200, body: '<html>Welcome</html>' },
  { status: 200, body: '{"status":"Paid","decision":"Perhaps"}' },
  { status: 200, body: '{}' },
  { status: 200, body: '[null]' },
  { status: 204, body: '' },
  { status: 302, body: '' },
  { status: 401, body: '{}' },
  { status: 409, body: '{"reason":"IdempotencyKeyReused"}' },
];

/**
 * The bank takes the payment and says nonsense, or does not know a payment that it has. It never answers 400 or 422,
 * because by its API nothing has happened then.
 */
export const bankLies: Fault = {
  name: 'bank-lies',
  strike: ({ world }, dice) =>
    world.gate.misbehave('bank-lies', async ({ method, dice: own }) => aLie(method, own), {
      dice,
      percent: dice.between(10, 60),
      milliseconds: dice.between(1_000, 4_000),
    }),
};

function aLie(method: string, dice: Random): BankAnswer {
  return method === 'GET' && dice.happens(70) ? { status: 404, body: '{}' } : dice.pick(nonsense);
}
