// A bank of one customer with two accounts, who knows every code. It takes every payment after a while, and counts.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from './floor-parts.mjs';

const calls = { payments: 0, distinct: new Set(), underWay: 0, most: 0 };
const json = (value) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});
const notOffered = { status: 404 };
const account = (name, identification) => ({
  schemeName: 'UK.OBIE.SortCodeAccountNumber',
  identification,
  name,
  currency: 'GBP',
  availableBalance: '1000000.00',
  approvalsRequired: 1,
});
const made = json({ status: 'AcceptedCreditSettlementCompleted' });
const answers = {
  '/payments': made,
  '/payment-batches': json({ decision: 'Accepted' }),
  '/psu-authentication/password': json({ psuId: 'psu', displayName: 'Ada Byron' }),
  '/psus/psu/payment-accounts': json({
    accounts: [account('Current account', '20000512345678'), account('Savings', '20000512345679')],
  }),
};

const challenges = '/psu-authentication/challenges';

function answerTo(url) {
  if (url === challenges) {
    const expiresAt = new Date(Date.now() + 300_000).toISOString();
    return json({ challengeId: randomUUID(), method: 'Code', codeBy: 'Device', expiresAt });
  }
  if (url.startsWith(challenges))
    return json({ authenticatedAt: new Date().toISOString(), acr: 'urn:openbanking:psd2:sca' });
  return answers[url] ?? notOffered;
}

export function start({ pki, delay }) {
  return listen(pki, 'bank', async ({ url, headers }) => {
    calls.most = Math.max(calls.most, (calls.underWay += 1));
    if (delay > 0) await pause(delay);
    calls.underWay -= 1;
    if (url === '/payments') {
      calls.payments += 1;
      calls.distinct.add(headers['idempotency-key']);
    }
    return answerTo(url);
  });
}

/** `most` were under way since the last report. */
export function report() {
  const found = { ...calls, distinct: calls.distinct.size };
  calls.most = 0;
  return found;
}
