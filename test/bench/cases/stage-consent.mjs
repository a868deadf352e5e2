import { createPostHeaders } from '../api-requests.mjs';
import { prepareFilePayments } from '../file-payments-servers.mjs';

export const name = 'stage-consent';
export const check = 'created';
export const requests = { quick: 800, full: 2_500 };

/** POST /file-payment-consents: each with a key and a signature of its own, each answer signed. */
export async function prepare(bench) {
  const { client, query } = bench;
  const { servers, ours, floor } = await prepareFilePayments(bench, 'stage', async ({ token, initiation }, count) => {
    const body = Buffer.from(`{"Data":{"Initiation":${initiation}}}`);
    const headers = await Promise.all(Array.from({ length: count }, () => createPostHeaders({ client, token, body })));
    const path = '/open-banking/v3.1/pisp/file-payment-consents';
    return { requests: headers.map((each) => ({ path, headers: each, body: 0 })), bodies: [body] };
  });
  return {
    servers,
    /** Every answer must have left a consent and a key. */
    verify: async ({ answers }) => {
      for (const [url, consents] of [
        [ours, 'file_payment_consents'],
        [floor, 'consents'],
      ]) {
        const { rows } = await query(
          url,
          `SELECT (SELECT count(*)::int FROM ${consents}) AS consents, (SELECT count(*)::int FROM idempotency_keys) AS keys`,
        );
        const [{ consents: stored, keys }] = rows;
        if (stored !== answers || keys !== answers)
          throw new Error(`${answers} answers, ${stored} consents, ${keys} keys.`);
      }
    },
  };
}
