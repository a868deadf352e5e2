import type { Pool } from 'pg';

/** What explanations need to know about a client. */
export interface KnownClient {
  clientId: string;
  status: string;
  orgId: string;
  softwareId: string;
  redirectUris: string[];
  responseTypes: string[];
  grantTypes: string[];
  scope: string;
  authMethod: string;
  assertionAlgorithm: string | null;
  requestObjectAlgorithm: string;
  subjectDn: string | null;
}

/** @returns the client of that id, deleted ones too; undefined for any other text */
export async function findKnownClient(pool: Pool, clientId: string | undefined): Promise<KnownClient | undefined> {
  if (clientId === undefined) return undefined;
  const { rows } = await pool.query<KnownClient>(
    `SELECT client_id AS "clientId", status, org_id AS "orgId", software_id AS "softwareId", redirect_uris AS
       "redirectUris", response_types AS "responseTypes", grant_types AS "grantTypes", scope,
       token_endpoint_auth_method AS "authMethod",
       token_endpoint_auth_signing_alg AS "assertionAlgorithm", request_object_signing_alg AS "requestObjectAlgorithm",
       tls_client_auth_subject_dn AS "subjectDn"
     FROM clients WHERE client_id::text = $1`,
    [clientId.toLowerCase()],
  );
  return rows[0];
}
