import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicKey, X509Certificate, type JsonWebKey } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { expectErrorRedirect, expectHybridResponse, expectSignIn } from '../../support/expectations.js';
import type { AuthenticationMethod } from '../../support/a-client.js';
import { FapiWorld, intentClaims, intentOf } from './fapi-world.js';

const world = new FapiWorld();
let metadata: Record<string, unknown>;
let keys: (JsonWebKey & Record<string, unknown>)[];

beforeAll(async () => {
  await world.start();
  const { agent, description } = world.sandbox;
  metadata = (await httpsRequest({ url: description.discovery_uri, agent })).json();
  keys = (await httpsRequest({ url: String(metadata['jwks_uri']), agent })).json()['keys'] as typeof keys;
});
afterAll(() => world.stop());

const listed = (name: string): string[] => metadata[name] as string[];

describe('the discovery document (section 4)', () => {
  it('1 is that of its own issuer: https, a host, no query, no fragment', () => {
    const { discovery_uri: uri } = world.sandbox.description;
    expect(uri).toBe(`${String(metadata['issuer'])}/.well-known/openid-configuration`);
    expect(new URL(String(metadata['issuer']))).toMatchObject({
      protocol: 'https:',
      search: '',
      hash: '',
      username: '',
    });
  });

  it.each([
    ['response_types_supported', ['code id_token']],
    ['subject_types_supported', ['pairwise']],
    ['scopes_supported', ['openid', 'accounts']],
    ['claims_supported', ['acr', 'openbanking_intent_id']],
    ['grant_types_supported', ['authorization_code', 'client_credentials']],
    ['acr_values_supported', ['urn:openbanking:psd2:sca']],
    ['token_endpoint_auth_methods_supported', ['tls_client_auth', 'private_key_jwt']],
    ['token_endpoint_auth_signing_alg_values_supported', ['PS256', 'ES256']],
    ['request_object_signing_alg_values_supported', ['PS256', 'ES256']],
    ['id_token_signing_alg_values_supported', ['PS256', 'ES256']],
  ])('%s lists %j, each once', (name, values) => {
    expect(listed(name)).toEqual(expect.arrayContaining(values));
    expect(new Set(listed(name)).size).toBe(listed(name).length);
  });

  it('announces what the service does, and nothing that the plan refuses', () => {
    expect(metadata).toMatchObject({
      tls_client_certificate_bound_access_tokens: true,
      request_parameter_supported: true,
      claims_parameter_supported: true,
      request_uri_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
    });
    expect(metadata['require_pushed_authorization_requests'] ?? false).toBe(false);
    const { token_endpoint: token } = metadata;
    const par = String(token).replace(/token$/, 'par');
    expect(metadata['mtls_endpoint_aliases']).toMatchObject({
      token_endpoint: token,
      pushed_authorization_request_endpoint: par,
    });
    const oneWay = String(metadata['authorization_endpoint']).replace(/authorize$/, 'par');
    expect(metadata['pushed_authorization_request_endpoint']).toBe(oneWay);
    expect(JSON.stringify(metadata)).not.toMatch(/RS256|"none"|mtls_client_auth/);
  });

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

  it('has endpoints that are there', async () => {
    const endpoints = Object.entries(metadata).filter(([name]) => /_endpoint$|jwks_uri/.test(name));
    const client = await world.client({ method: 'tls_client_auth', name: 'Addresses' });
    for (const [name, url] of endpoints) {
      expect(String(url)).toMatch(/^https:\/\//);
      const { status } = await httpsRequest({ url: String(url), agent: client.agent });
      expect({ name, isThere: status !== 404 }).toEqual({ name, isThere: true });
    }
  });
});

describe('the key set', () => {
  it('has public keys of enough bits with kid, use, alg and x5c', () => {
    expect(keys.length).toBeGreaterThanOrEqual(2);
    for (const key of keys) {
      expect(key).toMatchObject({
        kid: expect.stringMatching(/\S/),
        use: 'sig',
        alg: expect.stringMatching(/^[PE]S256$/),
      });
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']) expect(key).not.toHaveProperty(member);
      for (const member of ['n', 'e', 'x', 'y'].filter((name) => name in key)) {
        expect(key[member]).toMatch(/^[A-Za-z0-9_-]+$/);
      }
      const publicKey = createPublicKey({ key, format: 'jwk' });
      const bits = publicKey.asymmetricKeyDetails?.modulusLength;
      if (key.kty === 'RSA') expect(bits).toBeGreaterThanOrEqual(2048);
      const [der = ''] = key['x5c'] as string[];
      const certificate = new X509Certificate(Buffer.from(der, 'base64'));
      expect(certificate.publicKey.equals(publicKey)).toBe(true);
    }
  });

  it('has unique kids, and no two keys that fit one signature', () => {
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
  });

  it('is open, cacheable and only there to be read', async () => {
    const { agent } = world.sandbox;
    const response = await httpsRequest({ url: String(metadata['jwks_uri']), agent });
    expect(response.headers['content-type']).toMatch(/^application\/(?:jwk-set\+)?json/);
    expect(response.headers['cache-control']).toMatch(/max-age=\d+/);
    const refused = await httpsRequest({ url: String(metadata['jwks_uri']), agent, method: 'POST', body: '' });
    expect(refused.status).toBe(405);
  });
});

describe('what discovery says, used', () => {
  it('every grant, method and signing algorithm listed gets a token', async () => {
    const algorithms = { rsa: 'PS256', ec: 'ES256' } as const;
    for (const method of listed('token_endpoint_auth_methods_supported') as AuthenticationMethod[]) {
      for (const [keyType, algorithm] of Object.entries(algorithms) as ['rsa' | 'ec', string][]) {
        const client = await world.client({
          method,
          keyType,
          name: `Used ${method.replaceAll('_', ' ')}`.replaceAll(' ', ''),
        });
        expect(listed('request_object_signing_alg_values_supported')).toContain(algorithm);
        const { outcome, claims, code } = await world.authorise(client);
        expectHybridResponse(outcome, client, claims);
        expect((await client.token(client.exchange(code))).status).toBe(200);
        const own = await client.token({ grant_type: 'client_credentials', scope: 'payments' });
        expect(own.status).toBe(200);
      }
    }
  });

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
