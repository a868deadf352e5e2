// A bank that takes every payment after a while, and counts.
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from './floor-parts.mjs';

const calls = { payments: 0, distinct: new Set(), underWay: 0, most: 0 };
const json = (value) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});
const accepted = json({ decision: 'Accepted' });
const made = json({ status: 'AcceptedCreditSettlementCompleted' });

export function start({ pki, delay }) {
  return listen(pki, 'bank', async ({ url, headers }) => {
    calls.most = Math.max(calls.most, (calls.underWay += 1));
    if (delay > 0) await pause(delay);
    calls.underWay -= 1;
    if (url !== '/payments') return accepted;
    calls.payments += 1;
    calls.distinct.add(headers['idempotency-key']);
    return made;
  });
}

export const report = () => ({ ...calls, distinct: calls.distinct.size });
