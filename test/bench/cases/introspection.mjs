import { createToken, floorTokenSql, oursTokenSql } from '../api-requests.mjs';
import { createEnvironment, tokenNodeOptions } from '../environment.mjs';
import { millionRows } from '../million-rows.mjs';
import { floorTokenSchema } from '../servers/schemas.mjs';
import { createPki } from '../tls.mjs';
import { formHeaders } from '../token-servers.mjs';

export const name = 'introspection';
export const check = 'introspection';
export const requests = { quick: 800, full: 3_000 };
export const rounds = { quick: 2, full: 11 };

/** POST /oauth2/introspect by a resource server of the bank, for valid tokens of a TPP. */
export async function prepare(bench) {
  const { createDatabase, createOurs, filledDatabase, query, pki, client, serverKey, directoryUrl, poolSize } = bench;
  const ours = await createOurs('introspection_ours');
  const floor = await createDatabase('introspection_floor');
  await query(floor, floorTokenSchema);
  const filled = await filledDatabase();
  const bank = await createPki({ orgId: 'bank', softwareId: 'resource-server', authorityName: 'Bench Bank CA' });
  const tokens = Array.from({ length: 20 }, () => createToken({ client, pki }));
  for (const { row } of tokens) {
    await query(floor, floorTokenSql.replace('client_id,', `scope, client_id,`).replace('$2,', `'payments', $2,`), row);
    for (const url of [ours, filled?.url]) if (url !== undefined) await query(url, oursTokenSql, row);
  }
  const settings = (databaseUrl) => ({
    environment: {
      ...createEnvironment({ databaseUrl, poolSize, pki, signingKey: serverKey, directoryUrl }),
      INTROSPECTION_TRUST_ANCHORS: bank.ca,
      INTROSPECTION_CLIENT_SUBJECTS: bank.client.subject,
    },
  });
  const server = { module: 'token-app', nodeOptions: tokenNodeOptions };
  const servers = [
    { ...server, name: 'ours', settings: settings(ours) },
    {
      name: 'floor',
      module: 'floor-introspection',
      settings: { pki: { ...pki, ca: bank.ca }, poolSize, databaseUrl: floor },
    },
    ...millionRows(filled, (url) => ({ ...server, settings: settings(url) })),
  ];
  const createRequests = (count) => ({
    requests: Array.from({ length: count }, (_, index) => ({
      path: '/oauth2/introspect',
      headers: formHeaders,
      body: `token=${tokens[index % tokens.length].token}`,
    })),
  });
  return {
    servers: servers.map((each) => ({ ...each, createRequests })),
    verify: async () => {},
    expected: { clientId: client.clientId },
    certified: bank.client,
  };
}
