import { useTokenSiblings, aCustomerToken, aToken, metadata, world } from './siblings-world.js';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Agent } from 'node:https';
import { randomBytes } from 'node:crypto';
import { httpsRequest } from '../../support/https-request.js';
import type { FapiClient } from '../authorization/fapi-client.js';

useTokenSiblings();

/** GET and POST /oauth2/userinfo (OIDC Core s5.3). */
describe('GET and POST /oauth2/userinfo (OIDC Core s5.3)', () => {
  let client: FapiClient;
  let customer: { token: string; sub: string };
  beforeAll(async () => {
    client = await world.client({ method: 'private_key_jwt', name: 'Userinfo' });
    customer = await aCustomerToken(client);
  });

  const userinfo = (
    options: {
      method?: string;
      authorization?: string;
      agent?: Agent;
      query?: string;
      body?: string;
      headers?: Record<string, string>;
    } = {},
  ) =>
    httpsRequest({
      url: `${String(metadata['userinfo_endpoint'])}${options.query ?? ''}`,
      method: options.method ?? 'GET',
      headers: {
        ...options.headers,
        authorization: options.authorization,
        'content-type': options.body === undefined ? undefined : 'application/x-www-form-urlencoded',
      },
      ...(options.body !== undefined && { body: options.body }),
      agent: options.agent ?? client.agent,
    });

  it.each(['GET', 'POST'])('%s: the sub of the ID tokens and nothing else', async (method) => {
    const response = await userinfo({
      method,
      authorization: `Bearer ${customer.token}`,
      ...(method === 'POST' && { body: '' }),
    });
    expect(response.status).toBe(200);
    expect(response.json()).toEqual({ sub: customer.sub });
    expect(response.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(response.headers['x-fapi-interaction-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['the interaction id comes back', { 'x-fapi-interaction-id': 'c770AEF3-6784-41f7-8e0E-ff5F97bddb3a' }],
    ['a media type with a charset', { accept: 'application/json;charset=UTF-8', 'accept-charset': 'UTF-8' }],
    ['several media types', { accept: 'application/json, application/*+json, */*' }],
    ['an IPv6 address of the customer', { 'x-fapi-customer-ip-address': '2001:DB8::1893:25c8:1946' }],
  ])('2 as the resource of the plain profile, %s (FAPI 1.0 Baseline s6.2.1)', async (_title, headers) => {
    const response = await userinfo({ authorization: `Bearer ${customer.token}`, headers });
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(Math.abs(Date.parse(String(response.headers.date)) - Date.now())).toBeLessThan(300_000);
    const { 'x-fapi-interaction-id': sent = expect.stringMatching(/^[0-9a-f-]{36}$/) } = headers as Record<
      string,
      string
    >;
    expect(response.headers['x-fapi-interaction-id']).toEqual(sent);
  });

  it('accepts the scheme in any letter case (RFC 9110 s11.1)', async () => {
    expect((await userinfo({ authorization: `bEARER ${customer.token}` })).status).toBe(200);
  });

  it('answers 401 with a challenge without a token, and looks at none in query or form (RFC 6750 s3)', async () => {
    for (const response of [
      await userinfo(),
      await userinfo({ query: `?access_token=${customer.token}` }),
      await userinfo({ method: 'POST', body: `access_token=${customer.token}` }),
    ]) {
      expect({ status: response.status, challenge: response.headers['www-authenticate'] }).toEqual({
        status: 401,
        challenge: 'Bearer realm="open-banking"',
      });
    }
  });

  it.each([
    ['an unknown token', () => `Bearer ${randomBytes(32).toString('base64url')}`],
    ['no bearer token', () => 'Basic YTpi'],
    ['a token of strange characters', () => 'Bearer a,b'],
  ])('answers 401 invalid_token to %s', async (_title, make) => {
    const response = await userinfo({ authorization: make() });
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('answers 401 over another certificate (RFC 8705 s3)', async () => {
    const other = await world.client({ method: 'tls_client_auth', name: 'Thief' });
    const response = await userinfo({ authorization: `Bearer ${customer.token}`, agent: other.agent });
    expect(response.status).toBe(401);
  });

  it('answers 403 insufficient_scope to a token without openid', async () => {
    const response = await userinfo({ authorization: `Bearer ${await aToken(client)}` });
    expect({ status: response.status, challenge: response.headers['www-authenticate'] }).toEqual({
      status: 403,
      challenge: 'Bearer error="insufficient_scope"',
    });
  });
});
