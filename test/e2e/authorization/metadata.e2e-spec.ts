import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, stat } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { expectErrorRedirect, expectSignIn } from '../../support/expectations.js';
import { FapiWorld, intentClaims, intentOf } from './fapi-world.js';

const world = new FapiWorld();
let metadata: Record<string, unknown>;

beforeAll(async () => {
  await world.start();
  const { agent, description } = world.sandbox;
  metadata = (await httpsRequest({ url: description.discovery_uri, agent })).json();
});
afterAll(() => world.stop());

const listed = (name: string): string[] => metadata[name] as string[];

describe('the discovery document (section 4)', () => {
  it('names an introspection endpoint, which the resource server of sandbox.json may use and no TPP', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Introspected' });
    const token = String(
      (await client.token({ grant_type: 'client_credentials', scope: 'payments' })).json()['access_token'],
    );
    const { description, ca } = world.sandbox;
    const { introspection_endpoint: url, transport_cert_file, transport_key_file } = description.resource_server;
    expect(metadata['introspection_endpoint']).toBe(url);
    expect((await stat(transport_key_file)).mode & 0o777).toBe(0o600);
    const [certificate, privateKey] = await Promise.all(
      [transport_cert_file, transport_key_file].map((file) => readFile(file, 'utf8')),
    );
    const agent = httpsAgent({ ca, certificate: certificate!, privateKey: privateKey! });
    const introspect = (by: Agent) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return httpsRequest({ url, method: 'POST', headers, body: new URLSearchParams({ token }).toString(), agent: by });
    };
    expect((await introspect(agent)).json()).toMatchObject({
      active: true,
      client_id: client.clientId,
      scope: 'payments',
    });
    expect((await introspect(client.agent)).status).toBe(401);
    agent.destroy();
  });
});

describe('what discovery says, used', () => {
  it('every response type and mode is answered in its own place', async () => {
    const client = await world.client({
      method: 'tls_client_auth',
      name: 'Modes',
      metadata: { response_types: listed('response_types_supported') },
    });
    for (const [response_type, response_mode, place] of [
      ['code id_token', undefined, 'fragment'],
      ['code id_token', 'fragment', 'fragment'],
      ['code', undefined, 'query'],
      ['code', 'query', 'query'],
      ['code', 'fragment', 'fragment'],
      ['code id_token', 'jwt', 'fragment'],
      ['code id_token', 'fragment.jwt', 'fragment'],
      ['code', 'jwt', 'query'],
      ['code', 'query.jwt', 'query'],
      ['code', 'fragment.jwt', 'fragment'],
    ] as const) {
      if (response_mode !== undefined) expect(listed('response_modes_supported')).toContain(response_mode);
      const { outcome } = await world.authorise(client, { response_type, response_mode });
      const names = [...outcome[place].keys()].filter((name) => name === 'code' || name === 'response');
      expect({ response_type, response_mode, names }).toMatchObject({
        names: [response_mode?.endsWith('jwt') === true ? 'response' : 'code'],
      });
    }
  });

  it('every scope can be asked for, by the client for itself and with openid by way of the customer', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Scopes' });
    for (const scope of listed('scopes_supported')) {
      const words = scope === 'openid' ? scope : `openid ${scope}`;
      // An intent belongs to payments.
      const claims = scope === 'payments' ? await world.request(client) : client.requestObject({ scope: words });
      expectSignIn(await client.authorize(claims));
      if (scope === 'openid') continue;
      const body = (await client.token({ grant_type: 'client_credentials', scope })).json();
      expect(body['scope']).toBe(scope);
    }
  });

  it('every acr value is reached; another essential one is not', async () => {
    const client = await world.client({ method: 'tls_client_auth', name: 'Levels' });
    const claims = await world.request(client);
    for (const value of listed('acr_values_supported')) {
      const request = { ...claims, claims: intentClaims(intentOf(claims), { value, essential: true }) };
      expectSignIn(await client.authorize(request));
    }
    const request = { ...claims, claims: intentClaims(intentOf(claims), { value: 'other', essential: true }) };
    expectErrorRedirect(await client.authorize(request), client, 'access_denied', { state: claims['state'] });
  });
});
