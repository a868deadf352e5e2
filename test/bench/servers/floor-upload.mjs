// The floor of the file upload: client certificate, one statement that finds token and consent, one PS256 verification
// over the raw body, the file's hash, number and sum compared with the consent, one statement that claims the
// idempotency key, moves the consent and stores the file.
import { createHash } from 'node:crypto';
import { Pool } from 'pg';
import { certificateOf, isSignedBy, listen, ps256Key } from './floor-parts.mjs';

const findSql = `
  SELECT token.client_id, token.certificate_thumbprint, consent.status, consent.file_hash, consent.number_of_transactions, consent.control_sum
  FROM access_tokens AS token JOIN consents AS consent ON consent.client_id = token.client_id
  WHERE token.token_hash = $1 AND token.expires_at > $3 AND consent.consent_id = $2`;

const storeSql = `
  WITH claimed AS (
    INSERT INTO idempotency_keys (client_id, operation, idempotency_key, request_hash, expires_at)
    VALUES ($2, 'upload', $3, $4, $5) ON CONFLICT DO NOTHING RETURNING client_id),
  moved AS (
    UPDATE consents SET status = 'AwaitingAuthorisation' FROM claimed
    WHERE consent_id = $1 AND consents.client_id = claimed.client_id AND status = 'AwaitingUpload' RETURNING consent_id)
  INSERT INTO payment_files (consent_id, content) SELECT consent_id, $6 FROM moved`;

const uploadPath = /^\/open-banking\/v3\.1\/pisp\/file-payment-consents\/([0-9a-f-]{36})\/file$/;

export async function start({ pki, databaseUrl, poolSize, client }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const key = ps256Key(client.publicJwk);

  const answer = async (request, body) => {
    const { socket, headers } = request;
    const [, consentId] = uploadPath.exec(request.url);
    const tokenHash = createHash('sha256').update(headers.authorization.slice('Bearer '.length)).digest();
    const { rows } = await pool.query({ name: 'find', text: findSql, values: [tokenHash, consentId, new Date()] });
    const [consent] = rows;
    if (consent?.certificate_thumbprint !== certificateOf(socket).thumbprint || consent.status !== 'AwaitingUpload')
      return 401;

    const isSigned = isSignedBy(headers['x-jws-signature'], client.publicJwk.kid, key, body);
    const hash = createHash('sha256').update(body).digest();
    const payments = JSON.parse(body).File.Data.DomesticPayments;
    const sum = payments.reduce((total, { InstructedAmount }) => total + toPence(InstructedAmount.Amount), 0n);
    const isRight =
      isSigned &&
      hash.toString('base64') === consent.file_hash &&
      payments.length === consent.number_of_transactions &&
      sum === toPence(consent.control_sum);
    if (!isRight) return 400;

    const expiresAt = new Date(Date.now() + 86_400_000);
    const values = [consentId, consent.client_id, headers['x-idempotency-key'], hash, expiresAt, body];
    const { rowCount } = await pool.query({ name: 'store', text: storeSql, values });
    return rowCount === 1 ? 200 : 400;
  };

  return listen(pki, 'floor-upload', async (request, body) => ({ status: await answer(request, body) }));
}

function toPence(amount) {
  const [pounds, pence = ''] = amount.split('.');
  return BigInt(pounds + pence.padEnd(2, '0'));
}
