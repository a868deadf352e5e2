// The floor of POST /oauth2/token with private_key_jwt: client certificate, one PS256 verification, one statement that redeems the jti
// and stores the token.
import { constants, createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createServer } from 'node:https';
import { Pool } from 'pg';
import { serverTlsOptions } from '../tls.mjs';

const issueSql = `
  WITH assertion AS (INSERT INTO used_jwt_ids (client_id, jti, expires_at) VALUES ($2, $6, $7) ON CONFLICT DO NOTHING RETURNING jti)
  INSERT INTO access_tokens (token_hash, client_id, scope, certificate_thumbprint, expires_at)
  SELECT $1::bytea, $2::uuid, $3::text, $4::text, $5::timestamptz FROM assertion`;

export async function start({ pki, databaseUrl, poolSize, client, audience }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const key = createPublicKey({ key: client.publicJwk, format: 'jwk' });
  const parameters = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const thumbprints = new WeakMap();

  const answer = async (request, body) => {
    const form = new URLSearchParams(body);
    const [header, payload, signature] = form.get('client_assertion').split('.');
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url'));
    const { iss, sub, aud, exp, jti } = JSON.parse(Buffer.from(payload, 'base64url'));
    const isRight =
      form.get('grant_type') === 'client_credentials' &&
      alg === 'PS256' &&
      kid === client.publicJwk.kid &&
      iss === client.clientId &&
      sub === iss &&
      aud === audience &&
      exp * 1000 > Date.now() &&
      verify('sha256', Buffer.from(`${header}.${payload}`), parameters, Buffer.from(signature, 'base64url'));
    if (!isRight) return [401, { error: 'invalid_client' }];

    const { socket } = request;
    let thumbprint = thumbprints.get(socket);
    if (thumbprint === undefined) {
      thumbprint = createHash('sha256').update(socket.getPeerX509Certificate().raw).digest('base64url');
      thumbprints.set(socket, thumbprint);
    }
    const token = randomBytes(32).toString('base64url');
    const tokenHash = createHash('sha256').update(token).digest();
    const { rowCount } = await pool.query({
      name: 'issue',
      text: issueSql,
      values: [tokenHash, iss, 'payments', thumbprint, new Date(Date.now() + 300_000), jti, new Date(exp * 1000)],
    });
    if (rowCount !== 1) return [401, { error: 'invalid_client' }];
    return [200, { access_token: token, token_type: 'bearer', expires_in: 300, scope: 'payments' }];
  };

  const server = createServer(serverTlsOptions(pki, 'floor-token'), (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const [status, document] = await answer(request, Buffer.concat(chunks).toString());
      const body = JSON.stringify(document);
      response.writeHead(status, {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}
