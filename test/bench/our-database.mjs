import { runMigrations } from '#libs/persistence';

/** Brings an empty database to our schema and registers the client that every case uses. */
export async function createOurDatabase({ url, client, jwksUri, query }) {
  await runMigrations(url);
  await query(
    url,
    `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types, response_types, scope,
       token_endpoint_auth_method, token_endpoint_auth_signing_alg, id_token_signed_response_alg, request_object_signing_alg, jwks_uri,
       secret_hash, metadata, client_id_issued_at, updated_at)
     VALUES ($1, 'Active', $2, 'Bench TPP', $3, 'Bench TPP', '{https://tpp.example/callback}', '{authorization_code,client_credentials}',
       '{code id_token}', 'openid payments', 'private_key_jwt', 'PS256', 'PS256', 'PS256', $4, $5, '{}', now(), now())`,
    [client.clientId, client.orgId, client.softwareId, jwksUri, Buffer.alloc(32)],
  );
}
