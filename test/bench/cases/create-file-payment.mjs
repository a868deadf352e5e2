import { v7 as uuidv7 } from 'uuid';
import { createPostHeaders, pispOf, sharing } from '../api-requests.mjs';
import { countRows } from '../count-rows.mjs';
import { prepareFilePayments, storeConsents } from '../file-payments-servers.mjs';

export const name = 'create-file-payment';
export const check = 'created';
export const requests = { quick: 400, full: 800 };

/** POST /file-payments for an approved file of 150 payments: the consent is consumed, 150 payments are written. */
export async function prepare(bench) {
  const { client, query } = bench;
  const { servers } = await prepareFilePayments(bench, 'pay', async (server, count) => {
    const consentIds = Array.from({ length: count }, () => uuidv7());
    await storeConsents(bench, server, consentIds, 'Authorised');
    const { token, initiation, version, isBase64Signed } = server;
    const path = `${pispOf(version)}/file-payments`;
    const requests = consentIds.map(async (consentId) => {
      const body = `{"Data":{"ConsentId":"${consentId}","Initiation":${initiation}}}`;
      return {
        path,
        headers: await createPostHeaders({ client, token, body: Buffer.from(body), isBase64Signed }),
        body,
      };
    });
    return { requests: await Promise.all(requests) };
  });
  // Every answer must have left its 150 payments.
  const counts = servers.map(({ name: server, url }) => ({
    server,
    url,
    rows: 'payments',
    perAnswer: 150 * sharing(servers, url),
  }));
  return { servers, verify: await countRows(query, counts) };
}
