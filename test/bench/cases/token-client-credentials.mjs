import { createAssertionForm, formHeaders, prepareTokenServers } from '../token-servers.mjs';

const parameters = { grant_type: 'client_credentials', scope: 'payments' };
const requests = { quick: 800, full: 2_500 };

/** POST /oauth2/token, client credentials grant with private_key_jwt (PS256) and certificate-bound tokens. */
export const privateKeyJwt = {
  name: 'token-client-credentials-private-key-jwt',
  check: 'token',
  requests,
  prepare: (bench) =>
    prepareTokenServers(bench, {
      prefix: 'token_jwt',
      client: bench.client,
      method: 'private_key_jwt',
      createRequests: async ({ path, audience }, count) => {
        const forms = Array.from({ length: count }, () =>
          createAssertionForm({ parameters, client: bench.client, audience }),
        );
        return { requests: (await Promise.all(forms)).map((body) => ({ path, headers: formHeaders, body })) };
      },
    }),
};

/** The same by the client certificate of the connection alone: no signature, one statement. */
export const tlsClientAuth = {
  name: 'token-client-credentials-tls-client-auth',
  check: 'token',
  requests: { quick: 1_200, full: 4_000 },
  prepare: (bench) => {
    const client = { ...bench.client, clientId: bench.client.tlsClientId };
    const body = new URLSearchParams({ ...parameters, client_id: client.clientId }).toString();
    return prepareTokenServers(bench, {
      prefix: 'token_tls',
      client,
      method: 'tls_client_auth',
      createRequests: async ({ path }, count) => ({
        requests: Array.from({ length: count }, () => ({ path, headers: formHeaders, body })),
      }),
    });
  },
};
