import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Client } from 'pg';
import { loadSandboxConfig } from '../../support/load-sandbox-config.js';
import { runMigrations } from '#libs/typeorm';
import { expectOAuthError, expectErrorPage, expectErrorRedirect } from '../../support/expectations.js';
import { freePort } from '../../support/free-port.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { loadPrograms } from '../../support/load-programs.js';
import { pkce, FapiClient, type Difference, type SandboxAccess } from '../../support/a-client.js';
import { openAuthorization, decideInPages } from '../../support/page-browser.js';
import { FapiWorld } from './fapi-world.js';

/**
 * A TPP that uses two servers of this product (OAuth 2.0 mix-up, RFC 9207, RFC 9700 s4.4). They have the same
 * directory, the same keys and secrets, and the TPP the same client id at both: nothing but the issuer tells them
 * apart.
 */
const world = new FapiWorld();
let here: FapiClient;
let there: FapiClient;
let second: SandboxAccess;
const apps: NestFastifyApplication[] = [];

const scope = 'openid accounts';

beforeAll(async () => {
  await world.start();
  here = await world.client({
    method: 'private_key_jwt',
    metadata: {
      grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
      response_types: ['code', 'code id_token'],
      authorization_signed_response_alg: 'PS256',
    },
  });
  second = await startSecond();
  const { credentials, agent, method, clientId, clientSecret, redirectUri } = here;
  there = new FapiClient(second, credentials, second.description, agent, method, clientId, clientSecret, redirectUri);
});

afterAll(async () => {
  for (const app of apps) await app.close();
  await world.stop();
});

const address = (port: number): string => `https://localhost:${port}`;

/** Another issuer beside the first, with a database of its own in which the client is registered under the same id. */
async function startSecond(): Promise<SandboxAccess> {
  const { directory, description, postgres, ca, agent, database } = world.sandbox;
  await postgres.createDatabase('second');
  const databaseUrl = postgres.url('second');
  await runMigrations(databaseUrl);
  const { rows } = await database.query<{ client: string }>(
    'SELECT to_jsonb(clients)::text AS client FROM clients WHERE client_id = $1',
    [here.clientId],
  );
  const copy = new Client({ connectionString: databaseUrl });
  await copy.connect();
  await copy.query('INSERT INTO clients SELECT * FROM jsonb_populate_record(NULL::clients, $1::jsonb)', [
    rows[0]?.client,
  ]);
  await copy.end();
  const [authorize, token, api] = [await freePort(), await freePort(), await freePort()];
  const config = await loadSandboxConfig({
    ...parseEnv(await readFile(join(directory, 'service.env'), 'utf8')),
    DATABASE_URL: databaseUrl,
    AUTH_URL: address(authorize),
    TOKEN_URL: address(token),
    BASE_URL: address(api),
    LOG_LEVEL: 'error',
  });
  const programs = await loadPrograms();
  apps.push(await programs.authorize(config), await programs.token(config), await programs.api(config));
  for (const [index, port] of [authorize, token, api].entries()) await apps[index]?.listen(port, '127.0.0.1');
  const addresses = {
    issuer: `${address(api)}/open-banking/v3.0`,
    authorization_endpoint: `${address(authorize)}/oauth2/authorize`,
    token_endpoint: `${address(token)}/oauth2/token`,
    jwks_uri: `${address(authorize)}/oauth2/jwks`,
  };
  return { ca, agent, description: { ...description, ...addresses } };
}

const request = (client: FapiClient, difference: Difference = {}): Record<string, unknown> =>
  client.requestObject({ scope, ...difference });

async function codeOf(client: FapiClient, difference: Difference = {}): Promise<string> {
  const outcome = await decideInPages(client.sandbox, client.authorizationUrl(request(client, difference)), 'approve');
  return outcome.fragment.get('code') ?? '';
}

const exchange = (client: FapiClient, code: string): Promise<TestResponse> => client.token(client.exchange(code));
const siblingOf = (client: FapiClient, name: string): string => client.provider.token_endpoint.replace(/token$/, name);

describe('a TPP with two servers', () => {
  it('learns from iss which of them answers, in every response mode (RFC 9207 s2)', async () => {
    for (const client of [here, there]) {
      const { issuer } = client.provider;
      const modes: [Difference, (outcome: Awaited<ReturnType<typeof decideInPages>>) => unknown][] = [
        [{}, ({ fragment }) => [fragment.get('iss'), decodeJwt(fragment.get('id_token') ?? '').iss]],
        [{ response_type: 'code', ...pkce }, ({ query }) => [query.get('iss'), issuer]],
        [
          { response_type: 'code', response_mode: 'jwt' },
          ({ query }) => [decodeJwt(query.get('response') ?? '').iss, issuer],
        ],
      ];
      for (const [difference, issuersOf] of modes) {
        const url = client.authorizationUrl(request(client, difference));
        expect(issuersOf(await decideInPages(client.sandbox, url, 'approve'))).toEqual([issuer, issuer]);
      }
      const url = client.authorizationUrl(request(client, { prompt: 'none' }));
      expect((await openAuthorization(client.sandbox.agent, url)).fragment.get('iss')).toBe(issuer);
      const discovery = await httpsRequest({ url: `${issuer}/.well-known/openid-configuration`, agent: client.agent });
      expect(discovery.json()).toMatchObject({ issuer, authorization_response_iss_parameter_supported: true });
    }
  });

  it('loses no code to the other one, which cannot use it either', async () => {
    const code = await codeOf(here);
    expectOAuthError(await exchange(there, code), 400, 'invalid_grant');
    expect((await exchange(here, code)).status).toBe(200);
  });

  it('authenticates at one with an assertion that is of no use at the other (RFC 7523 s3)', async () => {
    const { issuer, token_endpoint: tokenEndpoint } = here.provider;
    const form = { grant_type: 'client_credentials', scope: 'accounts' };
    for (const aud of [issuer, tokenEndpoint, [issuer], [there.provider.issuer, issuer]]) {
      const authentication = { form: here.assertion({ aud }) };
      expectOAuthError(await there.token(form, { authentication }), 401, 'invalid_client');
      const isForBoth = Array.isArray(aud) && aud.length > 1;
      expect((await here.token(form, { authentication })).status).toBe(isForBoth ? 401 : 200);
    }
  });

  it('signs request objects for one: by value and pushed they count there alone (FAPI 1.0 Advanced s5.2.2-15)', async () => {
    const claims = request(here, pkce);
    const outcome = await openAuthorization(second.agent, there.authorizationUrl(claims));
    expectErrorRedirect(outcome, there, 'invalid_request_object', { state: claims['state'] });
    const push = await there.token(
      { client_id: there.clientId, request: there.sign(claims) },
      { url: siblingOf(there, 'par') },
    );
    expectOAuthError(push, 400, 'invalid_request_object');
  });

  it('pushes to one: the other does not know the reference (RFC 9126 s4)', async () => {
    const form = { client_id: here.clientId, request: here.sign(request(here, pkce)) };
    const answer = await here.token(form, { url: siblingOf(here, 'par') });
    expect(answer.status).toBe(201);
    const url = (client: FapiClient): string => {
      const address = new URL(client.provider.authorization_endpoint);
      address.searchParams.set('client_id', client.clientId);
      address.searchParams.set('request_uri', String(answer.json()['request_uri']));
      return address.href;
    };
    expectErrorPage(await openAuthorization(second.agent, url(there)), 'invalid_request_uri');
    expect((await openAuthorization(second.agent, url(here))).html).toContain('id="username"');
  });

  it('has tokens of one that open nothing at the other', async () => {
    const tokens = (await exchange(here, await codeOf(here))).json();
    const headers = { authorization: `Bearer ${String(tokens['access_token'])}` };
    const statuses = [there, here].map(async ({ provider, agent }) => {
      const url = provider.token_endpoint.replace(/token$/, 'userinfo');
      return (await httpsRequest({ url, headers, agent })).status;
    });
    expect(await Promise.all(statuses)).toEqual([401, 200]);
    const form = { grant_type: 'refresh_token', refresh_token: tokens['refresh_token'] };
    expectOAuthError(await there.token(form), 400, 'invalid_grant');
    const revocation = await there.token({ token: tokens['refresh_token'] }, { url: siblingOf(there, 'revoke') });
    expect(revocation.status).toBe(200);
    expect((await here.token(form)).status).toBe(200);
    const claims = request(there, { id_token_hint: tokens['id_token'] });
    const hinted = await there.authorize(claims);
    expectErrorRedirect(hinted, there, 'invalid_request', { state: claims['state'] });
  });
});
