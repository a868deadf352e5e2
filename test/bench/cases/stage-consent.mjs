import { createPostHeaders, pispOf, sharing } from '../api-requests.mjs';
import { countRows } from '../count-rows.mjs';
import { prepareFilePayments } from '../file-payments-servers.mjs';
import { domesticPayments, filePayments } from '../kinds.mjs';

/** POST /file-payment-consents, /domestic-payment-consents: each with a key and its own signature, each answer signed. */
export const stageConsent = [
  { name: 'stage-consent', prefix: 'stage', kind: filePayments },
  { name: 'stage-domestic-consent', prefix: 'stage_single', kind: domesticPayments },
].map(({ name, prefix, kind }) => ({
  name,
  check: 'created',
  requests: { quick: 300, full: 1_000 },
  prepare: (bench) => prepare(bench, prefix, kind),
}));

async function prepare(bench, prefix, kind) {
  const { servers } = await prepareStaging(bench, prefix, kind);
  // Every answer must have left a consent and a key.
  const counts = servers.flatMap(({ name: server, url }) => [
    { server, url, rows: server === 'floor' ? 'consents' : 'payment_consents', perAnswer: sharing(servers, url) },
    { server, url, rows: 'idempotency_keys', perAnswer: sharing(servers, url) },
  ]);
  return { servers, verify: await countRows(bench.query, counts) };
}

/** @param prefix of the databases' names */
export function prepareStaging(bench, prefix, kind = filePayments) {
  const { client } = bench;
  const createRequests = async (server, count) => {
    const { token, version, isBase64Signed, initiation } = server;
    const body = Buffer.from(`{"Data":{"Initiation":${initiation}}${kind.risk}}`);
    const headers = await Promise.all(
      Array.from({ length: count }, () => createPostHeaders({ client, token, body, isBase64Signed })),
    );
    const path = `${pispOf(version)}/${kind.consents}`;
    return { requests: headers.map((each) => ({ path, headers: each, body: 0 })), bodies: [body] };
  };
  return prepareFilePayments(bench, prefix, createRequests, { kind });
}
