import { createPostHeaders, pispOf, sharing } from '../api-requests.mjs';
import { countRows } from '../count-rows.mjs';
import { prepareFilePayments } from '../file-payments-servers.mjs';

export const name = 'stage-consent';
export const check = 'created';
export const requests = { quick: 500, full: 2_500 };

/** POST /file-payment-consents: each with a key and its own signature, each answer signed. */
export async function prepare(bench) {
  const { servers } = await prepareStaging(bench, 'stage');
  // Every answer must have left a consent and a key.
  const counts = servers.flatMap(({ name: server, url }) => [
    { server, url, rows: server === 'floor' ? 'consents' : 'payment_consents', perAnswer: sharing(servers, url) },
    { server, url, rows: 'idempotency_keys', perAnswer: sharing(servers, url) },
  ]);
  return { servers, verify: await countRows(bench.query, counts) };
}

/** @param prefix of the databases' names */
export function prepareStaging(bench, prefix) {
  const { client } = bench;
  return prepareFilePayments(bench, prefix, async (server, count) => {
    const { token, version, isBase64Signed, initiation } = server;
    const body = Buffer.from(`{"Data":{"Initiation":${initiation}}}`);
    const headers = await Promise.all(
      Array.from({ length: count }, () => createPostHeaders({ client, token, body, isBase64Signed })),
    );
    const path = `${pispOf(version)}/file-payment-consents`;
    return { requests: headers.map((each) => ({ path, headers: each, body: 0 })), bodies: [body] };
  });
}
