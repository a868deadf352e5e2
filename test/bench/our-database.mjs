import { runMigrations } from '#libs/typeorm';

/**
 * Brings an empty database to our schema and registers the client of every case, once for each way in which it
 * authenticates.
 */
export async function createOurDatabase({ url, client, jwksUri, query }) {
  await runMigrations(url);
  const { orgId, softwareId, subjectDn } = client;
  for (const [clientId, method, signingAlg, subject] of [
    [client.clientId, 'private_key_jwt', 'PS256', null],
    [client.tlsClientId, 'tls_client_auth', null, subjectDn],
  ]) {
    await query(
      url,
      `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types, response_types,
         scope, token_endpoint_auth_method, token_endpoint_auth_signing_alg, id_token_signed_response_alg, request_object_signing_alg,
         tls_client_auth_subject_dn, jwks_uri, directory_issuer, secret_hash, metadata, client_id_issued_at, updated_at)
       VALUES ($1, 'Active', $2, 'Bench TPP', $3, 'Bench TPP', '{https://tpp.example/callback}', '{authorization_code,client_credentials}',
         '{code id_token}', 'openid payments', $4, $5, 'PS256', 'PS256', $6, $7, 'Bench Directory', $8, '{}', now(), now())`,
      [clientId, orgId, softwareId, method, signingAlg, subject, jwksUri, Buffer.alloc(32)],
    );
  }
}
