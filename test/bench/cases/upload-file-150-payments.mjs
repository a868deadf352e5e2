import { randomUUID } from 'node:crypto';
import { createInitiation, createPostHeaders, createToken, floorTokenSql, oursTokenSql } from '../api-requests.mjs';
import { createEnvironment } from '../environment.mjs';
import { createOurDatabase } from '../our-database.mjs';
import { createPaymentFile } from '../payment-file.mjs';
import { floorUploadSchema } from '../servers/schemas.mjs';

export const name = 'upload-file-150-payments';
export const check = 'upload';
export const requests = { quick: 300, full: 800 };

/** POST /file-payment-consents/{ConsentId}/file with 150 payments: each upload has a consent, a key and a signature of its own. */
export async function prepare({ createDatabase, query, pki, client, serverKey, directoryUrl, poolSize }) {
  const [ours, floor] = await Promise.all(['ours', 'floor'].map((each) => createDatabase(`upload_${each}`)));
  await createOurDatabase({ url: ours, client, jwksUri: `${directoryUrl}/software.jwks`, query });
  await query(floor, floorUploadSchema);

  const file = createPaymentFile();
  const { token, row: tokenRow } = createToken({ client, pki });
  await query(ours, oursTokenSql, tokenRow);
  await query(floor, floorTokenSql, tokenRow);
  const initiation = createInitiation(file);
  const context = { client, file, token };
  return {
    servers: [
      {
        name: 'ours',
        module: 'api-app',
        settings: {
          environment: createEnvironment({ databaseUrl: ours, poolSize, pki, signingKey: serverKey, directoryUrl }),
        },
        createRequests: async (count) => {
          const consentIds = Array.from({ length: count }, () => randomUUID());
          await query(ours, oursConsentSql, [consentIds, client.clientId, initiation, file.count, file.controlSum]);
          return createRequests({ ...context, consentIds });
        },
      },
      {
        name: 'floor',
        module: 'floor-upload',
        settings: {
          pki,
          poolSize,
          databaseUrl: floor,
          client: { clientId: client.clientId, publicJwk: client.key.publicJwk },
        },
        createRequests: async (count) => {
          const consentIds = Array.from({ length: count }, () => randomUUID());
          await query(floor, floorConsentSql, [
            consentIds,
            client.clientId,
            file.hash.toString('base64'),
            file.count,
            file.controlSum,
          ]);
          return createRequests({ ...context, consentIds });
        },
      },
    ],
    /** Every answer must have stored the very octets and moved its consent. */
    verify: async ({ answers }) => {
      for (const [url, consents] of [
        [ours, 'file_payment_consents'],
        [floor, 'consents'],
      ]) {
        const { rows } = await query(
          url,
          `SELECT count(*)::int AS stored FROM payment_files JOIN ${consents} USING (consent_id)
           WHERE sha256(content) = $1 AND status = 'AwaitingAuthorisation'`,
          [file.hash],
        );
        if (rows[0].stored !== answers)
          throw new Error(`${answers} answers, but ${rows[0].stored} files in ${consents}.`);
      }
    },
  };
}

const oursConsentSql = `
  INSERT INTO file_payment_consents (consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges,
    local_instrument, number_of_transactions, control_sum)
  SELECT consent_id, $2, 'AwaitingUpload', now(), now(), now() + interval '1 day', $3, '[]', 'UK.OBIE.FPS', $4, $5
  FROM unnest($1::uuid[]) AS consent_id`;

const floorConsentSql = `
  INSERT INTO consents (consent_id, client_id, status, file_hash, number_of_transactions, control_sum)
  SELECT consent_id, $2, 'AwaitingUpload', $3, $4, $5 FROM unnest($1::uuid[]) AS consent_id`;

async function createRequests({ client, file, token, consentIds }) {
  const { body } = file;
  const headers = await Promise.all(consentIds.map(() => createPostHeaders({ client, token, body })));
  const requests = consentIds.map((consentId, index) => ({
    path: `/open-banking/v3.1/pisp/file-payment-consents/${consentId}/file`,
    headers: headers[index],
    body: 0,
  }));
  return { requests, bodies: [body] };
}
