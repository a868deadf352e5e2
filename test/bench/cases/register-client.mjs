import { randomUUID } from 'node:crypto';
import { countRows } from '../count-rows.mjs';
import { apiNodeOptions, createEnvironment } from '../environment.mjs';
import { millionRows } from '../million-rows.mjs';
import { floorRegistrationSchema } from '../servers/schemas.mjs';
import { createCompactJws } from '../sign-jws.mjs';

export const name = 'register-client';
export const check = 'registration';
export const requests = { quick: 300, full: 1_500 };
/** After 300 the engine has not compiled half of ours: a quick run would measure the interpreter. */
export const warmUp = 1_500;

const redirectUri = 'https://tpp.example/callback';

/** POST /register: two signatures (software statement and request), keys known, one client stored. */
export async function prepare({
  createDatabase,
  createOurs,
  filledDatabase,
  query,
  pki,
  client,
  serverKey,
  directoryUrl,
  poolSize,
}) {
  const ours = await createOurs('registration_ours');
  const floor = await createDatabase('registration_floor');
  await query(floor, floorRegistrationSchema);

  const filled = await filledDatabase();

  const environment = (databaseUrl) =>
    createEnvironment({ databaseUrl, poolSize, pki, signingKey: serverKey, directoryUrl });
  const { ORGANISATION_ID: audience } = environment(ours);
  const servers = [
    {
      name: 'ours',
      module: 'api-app',
      nodeOptions: apiNodeOptions,
      settings: { environment: environment(ours) },
      url: ours,
    },
    {
      name: 'floor',
      module: 'floor-registration',
      settings: { pki, poolSize, databaseUrl: floor, publicJwk: client.key.publicJwk },
      url: floor,
    },
    ...millionRows(filled, (url) => ({
      module: 'api-app',
      nodeOptions: apiNodeOptions,
      settings: { environment: environment(url) },
    })),
  ].map((server) => ({
    ...server,
    createRequests: (count) => createRequests({ count, client, directoryUrl, audience }),
  }));
  // Every answer must have left its client and its jti behind.
  const counts = servers.flatMap(({ name: server, url }) => [
    { server, url, rows: 'clients' },
    { server, url, rows: 'used_jwt_ids' },
  ]);
  return { servers, verify: await countRows(query, counts) };
}

/** One software statement serves all requests of a round, as it does for a TPP that tries again. */
async function createRequests({ count, client, directoryUrl, audience }) {
  const statement = await createStatement({ client, directoryUrl });
  const headers = { 'content-type': 'application/jose', accept: 'application/json' };
  const bodies = await Promise.all(
    Array.from({ length: count }, () => createRegistration({ client, statement, audience })),
  );
  return { requests: bodies.map((body) => ({ path: '/open-banking/v3.2/register', headers, body })) };
}

function createStatement({ client, directoryUrl }) {
  const roles = ['PISP', 'AISP'];
  const claims = {
    iss: 'Bench Directory',
    iat: Math.floor(Date.now() / 1000),
    jti: randomUUID(),
    software_environment: 'production',
    software_mode: 'Live',
    software_id: client.softwareId,
    software_client_id: client.softwareId,
    software_client_name: 'Bench Software',
    software_redirect_uris: [redirectUri],
    software_roles: roles,
    software_jwks_endpoint: `${directoryUrl}/software.jwks`,
    org_id: client.orgId,
    org_name: 'Bench TPP',
    org_status: 'Active',
    organisation_competent_authority_claims: {
      authority_id: 'FCAGBR',
      registration_id: '123456',
      status: 'Active',
      authorisations: [{ member_state: 'GB', roles }],
    },
  };
  // The bench's key host serves one key set at every path: the directory signs with the TPP's key.
  return createCompactJws({ header: { typ: 'JWT' }, claims, key: client.key });
}

function createRegistration({ client, statement, audience }) {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: client.softwareId,
    iat: now,
    exp: now + 600,
    aud: audience,
    jti: randomUUID(),
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'PS256',
    grant_types: ['authorization_code', 'client_credentials'],
    response_types: ['code id_token'],
    scope: 'openid payments',
    software_statement: statement,
    application_type: 'web',
    id_token_signed_response_alg: 'PS256',
    request_object_signing_alg: 'PS256',
  };
  return createCompactJws({ header: { typ: 'JWT' }, claims, key: client.key });
}
