// The floor of POST /register: client certificate, the PS256 signatures of the software statement and of the request,
// one statement that redeems the jti and stores the client.
import { createHash, randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { listen, openCompactJws, ps256Key } from './floor-parts.mjs';

const registerSql = `
  WITH redeemed AS (INSERT INTO used_jwt_ids (issuer, jti, expires_at) VALUES ($2, $3, $4) ON CONFLICT DO NOTHING RETURNING jti)
  INSERT INTO clients (client_id, software_id, secret_hash, metadata)
  SELECT $1::uuid, $2::text, $5::bytea, $6::jsonb FROM redeemed`;

export async function start({ pki, databaseUrl, poolSize, publicJwk }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const key = ps256Key(publicJwk);
  const open = (jws) => openCompactJws(jws, publicJwk.kid, key);

  const answer = async (request, body) => {
    const { socket } = request;
    const claims = open(body);
    const statement = claims && open(claims.software_statement);
    const isRight =
      socket.authorized &&
      statement?.software_id === claims?.iss &&
      claims.exp * 1000 > Date.now() &&
      claims.redirect_uris.every((uri) => statement.software_redirect_uris.includes(uri));
    if (!isRight) return [400, { error: 'invalid_client_metadata' }];
    const clientId = randomUUID();
    const secret = randomUUID();
    const { iss, jti, exp, ...metadata } = claims;
    const { rowCount } = await pool.query({
      name: 'register',
      text: registerSql,
      values: [
        clientId,
        iss,
        jti,
        new Date(exp * 1000),
        createHash('sha256').update(secret).digest(),
        JSON.stringify(metadata),
      ],
    });
    if (rowCount !== 1) return [400, { error: 'invalid_client_metadata' }];
    return [201, { ...statement, ...claims, client_id: clientId, client_secret: secret, client_secret_expires_at: 0 }];
  };

  return listen(pki, 'floor-registration', async (request, bytes) => {
    const [status, document] = await answer(request, bytes.toString());
    return {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: Buffer.from(JSON.stringify(document)),
    };
  });
}
