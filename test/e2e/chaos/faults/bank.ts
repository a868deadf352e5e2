import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { createCompactJws } from '#libs/jws';
import type { Fault } from './fault.js';
import { workersPatience, type ChaosWorld } from '../world/chaos-world.js';
import type { Random } from '../random.js';
import type { BankAnswer } from '../world/bank-gate.js';
import { findPayment } from '../../../support/apps/bank.js';
import { sandboxAddress } from '../../../support/apps/ports.js';
import { httpsRequest } from '../../../support/https-request.js';

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

const lifeSeconds = 120;

/** The bank's hub repeats its reports, in the wrong order: the newest state, an older one, the same report again. */
export const bankRepeats: Fault = {
  name: 'bank-repeats',
  strike: async ({ world }, dice) => {
    const { rows } = await world.bank.query<{ payment_id: string }>(
      'SELECT payment_id FROM payments ORDER BY accepted_at DESC LIMIT 60',
    );
    const paymentIds = dice.shuffle(rows.map((row) => row.payment_id)).slice(0, 20);
    if (paymentIds.length === 0) return;
    const now = new Date();
    const found = await Promise.all(
      paymentIds.map(async (paymentId) => ({ paymentId, ...(await findPayment(world.bank, paymentId, now)).body })),
    );
    const newest = await aReport(world, found);
    const older = await aReport(
      world,
      paymentIds.map((paymentId) => ({ paymentId, status: 'Pending' })),
    );
    for (const token of dice.shuffle([newest, newest, older, older])) await send(world, token);
  },
};

function aReport(world: ChaosWorld, payments: readonly object[]): Promise<string> {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: sandboxAddress(world.ports.bank),
    aud: `${sandboxAddress(world.ports.api)}/bank/v1/payment-outcomes`,
    iat,
    exp: iat + lifeSeconds,
    jti: randomUUID(),
    payments,
  };
  const header = { typ: 'payment-outcomes+jwt' };
  return createCompactJws({ header, payload: JSON.stringify(claims), key: world.trust.bankHubKey });
}

/** Whether it arrives does not matter: the same is reported again in other ways. */
async function send(world: ChaosWorld, body: string): Promise<void> {
  const url = `${sandboxAddress(world.ports.api)}/bank/v1/payment-outcomes`;
  const headers = { 'content-type': 'application/jwt' };
  await httpsRequest({ url, method: 'POST', headers, body, agent: world.access.agent }).catch(() => undefined);
}

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
