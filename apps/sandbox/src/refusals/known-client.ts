import type { Pool } from 'pg';

/** What the service knows about a client, as far as refusals need it. */
export interface KnownClient {
  clientId: string;
  status: string;
  orgId: string;
  softwareId: string;
  redirectUris: string[];
  responseTypes: string[];
  scope: string;
  authMethod: string;
  assertionAlgorithm: string | undefined;
  requestObjectAlgorithm: string;
  subjectDn: string | undefined;
}

interface ClientRow {
  client_id: string;
  status: string;
  org_id: string;
  software_id: string;
  redirect_uris: string[];
  response_types: string[];
  scope: string;
  token_endpoint_auth_method: string;
  token_endpoint_auth_signing_alg: string | null;
  request_object_signing_alg: string;
  tls_client_auth_subject_dn: string | null;
}

/** @returns the client of that id, deleted ones too; undefined for any other text */
export async function findKnownClient(pool: Pool, clientId: string | undefined): Promise<KnownClient | undefined> {
  if (clientId === undefined) return undefined;
  const { rows } = await pool.query<ClientRow>(
    `SELECT client_id, status, org_id, software_id, redirect_uris, response_types, scope, token_endpoint_auth_method,
       token_endpoint_auth_signing_alg, request_object_signing_alg, tls_client_auth_subject_dn
     FROM clients WHERE client_id::text = $1`,
    [clientId.toLowerCase()],
  );
  const [row] = rows;
  return (
    row && {
      clientId: row.client_id,
      status: row.status,
      orgId: row.org_id,
      softwareId: row.software_id,
      redirectUris: row.redirect_uris,
      responseTypes: row.response_types,
      scope: row.scope,
      authMethod: row.token_endpoint_auth_method,
      assertionAlgorithm: row.token_endpoint_auth_signing_alg ?? undefined,
      requestObjectAlgorithm: row.request_object_signing_alg,
      subjectDn: row.tls_client_auth_subject_dn ?? undefined,
    }
  );
}
