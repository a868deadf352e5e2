// What the cases of the file payments API share: the TPP's token, its consents, and requests signed as it signs them.
import { X509Certificate, createHash, randomUUID } from 'node:crypto';
import { createRandomToken, hashToken } from '../../dist/libs/oauth/src/random-token.js';
import { signPs256 } from './sign-jws.mjs';

/** The resources of a version. */
export const pispOf = (version) => `/open-banking/v${version}/pisp`;

/** Rows that each answer leaves where several servers write into one database. */
export const sharing = (servers, url) => servers.filter((server) => server.url === url).length;

/** @returns a token, and the row that stands for it: hash, client, thumbprint of the certificate, expiry */
export function createToken({ client, pki }) {
  const token = createRandomToken();
  const row = [
    hashToken(token),
    client.clientId,
    createHash('sha256').update(new X509Certificate(pki.client.certificate).raw).digest('base64url'),
    new Date(Date.now() + 3_600_000),
  ];
  return { token, row };
}

/** Stores a token in our database. */
export const oursTokenSql = `
  INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at, expires_at)
  VALUES ($1, $2, 'client_credentials', 'payments', $3, now(), $4)`;

/** Stores a token in the database of a floor. */
export const floorTokenSql = `INSERT INTO access_tokens (token_hash, client_id, certificate_thumbprint, expires_at) VALUES ($1, $2, $3, $4)`;

/** Data.Initiation for a file; the text keeps ControlSum as a JSON number with both of its decimals. */
export function createInitiation({ hash, count, controlSum, version = '3.1' }) {
  const members = {
    FileType: `UK.OBIE.PaymentInitiation.${version}`,
    FileHash: hash.toString('base64'),
    FileReference: 'PAYRUN-2026-11',
    NumberOfTransactions: String(count),
    LocalInstrument: 'UK.OBIE.FPS',
  };
  return `${JSON.stringify(members).slice(0, -1)},"ControlSum":${controlSum}}`;
}

/** Headers of a POST with a key and its own signature; `isBase64Signed` in the form of 3.1.4. */
export async function createPostHeaders({ client, token, body, isBase64Signed }) {
  return {
    ...createGetHeaders({ token }),
    'content-type': 'application/json',
    'x-idempotency-key': randomUUID(),
    'x-jws-signature': await createDetachedJws({ client, body, isBase64Signed }),
  };
}

/** Headers of a GET. */
export function createGetHeaders({ token }) {
  return { authorization: `Bearer ${token}`, accept: 'application/json', 'x-fapi-interaction-id': randomUUID() };
}

const claim = (member) => `http://openbanking.org.uk/${member}`;

/** OBIE message signing, form of 3.1.3: the raw body is signed; or of 3.1.4: its base64url. */
async function createDetachedJws({ client, body, isBase64Signed = false }) {
  const header = {
    alg: 'PS256',
    kid: client.key.kid,
    ...(isBase64Signed ? {} : { b64: false }),
    [claim('iat')]: Math.floor(Date.now() / 1000),
    [claim('iss')]: `${client.orgId}/${client.softwareId}`,
    [claim('tan')]: 'openbanking.org.uk',
    crit: [...(isBase64Signed ? [] : ['b64']), claim('iat'), claim('iss'), claim('tan')],
  };
  const encoded = Buffer.from(JSON.stringify(header)).toString('base64url');
  const signed = isBase64Signed ? Buffer.from(body.toString('base64url')) : body;
  return `${encoded}..${await signPs256(Buffer.concat([Buffer.from(`${encoded}.`), signed]), client.key.privateKey)}`;
}
