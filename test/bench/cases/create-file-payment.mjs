import { v7 as uuidv7 } from 'uuid';
import { createPostHeaders, pispOf, sharing } from '../api-requests.mjs';
import { countRows } from '../count-rows.mjs';
import { prepareFilePayments, storeConsents, storeTokens } from '../file-payments-servers.mjs';
import { domesticPayments, filePayments } from '../kinds.mjs';

/**
 * POST /file-payments for an approved file of 150 payments: the consent is consumed, 150 payments are written. POST
 * /domestic-payments likewise for one.
 */
export const createPayment = [
  { name: 'create-file-payment', prefix: 'pay', kind: filePayments },
  { name: 'create-domestic-payment', prefix: 'pay_single', kind: domesticPayments },
].map(({ name, prefix, kind }) => ({
  name,
  check: 'created',
  requests: { quick: 120, full: 500 },
  prepare: (bench) => prepare(bench, prefix, kind),
}));

async function prepare(bench, prefix, kind) {
  const { client, query } = bench;
  const createRequests = async (server, count) => {
    const consentIds = Array.from({ length: count }, () => uuidv7());
    await storeConsents(bench, server, consentIds, 'Authorised');
    const tokens = await storeTokens(bench, server, consentIds);
    const { initiation, version, isBase64Signed } = server;
    const path = `${pispOf(version)}/${kind.payments}`;
    const requests = consentIds.map(async (consentId, index) => {
      const body = `{"Data":{"ConsentId":"${consentId}","Initiation":${initiation}}${kind.risk}}`;
      const signed = { client, token: tokens[index], body: Buffer.from(body), isBase64Signed };
      return { path, headers: await createPostHeaders(signed), body };
    });
    return { requests: await Promise.all(requests) };
  };
  const { servers } = await prepareFilePayments(bench, prefix, createRequests, { kind });
  // Every answer must have left its payments.
  const counts = servers.map(({ name: server, url }) => ({
    server,
    url,
    rows: 'payments',
    perAnswer: kind.count * sharing(servers, url),
  }));
  return { servers, verify: await countRows(query, counts) };
}
