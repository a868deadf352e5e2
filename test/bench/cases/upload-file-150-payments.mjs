import { X509Certificate, createHash, randomBytes, randomUUID } from 'node:crypto';
import { createEnvironment } from '../environment.mjs';
import { createOurDatabase } from '../our-database.mjs';
import { createPaymentFile } from '../payment-file.mjs';
import { floorUploadSchema } from '../servers/schemas.mjs';
import { signPs256 } from '../sign-jws.mjs';

export const name = 'upload-file-150-payments';
export const check = 'upload';
export const requests = { quick: 300, full: 800 };

/** POST /file-payment-consents/{ConsentId}/file with 150 payments: each upload has a consent, a key and a signature of its own. */
export async function prepare({ createDatabase, query, pki, client, serverKey, directoryUrl, poolSize }) {
  const [ours, floor] = await Promise.all(['ours', 'floor'].map((each) => createDatabase(`upload_${each}`)));
  await createOurDatabase({ url: ours, client, jwksUri: `${directoryUrl}/software.jwks`, query });
  await query(floor, floorUploadSchema);

  const file = createPaymentFile();
  const token = randomBytes(32).toString('base64url');
  const tokenRow = [
    createHash('sha256').update(token).digest(),
    client.clientId,
    createHash('sha256').update(new X509Certificate(pki.client.certificate).raw).digest('base64url'),
    new Date(Date.now() + 3_600_000),
  ];
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

const oursTokenSql = `
  INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at, expires_at)
  VALUES ($1, $2, 'client_credentials', 'payments', $3, now(), $4)`;

const floorTokenSql = `INSERT INTO access_tokens (token_hash, client_id, certificate_thumbprint, expires_at) VALUES ($1, $2, $3, $4)`;

const oursConsentSql = `
  INSERT INTO file_payment_consents (consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges,
    local_instrument, number_of_transactions, control_sum)
  SELECT consent_id, $2, 'AwaitingUpload', now(), now(), now() + interval '1 day', $3, '[]', 'UK.OBIE.FPS', $4, $5
  FROM unnest($1::uuid[]) AS consent_id`;

const floorConsentSql = `
  INSERT INTO consents (consent_id, client_id, status, file_hash, number_of_transactions, control_sum)
  SELECT consent_id, $2, 'AwaitingUpload', $3, $4, $5 FROM unnest($1::uuid[]) AS consent_id`;

/** The text keeps ControlSum as a JSON number with both of its decimals. */
function createInitiation({ hash, count, controlSum }) {
  const members = {
    FileType: 'UK.OBIE.PaymentInitiation.3.1',
    FileHash: hash.toString('base64'),
    FileReference: 'PAYRUN-2026-11',
    NumberOfTransactions: String(count),
    LocalInstrument: 'UK.OBIE.FPS',
  };
  return `${JSON.stringify(members).slice(0, -1)},"ControlSum":${controlSum}}`;
}

async function createRequests({ client, file, token, consentIds }) {
  const signatures = await Promise.all(consentIds.map(() => createDetachedJws({ client, body: file.body })));
  const requests = consentIds.map((consentId, index) => ({
    path: `/open-banking/v3.1/pisp/file-payment-consents/${consentId}/file`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'x-idempotency-key': randomUUID(),
      'x-fapi-interaction-id': randomUUID(),
      'x-jws-signature': signatures[index],
    },
    body: 0,
  }));
  return { requests, bodies: [file.body] };
}

const claim = (member) => `http://openbanking.org.uk/${member}`;

/** OBIE message signing, form of 3.1.3: the raw body is signed. */
async function createDetachedJws({ client, body }) {
  const header = {
    alg: 'PS256',
    kid: client.key.kid,
    b64: false,
    [claim('iat')]: Math.floor(Date.now() / 1000),
    [claim('iss')]: `${client.orgId}/${client.softwareId}`,
    [claim('tan')]: 'openbanking.org.uk',
    crit: ['b64', claim('iat'), claim('iss'), claim('tan')],
  };
  const encoded = Buffer.from(JSON.stringify(header)).toString('base64url');
  return `${encoded}..${await signPs256(Buffer.concat([Buffer.from(`${encoded}.`), body]), client.key.privateKey)}`;
}
