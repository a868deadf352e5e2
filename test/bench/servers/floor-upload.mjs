// The floor of the file upload: client certificate, one statement that finds token and consent, one PS256 verification
// over the raw body, the file's hash, number and sum compared with the consent, one statement that claims the
// idempotency key, moves the consent and stores the file.
import { createHash } from 'node:crypto';
import { Pool } from 'pg';
import { hashToken } from '../../../dist/libs/oauth/src/random-token.js';
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

/** The same with the list of payments that the customer will be shown. */
const storeWithListSql = storeSql
  .replace(`SET status = 'AwaitingAuthorisation'`, `SET status = 'AwaitingAuthorisation', approval_hash = $9`)
  .replace(
    'INSERT INTO payment_files',
    `, listed AS (INSERT INTO instruction_lists (consent_id, instructions, amounts) SELECT consent_id, $7, $8 FROM moved)
  INSERT INTO payment_files`,
  );

const uploadPath = /^\/open-banking\/v3\.1\/pisp\/file-payment-consents\/([0-9a-f-]{36})\/file$/;

/** @param hasList whether it writes what will be shown, approved and paid, as ours does */
export async function start({ pki, databaseUrl, poolSize, client, hasList }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const key = ps256Key(client.publicJwk);

  const answer = async (request, body) => {
    const { socket, headers } = request;
    const [, consentId] = uploadPath.exec(request.url);
    const tokenHash = hashToken(headers.authorization.slice('Bearer '.length));
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
    const query = hasList
      ? { name: 'store-with-list', text: storeWithListSql, values: [...values, ...listOf(payments)] }
      : { name: 'store', text: storeSql, values };
    const { rowCount } = await pool.query(query);
    return rowCount === 1 ? 200 : 400;
  };

  return listen(pki, 'floor-upload', async (request, body) => ({ status: await answer(request, body) }));
}

/** @returns text of the list, its amounts and its hash */
function listOf(payments) {
  const list = payments.map((payment) => ({
    payeeName: payment.CreditorAccount.Name,
    payeeAccount: {
      scheme: payment.CreditorAccount.SchemeName,
      identification: payment.CreditorAccount.Identification,
    },
    amount: payment.InstructedAmount.Amount,
    reference: payment.RemittanceInformation.Reference,
    remittanceText: payment.RemittanceInformation.Unstructured,
    endToEndIdentification: payment.EndToEndIdentification,
    postalAddress: payment.CreditorPostalAddress,
  }));
  const text = JSON.stringify(list);
  return [text, `{${list.map(({ amount }) => amount).join()}}`, createHash('sha256').update(text).digest()];
}

function toPence(amount) {
  const [pounds, pence = ''] = amount.split('.');
  return BigInt(pounds + pence.padEnd(2, '0'));
}
