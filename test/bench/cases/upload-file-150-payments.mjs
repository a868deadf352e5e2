import { v7 as uuidv7 } from 'uuid';
import { createPostHeaders, pispOf, sharing } from '../api-requests.mjs';
import { countRows } from '../count-rows.mjs';
import { prepareFilePayments } from '../file-payments-servers.mjs';
import { floorUploadSchema } from '../servers/schemas.mjs';

export const name = 'upload-file-150-payments';
export const check = 'upload';
export const requests = { quick: 120, full: 500 };

/** Ours also writes the list of payments that the customer will be shown; the floor alone does not. */
const floorWithList = 'floor, with the list';
const isFloor = (name) => name === 'floor' || name === floorWithList;

/**
 * POST /file-payment-consents/{ConsentId}/file with 150 payments: each upload has a consent, a key and its own
 * signature.
 */
export async function prepare(bench) {
  const { client, query } = bench;
  const { servers } = await prepareFilePayments(
    bench,
    'upload',
    async (server, count) => {
      const consentIds = Array.from({ length: count }, () => uuidv7());
      await storeConsents(bench, server, consentIds);
      const { token, version, isBase64Signed, file } = server;
      const requests = consentIds.map(async (consentId) => ({
        path: `${pispOf(version)}/file-payment-consents/${consentId}/file`,
        headers: await createPostHeaders({ client, token, body: file.body, isBase64Signed }),
        body: 0,
      }));
      return { requests: await Promise.all(requests), bodies: [file.body] };
    },
    {
      floorModule: 'floor-upload',
      floorSchema: floorUploadSchema,
      // v4.0 has only this form of the signature, so its row can be compared with one of 3.1 that has it too.
      further: [{ name: 'v3.1, 3.1.4 signature', isBase64Signed: true }],
      furtherFloors: [{ name: floorWithList, settings: { hasList: true } }],
    },
  );
  // Every answer must have stored the very bytes and moved its consent.
  const counts = servers.map(({ name: server, url, file: { body, hash, version } }) => ({
    server,
    url,
    perAnswer: sharing(
      servers.filter(({ file }) => file.version === version),
      url,
    ),
    rows: `payment_files JOIN ${isFloor(server) ? 'consents' : 'payment_consents'} USING (consent_id)
      WHERE length(content) = ${body.length} AND sha256(content) = '\\x${hash.toString('hex')}' AND status = 'AwaitingAuthorisation'`,
  }));
  return { servers, verify: await countRows(query, counts) };
}

function storeConsents(bench, server, consentIds) {
  const store = isFloor(server.name) ? storeFloorConsents : storeConsentsForUpload;
  return store(bench, server, consentIds);
}

/** Stores consents of the floor that wait for the file. */
export function storeFloorConsents({ client, query }, { url, file }, consentIds) {
  const values = [consentIds, client.clientId, file.hash.toString('base64'), file.count, file.controlSum];
  return query(url, floorConsentSql, values);
}

/** Stores consents of ours that wait for the file. */
export function storeConsentsForUpload({ client, query }, { url, initiation, file }, consentIds) {
  const values = [consentIds, client.clientId, initiation, file.count, file.controlSum, file.version];
  return query(url, oursConsentSql, values);
}

const oursConsentSql = `
  INSERT INTO payment_consents (kind, consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges,
    local_instrument, number_of_transactions, control_sum, api_version)
  SELECT 'file-payment', consent_id, $2, 'AwaitingUpload', now(), now(), now() + interval '1 day', $3, '[]', 'UK.OBIE.FPS', $4, $5, $6
  FROM unnest($1::uuid[]) AS consent_id`;

const floorConsentSql = `
  INSERT INTO consents (consent_id, client_id, status, file_hash, number_of_transactions, control_sum)
  SELECT consent_id, $2, 'AwaitingUpload', $3, $4, $5 FROM unnest($1::uuid[]) AS consent_id`;
