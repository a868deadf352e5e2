import { randomUUID } from 'node:crypto';
import { createCompactJws } from '#libs/jws';
import { findPayment } from '../../../support/apps/bank.js';
import { sandboxAddress } from '../../../support/apps/ports.js';
import { httpsRequest } from '../../../support/https-request.js';
import type { ChaosWorld } from '../world/chaos-world.js';
import type { Fault } from './fault.js';

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
