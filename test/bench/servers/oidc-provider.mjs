// The certified npm package, with the same client authentication and certificate-bound tokens as ours.
import { createServer } from 'node:https';
import { Provider } from 'oidc-provider';
import { Pool } from 'pg';
import { serverTlsOptions } from '../tls.mjs';

export async function start({ pki, databaseUrl, poolSize, client, serverKey, issuer, method }) {
  const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
  const provider = new Provider(issuer, {
    adapter: createAdapter(pool),
    jwks: { keys: [serverKey] },
    clientAuthMethods: [method],
    enabledJWA: { clientAuthSigningAlgValues: ['PS256'] },
    scopes: ['openid', 'payments'],
    acrValues: ['urn:openbanking:psd2:sca'],
    ttl: { ClientCredentials: 300, AccessToken: 300, IdToken: 300 },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      mTLS: {
        enabled: true,
        certificateBoundAccessTokens: true,
        getCertificate: (ctx) => ctx.socket.getPeerX509Certificate(),
        tlsClientAuth: true,
        certificateAuthorized: (ctx) => ctx.socket.authorized,
        certificateSubjectMatches: (ctx, property, expected) =>
          property === 'tls_client_auth_subject_dn' && ctx.socket.getPeerX509Certificate().subject === expected,
      },
    },
    clients: [
      {
        client_id: client.clientId,
        grant_types: ['client_credentials', 'authorization_code'],
        response_types: ['code'],
        redirect_uris: ['https://tpp.example/callback'],
        scope: 'openid payments',
        id_token_signed_response_alg: 'PS256',
        token_endpoint_auth_method: method,
        ...(method === 'private_key_jwt'
          ? { token_endpoint_auth_signing_alg: 'PS256' }
          : { tls_client_auth_subject_dn: client.subjectDn }),
        tls_client_certificate_bound_access_tokens: true,
        jwks: { keys: [client.publicJwk] },
      },
    ],
  });
  provider.on('server_error', (_context, error) => console.error(error));
  const server = createServer(serverTlsOptions(pki, 'oidc-provider'), provider.callback());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}

/** The adapter of the package's documentation, in plain SQL: one named statement per operation. */
function createAdapter(pool) {
  const run = (name, text, values) => pool.query({ name, text, values });
  return class PostgresAdapter {
    constructor(model) {
      this.model = model;
    }

    async upsert(id, payload, expiresIn) {
      await run(
        'upsert',
        `INSERT INTO oidc_payloads (model, id, payload, grant_id, user_code, uid, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
        [
          this.model,
          id,
          JSON.stringify(payload),
          payload.grantId ?? null,
          payload.userCode ?? null,
          payload.uid ?? null,
          expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
        ],
      );
    }

    async find(id) {
      return this.#load('find', 'id', id);
    }

    async findByUid(uid) {
      return this.#load('find-by-uid', 'uid', uid);
    }

    async findByUserCode(userCode) {
      return this.#load('find-by-user-code', 'user_code', userCode);
    }

    async consume(id) {
      await run('consume', 'UPDATE oidc_payloads SET consumed_at = now() WHERE model = $1 AND id = $2', [
        this.model,
        id,
      ]);
    }

    async destroy(id) {
      await run('destroy', 'DELETE FROM oidc_payloads WHERE model = $1 AND id = $2', [this.model, id]);
    }

    async revokeByGrantId(grantId) {
      await run('revoke', 'DELETE FROM oidc_payloads WHERE grant_id = $1', [grantId]);
    }

    async #load(name, column, value) {
      const { rows } = await run(
        name,
        `SELECT payload, consumed_at FROM oidc_payloads WHERE model = $1 AND ${column} = $2 AND (expires_at IS NULL OR expires_at > now())`,
        [this.model, value],
      );
      if (rows.length === 0) return undefined;
      const [{ payload, consumed_at: consumedAt }] = rows;
      return consumedAt === null ? payload : { ...payload, consumed: Math.floor(consumedAt.getTime() / 1000) };
    }
  };
}
