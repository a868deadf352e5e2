// The floor of the token endpoint: client certificate, the client's signature if it authenticates with one, one
// statement with all durable writes of the request, and the signature of the ID token. Its client is hard-coded.
import { createHash, randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { createCompactJws } from '../sign-jws.mjs';
import { certificateOf, listen, openCompactJws, ps256Key, ps256PrivateKey } from './floor-parts.mjs';

const issueSql = `
  INSERT INTO access_tokens (token_hash, client_id, scope, certificate_thumbprint, expires_at) VALUES ($1, $2, $3, $4, $5)`;

const issueWithAssertionSql = `
  WITH assertion AS (INSERT INTO used_jwt_ids (client_id, jti, expires_at) VALUES ($2, $6, $7) ON CONFLICT DO NOTHING RETURNING jti)
  INSERT INTO access_tokens (token_hash, client_id, scope, certificate_thumbprint, expires_at)
  SELECT $1::bytea, $2::uuid, $3::text, $4::text, $5::timestamptz FROM assertion`;

const redeemSql = `
  WITH assertion AS (INSERT INTO used_jwt_ids (client_id, jti, expires_at) VALUES ($2, $5, $6) ON CONFLICT DO NOTHING RETURNING jti),
  code AS (
    UPDATE authorization_codes SET redeemed_at = $7 FROM assertion
    WHERE code_hash = $8 AND client_id = $2 AND redirect_uri = $9 AND code_challenge = $10 AND redeemed_at IS NULL AND expires_at > $7
    RETURNING authorization_codes.*),
  token AS (
    INSERT INTO access_tokens (token_hash, client_id, scope, certificate_thumbprint, expires_at)
    SELECT $1, client_id, scope, $3, $4 FROM code)
  SELECT scope, subject, nonce, acr, authenticated_at, consent_id FROM code`;

export async function start({ pki, databaseUrl, poolSize, client, audience, issuer, serverKey, method }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const run = (name, text, values) => pool.query({ name, text, values });
  const key = ps256Key(client.publicJwk);
  const signingKey = { kid: serverKey.kid, privateKey: ps256PrivateKey(serverKey) };

  const issueToClient = async (form, request) => {
    const { subject, thumbprint } = certificateOf(request.socket);
    const isRight =
      form.get('grant_type') === 'client_credentials' &&
      form.get('client_id') === client.clientId &&
      subject === client.subjectDn;
    if (!isRight) return refused;
    const { token, tokenHash } = createToken();
    await run('issue', issueSql, [tokenHash, client.clientId, 'payments', thumbprint, inSeconds(300)]);
    return [200, { access_token: token, token_type: 'bearer', expires_in: 300, scope: 'payments' }];
  };

  const issueByAssertion = async (form, request) => {
    const assertion = openAssertion(form);
    if (assertion === undefined) return refused;
    if (form.get('grant_type') === 'authorization_code') return redeem(form, request, assertion);
    const { token, tokenHash } = createToken();
    const { rowCount } = await run('issue', issueWithAssertionSql, [
      tokenHash,
      client.clientId,
      'payments',
      certificateOf(request.socket).thumbprint,
      inSeconds(300),
      ...assertion,
    ]);
    if (rowCount !== 1) return refused;
    return [200, { access_token: token, token_type: 'bearer', expires_in: 300, scope: 'payments' }];
  };

  const redeem = async (form, request, assertion) => {
    const { token, tokenHash } = createToken();
    const { rows } = await run('redeem', redeemSql, [
      tokenHash,
      client.clientId,
      certificateOf(request.socket).thumbprint,
      inSeconds(300),
      ...assertion,
      new Date(),
      createHash('sha256').update(form.get('code')).digest(),
      form.get('redirect_uri'),
      createHash('sha256').update(form.get('code_verifier')).digest('base64url'),
    ]);
    const [code] = rows;
    if (code === undefined) return refused;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      sub: code.subject,
      aud: client.clientId,
      exp: now + 300,
      iat: now,
      auth_time: Math.floor(code.authenticated_at.getTime() / 1000),
      nonce: code.nonce,
      acr: code.acr,
      openbanking_intent_id: code.consent_id,
      at_hash: createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url'),
    };
    const idToken = await createCompactJws({ header: { typ: 'JWT' }, claims, key: signingKey });
    const { scope } = code;
    return [200, { access_token: token, token_type: 'bearer', expires_in: 300, scope, id_token: idToken }];
  };

  /** @returns the assertion's jti and its end */
  const openAssertion = (form) => {
    const claims = openCompactJws(form.get('client_assertion'), client.publicJwk.kid, key);
    const isRight =
      claims?.iss === client.clientId &&
      claims.sub === client.clientId &&
      claims.aud === audience &&
      claims.exp * 1000 > Date.now();
    return isRight ? [claims.jti, new Date(claims.exp * 1000)] : undefined;
  };

  const issue = method === 'tls_client_auth' ? issueToClient : issueByAssertion;
  return listen(pki, 'floor-token', async (request, body) => {
    const [status, document] = await issue(new URLSearchParams(body.toString()), request);
    return {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: Buffer.from(JSON.stringify(document)),
    };
  });
}

const refused = [401, { error: 'invalid_client' }];

const inSeconds = (seconds) => new Date(Date.now() + seconds * 1000);

function createToken() {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: createHash('sha256').update(token).digest() };
}
