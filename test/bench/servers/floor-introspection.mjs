// The floor of introspection: the resource server's certificate, and one statement that finds the token.
import { Pool } from 'pg';
import { hashToken } from '../../../dist/libs/oauth/src/random-token.js';
import { certificateOf, listen } from './floor-parts.mjs';

const findSql = `SELECT client_id, scope, certificate_thumbprint, expires_at FROM access_tokens WHERE token_hash = $1 AND expires_at > $2`;

export async function start({ pki, databaseUrl, poolSize }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const find = async (token) => {
    const values = [hashToken(token), new Date()];
    const { rows } = await pool.query({ name: 'find', text: findSql, values });
    if (rows.length === 0) return { active: false };
    const [{ client_id, scope, certificate_thumbprint: thumbprint, expires_at: expiresAt }] = rows;
    const exp = Math.floor(expiresAt.getTime() / 1_000);
    return { active: true, token_type: 'bearer', client_id, scope, exp, cnf: { 'x5t#S256': thumbprint } };
  };
  return listen(pki, 'floor-introspection', async ({ socket }, body) => {
    const isKnown = certificateOf(socket).subject.includes('CN=resource-server');
    const document = isKnown
      ? await find(new URLSearchParams(body.toString()).get('token'))
      : { error: 'invalid_client' };
    return {
      status: isKnown ? 200 : 401,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: Buffer.from(JSON.stringify(document)),
    };
  });
}
