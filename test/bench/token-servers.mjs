// What the cases of the token endpoint share: the servers that are compared, and requests as a client makes them.
import { X509Certificate, randomUUID } from 'node:crypto';
import { countRows } from './count-rows.mjs';
import { createEnvironment, tokenNodeOptions } from './environment.mjs';
import { millionRows } from './million-rows.mjs';
import { floorTokenSchema, oidcProviderSchema } from './servers/schemas.mjs';
import { createCompactJws } from './sign-jws.mjs';

export const formHeaders = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

/** Tables in which every answer of ours and of the floor must have left one row; an assertion also leaves its jti. */
const writtenTables = { private_key_jwt: ['access_tokens', 'used_jwt_ids'], tls_client_auth: ['access_tokens'] };

/**
 * Our token app, the floor and oidc-provider, each with its own database, and our app once more on a million rows.
 * @param bench what every case gets
 * @param options.prefix of the databases' names
 * @param options.client whose requests are made
 * @param options.method by which it authenticates
 * @param options.createRequests makes the requests of a round, given `{ name, url, path, audience }` and their count
 */
export async function prepareTokenServers(bench, { prefix, client, method, createRequests }) {
  const { createDatabase, createOurs, query, pki, serverKey, directoryUrl, poolSize } = bench;
  const ours = await createOurs(`${prefix}_ours`);
  const [floor, peer] = await Promise.all(['floor', 'peer'].map((each) => createDatabase(`${prefix}_${each}`)));
  await query(floor, floorTokenSchema);
  await query(peer, oidcProviderSchema);
  const filled = await bench.filledDatabase();

  const { key } = client;
  // As OpenSSL writes it: neither of the others parses names.
  const subjectDn = new X509Certificate(pki.client.certificate).subject;
  const shared = {
    pki,
    poolSize,
    method,
    client: { clientId: client.clientId, publicJwk: key.publicJwk, subjectDn },
    serverKey: serverKey.privateJwk,
  };
  const audience = 'https://localhost:8442/oauth2/token';
  const issuer = 'https://localhost:8442';
  const environment = (databaseUrl) =>
    createEnvironment({ databaseUrl, poolSize, pki, signingKey: serverKey, directoryUrl });
  const path = '/oauth2/token';
  const servers = [
    {
      name: 'ours',
      module: 'token-app',
      nodeOptions: tokenNodeOptions,
      settings: { environment: environment(ours) },
      url: ours,
      path,
      audience,
    },
    {
      name: 'floor',
      module: 'floor-token',
      settings: { ...shared, databaseUrl: floor, audience, issuer },
      url: floor,
      path,
      audience,
    },
    {
      name: 'oidc-provider',
      module: 'oidc-provider',
      settings: { ...shared, databaseUrl: peer, issuer },
      url: peer,
      path: '/token',
      audience: issuer,
    },
    ...millionRows(filled, (url) => ({
      module: 'token-app',
      nodeOptions: tokenNodeOptions,
      settings: { environment: environment(url) },
      url,
      path,
      audience,
    })),
  ].map((server) => ({ ...server, createRequests: (count) => createRequests(server, count) }));
  const verify = await countRows(
    query,
    servers
      .filter(({ name }) => name !== 'oidc-provider')
      .flatMap(({ name, url }) => writtenTables[method].map((rows) => ({ server: name, url, rows }))),
  );
  return { servers, verify, expected: { clientId: client.clientId, serverKey: serverKey.publicJwk } };
}

/** @returns a form with the parameters and a fresh private_key_jwt assertion */
export async function createAssertionForm({ parameters, client, audience }) {
  const now = Math.floor(Date.now() / 1000);
  const { clientId } = client;
  const claims = { iss: clientId, sub: clientId, aud: audience, iat: now, exp: now + 600, jti: randomUUID() };
  return new URLSearchParams({
    ...parameters,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await createCompactJws({ header: { typ: 'JWT' }, claims, key: client.key }),
  }).toString();
}
