import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { expectBodiless } from '../../support/expectations.js';
import type { TestResponse } from '../../support/https-request.js';
import {
  aJwk,
  aSigningKey,
  basicOf,
  expectRefusal,
  type Difference,
  type RegisteringTpp,
} from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

const anInstance = (difference: Partial<Config['registration']>): Promise<string> =>
  getWorld().anotherInstance(({ registration }) => ({ registration: { ...registration, ...difference } }));

const post = async (url: string, difference: Difference = {}, tpp?: RegisteringTpp): Promise<TestResponse> => {
  const world = getWorld();
  const body = await world.aRequest(difference, tpp);
  return world.call(url, { method: 'POST', body, headers: { 'content-type': 'application/jose' } });
};

/** Settings of registration, each against an instance that has it otherwise. */
describe('settings of registration', () => {
  it('token-only takes a token only', async () => {
    const world = getWorld();
    const client = await world.register();
    const url = `${await anInstance({ managementBasic: false })}/${client.client_id}`;
    const get = (authorization: string): Promise<TestResponse> => world.call(url, { headers: { authorization } });
    const refused = await get(`Basic ${basicOf(client)}`);
    expectBodiless(refused, 401);
    expect(refused.headers['www-authenticate']).not.toContain('Basic');
    expectBodiless(await get(basicOf(client)), 401);
    expect((await get(`Bearer ${await world.aToken(client)}`)).status).toBe(200);
  });

  it('basic-only-with-scheme requires the scheme Basic', async () => {
    const world = getWorld();
    const client = await world.register();
    const url = `${await anInstance({ schemelessBasic: false })}/${client.client_id}`;
    const get = (authorization: string): Promise<TestResponse> => world.call(url, { headers: { authorization } });
    expectBodiless(await get(basicOf(client)), 401);
    expect((await get(`Basic ${basicOf(client)}`)).status).toBe(200);
  });

  it('DCR_MAX_PER_SOFTWARE counts existing clients, even with simultaneous requests', async () => {
    const world = getWorld();
    const url = await anInstance({ maxPerSoftware: 2 });
    const key = aSigningKey('limited');
    const address = world.keyStore.serveJson('limited.jwks', { keys: [aJwk(key)] });
    const softwareId = 'LimitedSoftware';
    const names = { software_id: softwareId, software_client_id: softwareId, software_jwks_endpoint: address };
    const tpp = { ...(await world.withStatement(names)), signingKey: key, softwareId };
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(url, {}, tpp)));
    const registered = answers.filter(({ status }) => status === 201);
    expect(registered).toHaveLength(2);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectRefusal(answer, 'invalid_client_metadata', undefined, 'software_statement.software_id');
    }
    const client = registered[0]?.json() as { client_id: string; client_secret: string };
    expect((await world.manage(client, `Basic ${basicOf(client)}`, { method: 'DELETE' })).status).toBe(204);
    expect((await post(url, {}, tpp)).status).toBe(201);
  });

  it('plain-errors answers OBErrorResponse1 and nothing besides', async () => {
    const answer = await post(await anInstance({ rfc7591Errors: false }), { scope: 'nothing' });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json()).sort()).toEqual(['Code', 'Errors', 'Id', 'Message']);
  });

  it('DCR_TOKEN_ENDPOINT_AUTH_METHODS registers and announces those methods only', async () => {
    const world = getWorld();
    const url = await anInstance({ tokenEndpointAuthMethods: ['tls_client_auth', 'private_key_jwt'] });
    expect((await post(url, { token_endpoint_auth_method: 'tls_client_auth' })).status).toBe(201);
    for (const method of ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']) {
      const answer = await post(url, { token_endpoint_auth_method: method });
      expectRefusal(answer, 'invalid_client_metadata', undefined, 'token_endpoint_auth_method');
    }
    const discovery = url.replace(/v3\.2\/register$/, 'v3.0/.well-known/openid-configuration');
    expect((await world.call(discovery)).json()).toMatchObject({
      token_endpoint_auth_methods_supported: ['tls_client_auth', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256'],
    });
  });

  it('DCR_RESERVED_CLIENT_NAMES are names that no software may have, nor one that looks like them', async () => {
    const url = await anInstance({ reservedClientNames: ['Ruritania Bank', 'Ruritania'] });
    const tryName = async (name: string) =>
      post(url, {}, await getWorld().withStatement({ software_client_name: name }));
    for (const name of ['Ruritania Bank', 'RURITANIА', 'Ruritania-Bank Login']) {
      const answer = await tryName(name);
      const path = 'software_statement.software_client_name';
      expectRefusal(answer, 'unapproved_software_statement', 'UK.OBIE.Field.Invalid', path);
    }
    expect((await tryName('Ruritania Ledger')).status).toBe(201);
  });

  it("host-issuer takes the host of the software's site and redirect URIs", async () => {
    const url = await anInstance({ acceptHostIssuer: true });
    expect((await post(url, { iss: 'tpp-one.example.com' })).status).toBe(201);
    expectRefusal(await post(url, { iss: 'other.example.com' }), 'invalid_client_metadata', undefined, 'iss');
    expectRefusal(
      await getWorld().tryRegister({ iss: 'tpp-one.example.com' }),
      'invalid_client_metadata',
      undefined,
      'iss',
    );
  });

  it('secret-when-needed gives a secret to those whose method uses one, when they need it', async () => {
    const world = getWorld();
    const url = await anInstance({ issueSecret: 'when_needed' });
    const method = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'PS256' };
    const client = (await post(url, method)).json() as { client_id: string; client_secret?: string };
    expect(client).not.toHaveProperty('client_secret');
    expect(client).not.toHaveProperty('client_secret_expires_at');
    const address = `${url}/${client.client_id}`;
    for (const secret of ['', 'undefined', ' ']) {
      const authorization = `Basic ${basicOf({ ...client, client_secret: secret })}`;
      expectBodiless(await world.call(address, { headers: { authorization } }), 401);
    }
    const { access_token } = (await world.token(await world.anAssertion(client.client_id))).json();
    const authorization = `Bearer ${String(access_token)}`;
    expect((await world.call(address, { headers: { authorization } })).status).toBe(200);
    const headers = { 'content-type': 'application/jose', authorization };
    const body = await world.aRequest({ token_endpoint_auth_method: 'client_secret_post' });
    const changed = (await world.call(address, { method: 'PUT', headers, body })).json();
    const { client_id } = client;
    const form = { grant_type: 'client_credentials', client_id, client_secret: String(changed['client_secret']) };
    expect((await world.token(form)).status).toBe(200);
    expect((await post(url)).json()).toHaveProperty('client_secret');
  });

  it('media-type-400 answers with an error body instead of 415', async () => {
    const world = getWorld();
    const url = await anInstance({ unsupportedMediaTypeStatus: 400 });
    const body = await world.aRequest();
    for (const type of ['application/json', undefined]) {
      const answer = await world.call(url, { method: 'POST', body, headers: { 'content-type': type } });
      expectRefusal(answer, 'invalid_client_metadata', 'UK.OBIE.Header.Invalid', 'Content-Type');
    }
    expect((await post(url)).status).toBe(201);
  });

  it("hide-other-clients answers another client's credentials as if there were no client", async () => {
    const world = getWorld();
    const url = await anInstance({ hideOtherClients: true });
    const [client, other] = [await world.register(), await world.register()];
    for (const client_id of [client.client_id, randomUUID()]) {
      const token = await world.aToken(other);
      for (const authorization of [`Basic ${basicOf(other)}`, `Bearer ${token}`]) {
        for (const method of ['GET', 'DELETE']) {
          expectBodiless(await world.call(`${url}/${client_id}`, { method, headers: { authorization } }), 401);
        }
      }
      // The token ends in both cases, or it would tell them apart.
      expectBodiless(await world.manage(other, `Bearer ${token}`), 401);
    }
    const authorization = `Basic ${basicOf(client)}`;
    expect((await world.call(`${url}/${client.client_id}`, { headers: { authorization } })).status).toBe(200);
  });

  it('DCR-T080 RATE_LIMIT_PER_CLIENT answers 429 without a body and says when to come back', async () => {
    const world = getWorld();
    const rateLimit = {
      windowSeconds: 60,
      perClient: 2,
      perAddress: 0,
      signInsPerAddress: 0,
      signInsPerUserName: 0,
      signInsPerSession: 10,
      signInsPerMinute: 0,
    };
    const url = await world.anotherInstance(() => ({ rateLimit }));
    const answers = [await post(url), await post(url), await post(url)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect([answers[2]?.text, Number(answers[2]?.headers['retry-after']) > 0]).toEqual(['', true]);
  });
});
