// The floor of staging a consent, making a file payment or a single one and reading its status: client certificate, token and
// everything else in one statement, one PS256 verification over the raw body, one statement that claims the key and
// writes, one PS256 signature.
import { createHash, randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { hashToken } from '../../../dist/libs/oauth/src/random-token.js';
import { signPs256 } from '../sign-jws.mjs';
import { certificateOf, isSignedBy, listen, ps256Key, ps256PrivateKey } from './floor-parts.mjs';

const tokenColumns = 'token.client_id, token.certificate_thumbprint';
const findTokenSql = `SELECT ${tokenColumns} FROM access_tokens AS token WHERE token_hash = $1 AND expires_at > $2`;

const findConsentSql = `
  SELECT ${tokenColumns}, consent.status, consent.initiation
  FROM access_tokens AS token JOIN consents AS consent ON consent.client_id = token.client_id
  WHERE token.token_hash = $1 AND token.expires_at > $2 AND consent.consent_id = $3`;

const findPaymentSql = `
  SELECT ${tokenColumns}, payment.consent_id, payment.status, payment.created_at, consent.initiation
  FROM access_tokens AS token JOIN payment_orders AS payment ON payment.client_id = token.client_id
    JOIN consents AS consent USING (consent_id)
  WHERE token.token_hash = $1 AND token.expires_at > $2 AND payment.payment_order_id = $3`;

const findReportSql = `
  SELECT ${tokenColumns}, payment.consent_id, payment.status, payment.created_at, file.content,
    ARRAY(SELECT status FROM payments WHERE payments.payment_order_id = payment.payment_order_id ORDER BY position) AS states
  FROM access_tokens AS token JOIN payment_orders AS payment ON payment.client_id = token.client_id
    JOIN payment_files AS file USING (consent_id)
  WHERE token.token_hash = $1 AND token.expires_at > $2 AND payment.payment_order_id = $3`;

const stageSql = `
  WITH claimed AS (
    INSERT INTO idempotency_keys (client_id, operation, idempotency_key, request_hash, expires_at)
    VALUES ($2, 'consent', $3, $4, $5) ON CONFLICT DO NOTHING RETURNING client_id)
  INSERT INTO consents (consent_id, client_id, status, initiation, created_at)
  SELECT $1, client_id, 'AwaitingUpload', $6, $7 FROM claimed`;

const paySql = `
  WITH claimed AS (
    INSERT INTO idempotency_keys (client_id, operation, idempotency_key, request_hash, expires_at)
    VALUES ($2, 'payment', $3, $4, $5) ON CONFLICT DO NOTHING RETURNING client_id),
  consumed AS (
    UPDATE consents SET status = 'Consumed' FROM claimed
    WHERE consent_id = $6 AND consents.client_id = claimed.client_id AND status = 'Authorised'
    RETURNING consent_id, consents.client_id, number_of_transactions),
  created AS (
    INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at)
    SELECT $1, consent_id, client_id, 'InitiationPending', $7 FROM consumed)
  INSERT INTO payments (payment_id, payment_order_id, position, status)
  SELECT left(replace(consent_id::text, '-', ''), 30) || lpad(to_hex(number), 2, '0'), $1, number, 'Pending'
  FROM consumed, generate_series(1, number_of_transactions) AS number`;

export async function start({ pki, databaseUrl, poolSize, client, serverKey }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const run = (name, text, values) => pool.query({ name, text, values });
  const key = ps256Key(client.publicJwk);
  const signingKey = ps256PrivateKey(serverKey);

  const answer = async ({ method, url, headers, socket }, body) => {
    const now = new Date();
    const tokenHash = hashToken(headers.authorization.slice('Bearer '.length));
    const document = method === 'POST' ? JSON.parse(body) : undefined;
    const [, resource, id, isReport] = /\/([a-z]+-payment(?:-consents|s))(?:\/([0-9a-f-]{36})(\/report-file)?)?$/.exec(
      url,
    );
    const isConsent = resource.endsWith('-consents');
    const [readName, readSql] = isReport ? ['find-report', findReportSql] : ['find-payment', findPaymentSql];
    const query =
      method === 'GET'
        ? [readName, readSql, [tokenHash, now, id]]
        : !isConsent
          ? ['find-consent', findConsentSql, [tokenHash, now, document.Data.ConsentId]]
          : ['find-token', findTokenSql, [tokenHash, now]];
    const { rows } = await run(...query);
    const [found] = rows;
    if (found?.certificate_thumbprint !== certificateOf(socket).thumbprint) return [401];
    if (method === 'GET') return [200, isReport ? toReport(id, found) : toPayment(id, found)];
    if (!isSignedBy(headers['x-jws-signature'], client.publicJwk.kid, key, body)) return [400];
    const resourceId = randomUUID();
    const hash = createHash('sha256').update(body).digest();
    const expiresAt = new Date(now.getTime() + 86_400_000);
    const claim = [resourceId, found.client_id, headers['x-idempotency-key'], hash, expiresAt];
    if (isConsent) {
      const initiation = JSON.stringify(document.Data.Initiation);
      await run('stage', stageSql, [...claim, initiation, now]);
      return [201, toConsent(resourceId, document.Data.Initiation, now)];
    }
    if (found.status !== 'Authorised' || found.initiation !== JSON.stringify(document.Data.Initiation)) return [400];
    const { rowCount } = await run('pay', paySql, [...claim, document.Data.ConsentId, now]);
    if (rowCount === 0) return [400];
    const payment = { consent_id: document.Data.ConsentId, status: 'InitiationPending', created_at: now };
    return [201, toPayment(resourceId, { ...payment, initiation: found.initiation })];
  };

  const sign = async (body) => {
    const header = Buffer.from(
      JSON.stringify({ alg: 'PS256', kid: serverKey.kid, b64: false, crit: ['b64'], iat: Date.now() }),
    ).toString('base64url');
    return `${header}..${await signPs256(Buffer.concat([Buffer.from(`${header}.`), body]), signingKey)}`;
  };
  return listen(pki, 'floor-payments', async (request, bytes) => {
    const [status, content] = await answer(request, bytes);
    const body = Buffer.from(content === undefined ? '' : JSON.stringify(content));
    return {
      status,
      headers: { 'content-type': 'application/json', 'x-jws-signature': await sign(body) },
      body,
    };
  });
}

const toPayment = (id, { consent_id: ConsentId, status: Status, created_at: at, initiation }) => ({
  Data: { FilePaymentId: id, ConsentId, Status, CreationDateTime: at, Initiation: JSON.parse(initiation) },
});

const toReport = (id, { consent_id: ConsentId, status: Status, created_at: at, content, states }) => ({
  Data: {
    FilePaymentId: id,
    ConsentId,
    Status,
    CreationDateTime: at,
    DomesticPayments: JSON.parse(content).File.Data.DomesticPayments.map((payment, index) => ({
      ...payment,
      PaymentId: paymentIdOf(ConsentId, index + 1),
      Status: states[index],
    })),
  },
});

/** As the statement makes it. */
const paymentIdOf = (consentId, number) =>
  consentId.replaceAll('-', '').slice(0, 30) + number.toString(16).padStart(2, '0');

const toConsent = (id, Initiation, at) => ({
  Data: { ConsentId: id, Status: 'AwaitingUpload', CreationDateTime: at, Initiation },
});
