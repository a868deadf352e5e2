import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webcrypto } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { httpsRequest } from '../../support/https-request.js';
import type { AuthenticationMethod, FapiClient } from '../../support/a-client.js';
import { FapiWorld, intentClaims, intentOf } from './fapi-world.js';

const world = new FapiWorld();
beforeAll(() => world.start());
afterAll(() => world.stop());

type Fetch = (
  url: string,
  options: oauth.CustomFetchOptions<string, URLSearchParams | string | undefined>,
) => Promise<Response>;

/** fetch() over node:https with the client's certificate. */
const fetchAs =
  ({ agent }: Pick<FapiClient, 'agent'>): Fetch =>
  async (url, { method, headers, body }) => {
    const {
      status,
      headers: answered,
      body: bytes,
    } = await httpsRequest({
      url,
      method,
      headers,
      agent,
      ...(body !== undefined && body !== null && { body: body.toString() }),
    });
    const entries = Object.entries(answered).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(bytes.length > 0 ? new Uint8Array(bytes) : null, { status, headers: entries });
  };

async function importKey({ credentials }: FapiClient): Promise<oauth.PrivateKey> {
  const pkcs8 = credentials.signingKey.export({ type: 'pkcs8', format: 'der' });
  const algorithm =
    credentials.signingAlgorithm === 'ES256'
      ? { name: 'ECDSA', namedCurve: 'P-256' }
      : { name: 'RSA-PSS', hash: 'SHA-256' };
  const key = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  return { key: key, kid: credentials.signingKid };
}

function authenticationOf(client: FapiClient, key: oauth.PrivateKey): oauth.ClientAuth {
  switch (client.method) {
    case 'private_key_jwt':
      return oauth.PrivateKeyJwt(key);
    case 'tls_client_auth':
      return oauth.TlsClientAuth();
    case 'client_secret_basic':
      return oauth.ClientSecretBasic(client.clientSecret);
    case 'client_secret_post':
      return oauth.ClientSecretPost(client.clientSecret);
    case 'client_secret_jwt':
      return oauth.ClientSecretJwt(client.clientSecret);
  }
}

const cases: [AuthenticationMethod, 'rsa' | 'ec', 'code id_token' | 'code'][] = (
  ['private_key_jwt', 'tls_client_auth', 'client_secret_basic', 'client_secret_post', 'client_secret_jwt'] as const
).flatMap((method) =>
  (['rsa', 'ec'] as const).flatMap((keyType) =>
    (['code id_token', 'code'] as const).map(
      (responseType): [AuthenticationMethod, 'rsa' | 'ec', 'code id_token' | 'code'] => [method, keyType, responseType],
    ),
  ),
);

describe('oauth4webapi as the client', () => {
  it.each(cases)('%s with an %s key: %s', async (method, keyType, responseType) => {
    const fapi = await world.client({
      method,
      keyType,
      name: 'Library',
      metadata: {
        response_types: ['code', 'code id_token'],
        grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
      },
    });
    const key = await importKey(fapi);
    const options = { [oauth.customFetch]: fetchAs(fapi) as never };
    const issuer = new URL(fapi.provider.issuer);
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
    const alg = fapi.credentials.signingAlgorithm;
    const client: oauth.Client = {
      client_id: fapi.clientId,
      id_token_signed_response_alg: alg,
      // RFC 8705 s5: the client knows which of its requests show a certificate.
      use_mtls_endpoint_aliases: method === 'tls_client_auth',
    };
    const authentication = authenticationOf(fapi, key);

    const own = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication,
      { scope: 'payments' },
      options,
    );
    expect((await oauth.processClientCredentialsResponse(server, client, own)).token_type).toBe('bearer');

    const payment = await authorise({ scope: 'openid payments', claims: intentClaims(await world.stageIntent(fapi)) });
    expect(payment.claims?.['openbanking_intent_id']).toBe(payment.intent);
    expect(payment.token.refresh_token).toBeUndefined();
    const info = await oauth.userInfoRequest(server, client, payment.token.access_token, options);
    expect(await oauth.processUserInfoResponse(server, client, payment.claims?.sub ?? '', info)).toEqual({
      sub: payment.claims?.sub,
    });

    const { token } = await authorise({ scope: 'openid accounts', isPushed: true });
    const refreshed = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      token.refresh_token ?? '',
      options,
    );
    const next = await oauth.processRefreshTokenResponse(server, client, refreshed);
    expect(next.access_token).not.toBe(token.access_token);
    // It is not rotated (RFC 6749 s6: the server may issue a new one).
    expect(next.refresh_token).toBeUndefined();
    const { refresh_token: refreshToken = '' } = token;
    const revoked = await oauth.revocationRequest(server, client, authentication, refreshToken, options);
    await oauth.processRevocationResponse(revoked);
    const late = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options);
    await expect(oauth.processRefreshTokenResponse(server, client, late)).rejects.toMatchObject({
      error: 'invalid_grant',
    });

    /** RFC 9126 */
    async function push(request: string): Promise<string> {
      const parameters = new URLSearchParams({ request });
      const response = await oauth.pushedAuthorizationRequest(server, client, authentication, parameters, options);
      return (await oauth.processPushedAuthorizationResponse(server, client, response)).request_uri;
    }

    /** Request object, customer, response and code exchange, all by the library. */
    async function authorise(request: { scope: string; claims?: unknown; isPushed?: boolean }) {
      const [state, nonce, verifier] = [
        oauth.generateRandomState(),
        oauth.generateRandomNonce(),
        oauth.generateRandomCodeVerifier(),
      ];
      const parameters = new URLSearchParams({
        response_type: responseType,
        redirect_uri: fapi.redirectUri,
        scope: request.scope,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(request.claims !== undefined && { claims: JSON.stringify(request.claims) }),
      });
      const requestObject = await oauth.issueRequestObject(server, client, parameters, key);
      const url = new URL(server.authorization_endpoint ?? '');
      url.search = new URLSearchParams(
        request.isPushed === true
          ? { client_id: client.client_id, request_uri: await push(requestObject) }
          : {
              client_id: client.client_id,
              response_type: responseType,
              scope: request.scope,
              redirect_uri: fapi.redirectUri,
              request: requestObject,
            },
      ).toString();
      const outcome = await world.decide(url.href, 'approve');
      const returned = responseType === 'code' ? outcome.query : outcome.fragment;
      const validated =
        responseType === 'code'
          ? oauth.validateAuthResponse(server, client, returned, state)
          : await oauth.validateDetachedSignatureResponse(server, client, returned, nonce, state, undefined, options);
      const { redirectUri } = fapi;
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        validated,
        redirectUri,
        verifier,
        options,
      );
      const token = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      await oauth.validateApplicationLevelSignature(server, response, options);
      const claims = oauth.getValidatedIdTokenClaims(token);
      const intent = request.claims === undefined ? undefined : intentOf({ claims: request.claims });
      return { token, claims, intent };
    }
  });
});
