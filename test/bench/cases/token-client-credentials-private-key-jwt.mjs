import { randomUUID } from 'node:crypto';
import { createEnvironment } from '../environment.mjs';
import { createOurDatabase } from '../our-database.mjs';
import { floorTokenSchema, oidcProviderSchema } from '../servers/schemas.mjs';
import { createCompactJws } from '../sign-jws.mjs';

export const name = 'token-client-credentials-private-key-jwt';
export const check = 'token';
export const requests = { quick: 2_500, full: 6_000 };

/** POST /oauth2/token, client credentials grant with private_key_jwt (PS256) and certificate-bound tokens. */
export async function prepare({ createDatabase, query, pki, client, serverKey, directoryUrl, poolSize }) {
  const [ours, floor, peer] = await Promise.all(
    ['ours', 'floor', 'peer'].map((each) => createDatabase(`token_${each}`)),
  );
  await createOurDatabase({ url: ours, client, jwksUri: `${directoryUrl}/software.jwks`, query });
  await query(floor, floorTokenSchema);
  await query(peer, oidcProviderSchema);

  const shared = { pki, poolSize, client: { clientId: client.clientId, publicJwk: client.key.publicJwk } };
  const audience = 'https://localhost:8442/oauth2/token';
  const issuer = 'https://localhost:8442';
  return {
    servers: [
      {
        name: 'ours',
        module: 'token-app',
        settings: {
          environment: createEnvironment({ databaseUrl: ours, poolSize, pki, signingKey: serverKey, directoryUrl }),
        },
        createRequests: (count) => createRequests({ count, client, path: '/oauth2/token', audience }),
      },
      {
        name: 'floor',
        module: 'floor-token',
        settings: { ...shared, databaseUrl: floor, audience },
        createRequests: (count) => createRequests({ count, client, path: '/oauth2/token', audience }),
      },
      {
        name: 'oidc-provider',
        module: 'oidc-provider',
        settings: { ...shared, databaseUrl: peer, issuer, serverKey: serverKey.privateJwk },
        createRequests: (count) => createRequests({ count, client, path: '/token', audience: issuer }),
      },
    ],
    /** Every answer must have left its token and its jti behind. */
    verify: async ({ answers }) => {
      const found = {
        ours: [await countRows(query, ours, 'access_tokens'), await countRows(query, ours, 'used_jwt_ids')],
        floor: [await countRows(query, floor, 'access_tokens'), await countRows(query, floor, 'used_jwt_ids')],
      };
      for (const [server, counts] of Object.entries(found)) {
        if (counts.some((each) => each !== answers)) {
          throw new Error(`${server} answered ${answers} times and stored ${counts.join(' tokens and ')} jti.`);
        }
      }
    },
  };
}

async function countRows(query, url, table) {
  const { rows } = await query(url, `SELECT count(*) FROM ${table}`);
  return Number(rows[0].count);
}

async function createRequests({ count, client, path, audience }) {
  const assertions = await Promise.all(Array.from({ length: count }, () => createAssertion({ client, audience })));
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  return { requests: assertions.map((assertion) => ({ path, headers, body: createForm(assertion) })) };
}

function createAssertion({ client, audience }) {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: client.clientId,
    sub: client.clientId,
    aud: audience,
    iat: now,
    exp: now + 600,
    jti: randomUUID(),
  };
  return createCompactJws({ header: { typ: 'JWT' }, claims, key: client.key });
}

const createForm = (assertion) =>
  new URLSearchParams({
    grant_type: 'client_credentials',
    scope: 'payments',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  }).toString();
