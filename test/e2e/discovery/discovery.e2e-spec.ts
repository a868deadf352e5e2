import { createPublicKey, generateKeyPairSync, type JsonWebKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createOpenidConfiguration } from '../../support/apps/wires.js';
import { aTpp } from '../../support/a-tpp.js';
import type { TestResponse } from '../../support/https-request.js';
import { toTestSigningKey } from '../../support/a-signing-key.js';
import { aJwk } from '../registration/registration-values.js';
import { useRegistrationWorld } from '../registration/use-registration-world.js';

const getWorld = useRegistrationWorld();

const { privateKey: ecPrivateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** @returns a part of a JWT */
const parse = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

const read = (options: Parameters<ReturnType<typeof getWorld>['call']>[1] = {}): Promise<TestResponse> =>
  getWorld().call(getWorld().sandbox.description.discovery_uri, { certificate: null, ...options });
const metadata = async (): Promise<Record<string, unknown>> => (await read()).json();

/** Discovery, DCR-T001 to DCR-T015: what the document says, and that it is so. */
describe('discovery (OpenID Connect Discovery s3, s4)', () => {
  it('DCR-T001 DCR-T012 answers 200 with JSON, without certificate and Authorization', async () => {
    const answer = await read();
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(typeof answer.json()).toBe('object');
  });

  it('DCR-T002 the issuer is the address without the well-known part', async () => {
    const { discovery_uri } = getWorld().sandbox.description;
    expect((await metadata())['issuer']).toBe(discovery_uri.replace('/.well-known/openid-configuration', ''));
  });

  it('DCR-T003 the root serves the same bytes', async () => {
    const { base_url } = getWorld().sandbox.description;
    const alias = await getWorld().call(`${base_url}/.well-known/openid-configuration`, { certificate: null });
    expect(alias.body.equals((await read()).body)).toBe(true);
  });

  it('DCR-T004 DCR-T005 DCR-T006 DCR-T007 DCR-T008 DCR-T009 DCR-T010 DCR-T011 DCR-T015 holds what test/architecture/discovery-claims.spec.ts lists', async () => {
    const { config } = getWorld().sandbox;
    expect(await metadata()).toEqual(JSON.parse(JSON.stringify(createOpenidConfiguration(config))));
  });

  it('DCR-T013 answers 405 to POST and to methods that nothing here takes, 406 to Accept: text/html', async () => {
    for (const method of ['POST', 'PROPFIND', 'QUERY', 'LINK', 'M-SEARCH']) {
      const other = await read({ method });
      expect([method, other.status, other.headers['allow'], other.text]).toEqual([method, 405, 'GET, HEAD', '']);
    }
    expect((await read({ headers: { accept: 'text/html' } })).status).toBe(406);
  });

  it('DCR-T014 jwks_uri serves public signing keys of enough bits, each once and with its certificate', async () => {
    const url = String((await metadata())['jwks_uri']);
    const answer = await getWorld().call(url, { certificate: null });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/(?:jwk-set\+)?json/),
      'cache-control': expect.stringMatching(/max-age=\d+/),
    });
    const { keys } = answer.json() as { keys: (JsonWebKey & Record<string, unknown>)[] };
    expect(keys.length).toBeGreaterThanOrEqual(2);
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
    for (const key of keys) {
      expect(key).toMatchObject({
        kid: expect.stringMatching(/\S/),
        use: 'sig',
        alg: expect.stringMatching(/^[PE]S256$/),
      });
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']) expect(key).not.toHaveProperty(member);
      const publicKey = createPublicKey({ key, format: 'jwk' });
      if (key.kty === 'RSA') expect(publicKey.asymmetricKeyDetails?.modulusLength).toBeGreaterThanOrEqual(2048);
      const [der = ''] = key['x5c'] as string[];
      expect(new X509Certificate(Buffer.from(der, 'base64')).publicKey.equals(publicKey)).toBe(true);
    }
    expect((await getWorld().call(url, { certificate: null, method: 'POST', body: '' })).status).toBe(405);
  });

  it('every address in it answers', async () => {
    const world = getWorld();
    const { mtls_endpoint_aliases: aliases, ...members } = await metadata();
    const oneWay = ['jwks_uri', 'authorization_endpoint', 'pushed_authorization_request_endpoint'];
    const entries = [
      ...Object.entries(members).map(([name, url]) => [name, url, oneWay.includes(name) ? null : undefined] as const),
      ...Object.entries(aliases as object).map(([name, url]) => [name, url, undefined] as const),
    ];
    for (const [name, url, certificate] of entries) {
      if (!/_endpoint$|^jwks_uri$/.test(name)) continue;
      const { status } = await world.call(String(url), certificate === null ? { certificate } : {});
      // 405 is an answer too: the address is there, for another method.
      expect([name, [200, 400, 401, 405].includes(status)]).toEqual([name, true]);
    }
  });

  it('every algorithm of client assertions obtains a token', async () => {
    const world = getWorld();
    const document = await metadata();
    const ecKey = toTestSigningKey('ec', ecPrivateKey, 'ES256');
    const address = world.keyStore.serveJson('algorithms.jwks', {
      keys: [aJwk(ecKey), aJwk(world.tpp.signingKey)],
    });
    const tpp = await world.withKeys(address);
    for (const algorithm of document['token_endpoint_auth_signing_alg_values_supported'] as string[]) {
      const method = algorithm === 'HS256' ? 'client_secret_jwt' : 'private_key_jwt';
      const wish = { token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: algorithm };
      const client = await world.register(wish, tpp);
      const key = algorithm === 'ES256' ? ecKey : world.tpp.signingKey;
      const isHmac = algorithm === 'HS256';
      const form = isHmac ? world.anHmacAssertion(client) : await world.anAssertion(client.client_id, { key });
      expect([algorithm, (await world.token(form)).status]).toEqual([algorithm, 200]);
    }
  });

  it('every method and algorithm of the revocation endpoint ends a token', async () => {
    const world = getWorld();
    const document = await metadata();
    const algorithms = document['revocation_endpoint_auth_signing_alg_values_supported'];
    // Revocation authenticates as the token endpoint does, where each algorithm is tried.
    expect(algorithms).toEqual(document['token_endpoint_auth_signing_alg_values_supported']);
    for (const method of document['revocation_endpoint_auth_methods_supported'] as string[]) {
      const wish = { token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: 'PS256' };
      const client = await world.register(wish);
      const send = async (url: unknown, parameters: Record<string, string>): Promise<TestResponse> => {
        const { form, authorization } = await world.authentication(method, client);
        const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization };
        const body = new URLSearchParams({ ...form, ...parameters }).toString();
        return world.call(String(url), { method: 'POST', headers, body });
      };
      const token = (await send(document['token_endpoint'], { grant_type: 'client_credentials' })).json();
      const bearer = `Bearer ${String(token['access_token'])}`;
      expect([method, (await world.manage(client, bearer)).status]).toEqual([method, 200]);
      const revoked = await send(document['revocation_endpoint'], { token: String(token['access_token']) });
      expect([method, revoked.status]).toEqual([method, 200]);
      expect([method, (await world.manage(client, bearer)).status]).toEqual([method, 401]);
    }
  });

  it('a customer is another subject to each TPP, always the same one to one TPP, and reads every announced language', async () => {
    const world = getWorld();
    const document = await metadata();
    const subjects: unknown[] = [];
    for (const index of [0, 1, 0]) {
      const tpp = await aTpp(world.sandbox, { index });
      const { location, request } = await tpp.authorise();
      const [, payload = ''] = (new URLSearchParams(new URL(location).hash.slice(1)).get('id_token') ?? '').split('.');
      subjects.push(parse(payload)['sub']);
      if (subjects.length === 1) {
        for (const locale of document['ui_locales_supported'] as string[]) {
          const next = await tpp.createAuthorizationRequest(await tpp.stageFile());
          expect(next.url).not.toBe(request.url);
          const page = await world.call(next.url, { certificate: null, headers: { 'accept-language': locale } });
          expect(/<html lang="([^"]+)"/.exec(page.text)?.[1]).toBe(locale);
        }
      }
      tpp.close();
    }
    expect(document['subject_types_supported']).toEqual(['pairwise']);
    expect(new Set(subjects).size).toBe(2);
    expect(subjects[0]).toBe(subjects[2]);
  });

  it('the authorization response is what it says: hybrid in the fragment, with iss, claims and algorithm', async () => {
    const world = getWorld();
    const document = await metadata();
    const tpp = await aTpp(world.sandbox);
    const { location } = await tpp.authorise();
    const answer = new URLSearchParams(new URL(location).hash.slice(1));
    // authorization_response_iss_parameter_supported (RFC 9207), response_modes_supported
    expect([answer.get('iss'), answer.has('code')]).toEqual([document['issuer'], true]);
    const [header = '', payload = ''] = (answer.get('id_token') ?? '').split('.');
    expect(document['id_token_signing_alg_values_supported']).toContain(parse(header)['alg']);
    expect(document['acr_values_supported']).toContain(parse(payload)['acr']);
    const announced = document['claims_supported'] as string[];
    expect(Object.keys(parse(payload)).filter((claim) => !announced.includes(claim))).toEqual([]);
    tpp.close();
  });

  it('announces only what can be registered', async () => {
    const world = getWorld();
    const document = await metadata();
    for (const method of document['token_endpoint_auth_methods_supported'] as string[]) {
      await world.register({ token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: 'PS256' });
    }
    for (const algorithm of document['request_object_signing_alg_values_supported'] as string[]) {
      expect(await world.register({ request_object_signing_alg: algorithm })).toMatchObject({
        request_object_signing_alg: algorithm,
      });
    }
    for (const algorithm of document['id_token_signing_alg_values_supported'] as string[]) {
      await world.register({ id_token_signed_response_alg: algorithm });
    }
    for (const scope of document['scopes_supported'] as string[]) await world.register({ scope });
    for (const type of document['response_types_supported'] as string[]) {
      expect(await world.register({ response_types: [type] })).toMatchObject({ response_types: [type] });
    }
    await world.register({ grant_types: document['grant_types_supported'] });
  });
});
