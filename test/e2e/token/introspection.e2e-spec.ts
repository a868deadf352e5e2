import {
  useTokenSiblings,
  aCustomerToken,
  anAgent,
  aToken,
  bankAgent,
  introspect,
  metadata,
  resourceServer,
  resourceServerSubject,
  strangeTokens,
  tppAuthority,
  world,
} from './siblings-world.js';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { expectOAuthError } from '../../support/expectations.js';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import type { FapiClient } from '../authorization/fapi-client.js';

useTokenSiblings();

const signedType = 'application/token-introspection+jwt';

/** POST /oauth2/introspect, for the bank’s own resource servers (RFC 7662). */
describe('POST /oauth2/introspect (RFC 7662)', () => {
  let client: FapiClient;
  beforeAll(async () => {
    client = await world.client({ method: 'tls_client_auth', name: 'Introspected' });
  });

  it('tells a server of the bank’s own all it needs of a customer’s token', async () => {
    const { token, consentId } = await aCustomerToken(client);
    const response = await introspect(token);
    expect(response.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    const { 'x5t#S256': thumbprint } = (response.json()['cnf'] ?? {}) as Record<string, unknown>;
    expect(thumbprint).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(response.json()).toEqual({
      active: true,
      iss: metadata['issuer'],
      client_id: client.clientId,
      token_type: 'bearer',
      scope: 'openid payments',
      iat: expect.any(Number),
      exp: expect.any(Number),
      cnf: { 'x5t#S256': thumbprint },
      // The bank's own id of alice.
      sub: '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a01',
      openbanking_intent_id: consentId,
    });
  });

  it('names no customer for a client’s own token', async () => {
    const body = (await introspect(await aToken(client))).json();
    expect(body).toMatchObject({ active: true, scope: 'payments' });
    expect(body).not.toHaveProperty('sub');
  });

  it.each([
    ['unknown', async () => 'nonsense'],
    [
      'expired',
      async () => {
        const token = await aToken(client);
        await world.sandbox.database.query(
          "UPDATE access_tokens SET expires_at = now() - interval '1 second' WHERE client_id = $1",
          [client.clientId],
        );
        return token;
      },
    ],
    [
      'of a consent that is gone',
      async () => {
        const { token, consentId } = await aCustomerToken(client);
        await world.sandbox.database.query(`UPDATE payment_consents SET status = 'Rejected' WHERE consent_id = $1`, [
          consentId,
        ]);
        return token;
      },
    ],
    [
      'of a suspended client',
      async () => {
        const suspended = await world.client({ method: 'tls_client_auth', name: 'Suspended' });
        const token = await aToken(suspended);
        await world.sandbox.database.query(`UPDATE clients SET status = 'Suspended' WHERE client_id = $1`, [
          suspended.clientId,
        ]);
        return token;
      },
    ],
  ])('says only that it is not active of a token that is %s (CVE-2026-8922)', async (_title, make) => {
    expect((await introspect(await make())).json()).toEqual({ active: false });
  });

  it('signs its answer for a server that asks for a JWT (RFC 9701 s5)', async () => {
    const { token } = await aCustomerToken(client);
    const plain = (await introspect(token)).json();
    const response = await introspect(token, bankAgent, { accept: signedType });
    expect(response.headers).toMatchObject({
      'content-type': signedType,
      'cache-control': 'no-store',
      vary: 'accept',
    });
    const keys = await httpsRequest({ url: String(metadata['jwks_uri']), agent: world.sandbox.agent });
    const { payload, protectedHeader } = await jwtVerify(
      response.text,
      createLocalJWKSet(keys.json() as unknown as JSONWebKeySet),
      { issuer: String(metadata['issuer']), audience: resourceServer, typ: 'token-introspection+jwt' },
    );
    expect(metadata['introspection_signing_alg_values_supported']).toEqual([protectedHeader.alg]);
    expect(payload).toEqual({
      iss: metadata['issuer'],
      aud: resourceServer,
      iat: expect.any(Number),
      token_introspection: plain,
    });
  });

  it('signs that a token is not active, and answers JSON to who takes both alike', async () => {
    const unknown = await introspect('nonsense', bankAgent, { accept: signedType });
    expect(decodeJwt(unknown.text)['token_introspection']).toEqual({ active: false });
    for (const accept of [
      '*/*',
      'application/*',
      `application/json, ${signedType};q=0.5`,
      'x'.repeat(5_000) + signedType,
    ]) {
      const { headers } = await introspect('nonsense', bankAgent, { accept });
      expect([accept.slice(0, 60), headers['content-type']]).toEqual([accept.slice(0, 60), 'application/json']);
    }
    expectOAuthError(await introspect('nonsense', client.agent, { accept: signedType }), 401, 'invalid_client');
  });

  it('is closed to TPPs, to other names and to nobody', async () => {
    const token = await aToken(client);
    expectOAuthError(await introspect(token, client.agent), 401, 'invalid_client');
    // The right name from an authority of TPPs, whose customers choose their names.
    const impostor = await anAgent(resourceServerSubject, tppAuthority);
    expectOAuthError(await introspect(token, impostor), 401, 'invalid_client');
    impostor.destroy();
    const stranger = await anAgent([{ C: ['GB'] }, { O: ['Sandbox Bank'] }, { CN: ['accounts.bank.example.evil'] }]);
    expectOAuthError(await introspect(token, stranger), 401, 'invalid_client');
    stranger.destroy();
    const nobody = httpsAgent({ ca: world.sandbox.ca });
    await expect(introspect(token, nobody)).rejects.toThrow();
    nobody.destroy();
  });

  it('a certificate of the bank’s own is that of no TPP: everything else is closed to it', async () => {
    expectOAuthError(
      await client.token({ grant_type: 'client_credentials' }, { agent: bankAgent }),
      401,
      'invalid_client',
    );
    const url = String(metadata['userinfo_endpoint']);
    const authorization = `Bearer ${(await aCustomerToken(client)).token}`;
    expect((await httpsRequest({ url, agent: bankAgent, headers: { authorization } })).status).toBe(401);
  });

  it('wants a token', async () => {
    expectOAuthError(await introspect(undefined), 400, 'invalid_request');
  });

  it.each(strangeTokens)('%s is not active, like any unknown one (RFC 7662 s2.2)', async (_title, token) => {
    const response = await introspect(token);
    expect({ status: response.status, body: response.json() }).toEqual({ status: 200, body: { active: false } });
  });
});
