import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { hashToken } from '../../../dist/libs/oauth/src/random-token.js';
import { createAssertionForm, formHeaders, prepareTokenServers } from '../token-servers.mjs';

export const redirectUri = 'https://tpp.example/callback';
const nonce = 'bench-nonce';
export const codeVerifier = randomBytes(32).toString('base64url');
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');

/**
 * POST /oauth2/token, a code of an approved file payment with PKCE, private_key_jwt, and an ID token signed with PS256.
 */
export const authorizationCode = {
  name: 'token-authorization-code',
  check: 'code',
  requests: { quick: 450, full: 1_600 },
  prepare: (bench) =>
    prepareTokenServers(bench, {
      prefix: 'token_code',
      client: bench.client,
      method: 'private_key_jwt',
      createRequests: async (server, count) => {
        const { client, query } = bench;
        const codes = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
        await storeCodes[server.name === 'floor' || server.name === 'oidc-provider' ? server.name : 'ours']({
          ...server,
          codes,
          client,
          query,
        });
        const parameters = { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: codeVerifier };
        const forms = codes.map((code) =>
          createAssertionForm({ parameters: { ...parameters, code }, client, audience: server.audience }),
        );
        const { path } = server;
        return { requests: (await Promise.all(forms)).map((body) => ({ path, headers: formHeaders, body })) };
      },
    }),
};

const hash = (code) => createHash('sha256').update(code).digest();

export const storeCodes = {
  ours: async ({ url, codes, client, query }) => {
    const consentIds = codes.map(() => randomUUID());
    await query(
      url,
      `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges,
         psu_id, approvals_required, authorised_at, challenge_id, approved_hash, debtor_account)
       SELECT 'file-payment', '3.1', consent_id, $2, 'Authorised', now(), now(), now() + interval '1 day', '{}', '[]', 'psu', 1, now(), 'c', '', '{}'
       FROM unnest($1::uuid[]) AS consent_id`,
      [consentIds, client.clientId],
    );
    await query(
      url,
      `INSERT INTO authorization_codes (code_hash, client_id, consent_id, redirect_uri, scope, psu_id, subject, nonce, acr, authenticated_at,
         consented_at, code_challenge, expires_at)
       SELECT code_hash, $3, consent_id, $4, 'openid payments', 'psu', 'subject', $5, 'urn:openbanking:psd2:sca', now(), now(), $6,
         now() + interval '10 minutes'
       FROM unnest($1::bytea[], $2::uuid[]) AS code (code_hash, consent_id)`,
      [codes.map(hashToken), consentIds, client.clientId, redirectUri, nonce, codeChallenge],
    );
  },

  floor: ({ url, codes, client, query }) =>
    query(
      url,
      `INSERT INTO authorization_codes (code_hash, client_id, consent_id, redirect_uri, scope, subject, nonce, acr, authenticated_at,
         code_challenge, expires_at)
       SELECT code_hash, $2, gen_random_uuid(), $3, 'openid payments', 'subject', $4, 'urn:openbanking:psd2:sca', now(), $5,
         now() + interval '10 minutes'
       FROM unnest($1::bytea[]) AS code_hash`,
      [codes.map(hash), client.clientId, redirectUri, nonce, codeChallenge],
    ),

  /** As its own models would have stored them. */
  'oidc-provider': async ({ url, codes, client, query }) => {
    const issuedAt = Math.floor(Date.now() / 1000);
    const shared = { accountId: 'psu', clientId: client.clientId, iat: issuedAt, exp: issuedAt + 600 };
    const payloads = codes.flatMap((code) => {
      const grantId = randomBytes(32).toString('base64url');
      const scope = 'openid payments';
      return [
        { ...shared, kind: 'Grant', jti: grantId, openid: { scope } },
        {
          ...shared,
          kind: 'AuthorizationCode',
          jti: code,
          grantId,
          redirectUri,
          scope,
          nonce,
          codeChallenge,
          codeChallengeMethod: 'S256',
          authTime: issuedAt,
          acr: 'urn:openbanking:psd2:sca',
        },
      ];
    });
    await query(
      url,
      `INSERT INTO oidc_payloads (model, id, payload, grant_id, expires_at)
       SELECT payload ->> 'kind', payload ->> 'jti', payload, payload ->> 'grantId', now() + interval '10 minutes'
       FROM jsonb_array_elements($1::jsonb) AS payload`,
      [JSON.stringify(payloads)],
    );
  },
};
