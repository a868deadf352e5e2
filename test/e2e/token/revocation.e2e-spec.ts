import { useTokenSiblings, aToken, introspect, metadata, strangeTokens, world } from './siblings-world.js';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { expectOAuthError } from '../../support/expectations.js';
import { type TestResponse, httpsRequest } from '../../support/https-request.js';
import type { FapiClient } from '../authorization/fapi-client.js';

useTokenSiblings();

/** POST /oauth2/revoke (RFC 7009). */
describe.each(['private_key_jwt', 'tls_client_auth', 'client_secret_basic'] as const)(
  'POST /oauth2/revoke by a %s client (RFC 7009)',
  (method) => {
    let client: FapiClient;
    beforeAll(async () => {
      client = await world.client({ method });
    });

    const revoke = (token: string | undefined, by = client, form: Record<string, string> = {}): Promise<TestResponse> =>
      by.token({ token, ...form }, { url: String(metadata['revocation_endpoint']) });

    it('ends the token at once: 200 without a body (s2.2)', async () => {
      const token = await aToken(client);
      expect((await introspect(token)).json()).toMatchObject({ active: true });
      const response = await revoke(token);
      expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: '' });
      expect(response.headers['cache-control']).toBe('no-store');
      expect((await introspect(token)).json()).toEqual({ active: false });
      expect((await revoke(token)).status).toBe(200);
      const events = await world.sandbox.database.query<{ action: string }>(
        'SELECT action FROM audit_events WHERE interaction_id = $1',
        [response.headers['x-fapi-interaction-id']],
      );
      expect(events.rows).toEqual([{ action: 'token.revoke' }]);
    });

    it('answers 200 for an unknown token, whatever the hint (s2.1, s2.2)', async () => {
      for (const hint of ['access_token', 'refresh_token', 'nonsense']) {
        expect((await revoke(randomBytes(32).toString('base64url'), client, { token_type_hint: hint })).status).toBe(
          200,
        );
      }
    });

    it.each(strangeTokens)('answers 200 for %s too (s2.2: an invalid token is not an error)', async (_title, token) => {
      expect((await revoke(token)).status).toBe(200);
    });

    it('leaves another client’s token alone', async () => {
      const other = await world.client({ method, name: 'Other' });
      const token = await aToken(other);
      expect((await revoke(token)).status).toBe(200);
      expect((await introspect(token)).json()).toMatchObject({ active: true });
    });

    it('wants a token, and the client to be who it says', async () => {
      expectOAuthError(await revoke(undefined), 400, 'invalid_request');
      const url = String(metadata['revocation_endpoint']);
      const authentication = { form: { client_id: client.clientId, client_secret: randomUUID() } };
      expectOAuthError(await client.token({ token: 'x' }, { url, authentication }), 401, 'invalid_client');
    });
  },
);

describe('a revocation that cannot be stored', () => {
  it('does not claim to have happened (CVE-2020-15223)', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Unstored' });
    const token = await aToken(client);
    await world.sandbox.database.query('ALTER TABLE refresh_grants RENAME TO grants_elsewhere');
    try {
      const response = await client.token({ token }, { url: String(metadata['revocation_endpoint']) });
      expectOAuthError(response, 500, 'server_error');
    } finally {
      await world.sandbox.database.query('ALTER TABLE grants_elsewhere RENAME TO refresh_grants');
    }
    expect((await introspect(token)).json()).toMatchObject({ active: true });
  });
});

describe('a client assertion at the revocation endpoint', () => {
  it('counts once, there and at the token endpoint together (RFC 7523 s3)', async () => {
    const client = await world.client({ method: 'private_key_jwt', name: 'Once' });
    const authentication = { form: client.assertion() };
    const url = String(metadata['revocation_endpoint']);
    const grant = { grant_type: 'client_credentials', scope: 'payments' };
    const token = await aToken(client);
    expect((await client.token(grant, { authentication })).status).toBe(200);
    expectOAuthError(await client.token({ token }, { url, authentication }), 401, 'invalid_client');
    // Nothing happened: the client did not authenticate.
    expect((await introspect(token)).json()).toMatchObject({ active: true });
  });
});

/** A deployment without the siblings of the token endpoint. */
describe('the siblings where they are not configured', () => {
  it('other methods get 405, and discovery names what is there', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Methods' });
    for (const name of ['revocation_endpoint', 'introspection_endpoint']) {
      const response = await httpsRequest({ url: String(metadata[name]), agent: client.agent });
      expect({ name, status: response.status, allow: response.headers.allow }).toEqual({
        name,
        status: 405,
        allow: 'POST',
      });
    }
  });
});
