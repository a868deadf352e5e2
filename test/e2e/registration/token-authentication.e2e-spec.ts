import { createPrivateKey, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { expectOAuthError } from '../../support/expectations.js';
import type { TestResponse } from '../../support/https-request.js';
import {
  aJwk,
  aSigningKey,
  basicOf,
  privateKeyJwt,
  type Difference,
  type Registered,
  type TransportCertificate,
} from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld({ environment: { LOG_LEVEL: 'debug' } });

const clientCredentials = { grant_type: 'client_credentials' };
const methods = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
];
/** DER of a string: tag 0x0c UTF8String, 0x13 PrintableString. */
const hex = (tag: number, text: string): string =>
  Buffer.concat([Buffer.from([tag, text.length]), Buffer.from(text)]).toString('hex');

const aClient = (method: string): Promise<Registered> =>
  getWorld().register({ token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: 'PS256' });

/** A client credentials request by one of the five methods. */
const requestBy = async (method: string, client: Registered, form: Difference = {}): Promise<TestResponse> => {
  const { form: credentials, authorization } = await getWorld().authentication(method, client);
  const parameters = { ...credentials, ...clientCredentials, ...(form as Record<string, string>) };
  return getWorld().token(parameters, { headers: { authorization } });
};

const statusOf = async (form: Promise<Record<string, string>> | Record<string, string>): Promise<number> =>
  (await getWorld().token(await form)).status;

/** Client authentication at the token endpoint, DCR-T103 to DCR-T126. */
describe('client authentication at the token endpoint', () => {
  it.each(methods)('DCR-T103 DCR-T104 %s obtains a token, with scope= and without scope', async (method) => {
    const client = await aClient(method);
    for (const form of [{}, { scope: '' }]) {
      const answer = await requestBy(method, client, form);
      expect([answer.status, answer.json()['scope']]).toEqual([200, expect.stringMatching(/./)]);
    }
  });

  it('DCR-T104 a client that registered openid alone obtains a token, for its registration and nothing else', async () => {
    const world = getWorld();
    const client = await world.register({ scope: 'openid' });
    for (const form of [{}, { scope: '' }, { scope: 'openid' }]) {
      const answer = await requestBy('client_secret_basic', client, form);
      expect([answer.status, answer.json()['scope']]).toEqual([200, 'openid']);
    }
    const headers = { authorization: `Bearer ${await world.aToken(client)}` };
    expect((await world.manage(client, headers.authorization)).status).toBe(200);
    const { token_endpoint, base_url } = world.sandbox.description;
    const userinfo = await world.call(token_endpoint.replace(/token$/, 'userinfo'), { headers });
    expect([userinfo.status, userinfo.headers['www-authenticate']]).toEqual([403, 'Bearer error="insufficient_scope"']);
    const path = `/open-banking/v3.1/pisp/file-payment-consents/${randomUUID()}`;
    expect((await world.call(`${base_url}${path}`, { headers })).status).toBe(403);
  });

  it('DCR-T106 DCR-T107 DCR-T108 takes a secret in one place that is not the address', async () => {
    const world = getWorld();
    const client = await aClient('client_secret_basic');
    const { client_id, client_secret } = client;
    const authorization = `Basic ${basicOf(client)}`;
    const twice = await world.token({ ...clientCredentials, client_id, client_secret }, { headers: { authorization } });
    expectOAuthError(twice, 400, 'invalid_request');
    const wrong = `Basic ${basicOf({ client_id, client_secret: randomUUID() })}`;
    const refused = await world.token(clientCredentials, { headers: { authorization: wrong } });
    expectOAuthError(refused, 401, 'invalid_client');
    expect(refused.headers['www-authenticate']).toMatch(/^Basic /);
    const query = new URLSearchParams({ client_id, client_secret });
    const answer = await world.call(`${world.sandbox.description.token_endpoint}?${query.toString()}`, {
      method: 'POST',
      body: 'grant_type=client_credentials',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain('access_token');
  });

  it('DCR-T110 takes an assertion once, also of twenty at the same time', async () => {
    const world = getWorld();
    const { client_id } = await world.register(privateKeyJwt);
    const form = await world.anAssertion(client_id);
    expect(await statusOf(form)).toBe(200);
    expectOAuthError(await world.token(form), 401, 'invalid_client');
    const raced = await world.anAssertion(client_id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.token(raced)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('DCR-T116 refuses an assertion without its type', async () => {
    const world = getWorld();
    const { client_id } = await world.register(privateKeyJwt);
    const { client_assertion_type: _type, ...form } = await world.anAssertion(client_id);
    expectOAuthError(await world.token(form), 400, 'invalid_request');
    expectOAuthError(await world.token({ ...form, client_assertion_type: 'jwt' }), 400, 'invalid_request');
  });

  it('DCR-T117 a forged assertion does not burn the jti of the true one', async () => {
    const world = getWorld();
    const { client_id } = await world.register(privateKeyJwt);
    const claims = { jti: randomUUID() };
    const key = { ...aSigningKey(world.tpp.signingKey.kid) };
    expect(await statusOf(world.anAssertion(client_id, { claims, key }))).toBe(401);
    expect(await statusOf(world.anAssertion(client_id, { claims }))).toBe(200);
  });

  it('DCR-T118 refuses a removed key after the cache time', async () => {
    const world = getWorld();
    const [kept, removed] = [aSigningKey('kept'), aSigningKey('removed')];
    const address = world.keyStore.serveJson('removal.jwks', { keys: [aJwk(kept), aJwk(removed)] });
    const { client_id } = await world.register(privateKeyJwt, await world.withKeys(address, removed));
    expect(await statusOf(world.anAssertion(client_id, { key: removed }))).toBe(200);
    world.keyStore.serveJson('removal.jwks', { keys: [aJwk(kept)] });
    world.clock.advance(601);
    expect(await statusOf(world.anAssertion(client_id, { key: removed }))).toBe(401);
    expect(await statusOf(world.anAssertion(client_id, { key: kept }))).toBe(200);
  });

  it('DCR-T120 tls_client_auth: the registered subject of the right authority, and no other', async () => {
    const world = getWorld();
    const { client_id } = await aClient('tls_client_auth');
    const form = { ...clientCredentials, client_id };
    expect((await world.token(form)).status).toBe(200);
    const other = await world.aCertificate({ subject: world.legacySubject() });
    expectOAuthError(await world.token(form, { certificate: other }), 401, 'invalid_client');
    const foreign = await world.aCertificate({ subject: [{ CN: ['Other CA'] }], profile: 'authority' });
    const issuer = { certificate: foreign.cert, privateKey: createPrivateKey(foreign.key) };
    const forged = await world.aCertificate({ subject: world.obwacSubject(), issuer });
    for (const certificate of [forged, null]) {
      const outcome = await world.token(form, { certificate }).then(
        ({ status }) => status,
        () => 'handshake refused',
      );
      expect([401, 'handshake refused']).toContain(outcome);
    }
    expect([400, 401]).toContain((await world.token(clientCredentials)).status);
  });

  it('DCR-T121 DCR-T122 compares names and not spellings, and respects the case of ids', async () => {
    const world = getWorld();
    const { orgId } = world.tpp;
    const identifier = world.organisationIdentifier;
    const rest = `O=TPP One Ltd,C=GB`;
    const spellings = [
      `CN=${orgId},organizationIdentifier=${identifier},${rest}`,
      `CN=${orgId},2.5.4.97=#${hex(0x0c, identifier)},${rest}`,
      `CN=${orgId},2.5.4.97=#${hex(0x13, identifier)},${rest}`,
      `CN=${orgId},2.5.4.97=${identifier},${rest}`,
      `CN=${orgId},OID.2.5.4.97=${identifier},${rest}`,
      `CN=${orgId}, organizationIdentifier=${identifier}, O=TPP One Ltd, C=GB`,
      `C=GB,O=TPP One Ltd,organizationIdentifier=${identifier},CN=${orgId}`,
    ];
    const method = { token_endpoint_auth_method: 'tls_client_auth' };
    for (const tls_client_auth_subject_dn of spellings) {
      const client = await world.register({ ...method, tls_client_auth_subject_dn });
      expect(client['tls_client_auth_subject_dn']).toBe(tls_client_auth_subject_dn);
      expect((await world.token({ ...clientCredentials, client_id: client.client_id })).status).toBe(200);
    }
    const swapped = orgId.replace(/[a-zA-Z]/, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    const dn = `CN=${swapped},organizationIdentifier=${identifier},${rest}`;
    expect((await world.tryRegister({ ...method, tls_client_auth_subject_dn: dn })).status).toBe(400);
  });

  it('DCR-T123 DCR-T124 a renewed certificate authenticates, and binds the new token', async () => {
    const world = getWorld();
    const { client_id } = await aClient('tls_client_auth');
    const renewed: TransportCertificate = await world.aCertificate({ subject: world.obwacSubject() });
    const answer = await world.token({ ...clientCredentials, client_id }, { certificate: renewed });
    expect(answer.status).toBe(200);
    const authorization = `Bearer ${String(answer.json()['access_token'])}`;
    expect((await world.manage({ client_id }, authorization, { certificate: renewed })).status).toBe(200);
    expect((await world.manage({ client_id }, authorization)).status).toBe(401);
  });

  it('DCR-T125 refuses a parameter that is sent twice', async () => {
    const world = getWorld();
    const { client_id, client_secret } = await aClient('client_secret_post');
    const form = new URLSearchParams({ ...clientCredentials, client_id, client_secret }).toString();
    for (const repeated of ['grant_type=client_credentials', `client_id=${client_id}`, 'scope=openid&scope=openid']) {
      expectOAuthError(await world.token(`${form}&${repeated}`), 400, 'invalid_request');
    }
  });

  it('DCR-T126 neither the database nor the log tells a secret, a token, a code or an assertion', async () => {
    const world = getWorld();
    const canaries: string[] = [];
    for (const method of methods) {
      const client = await aClient(method);
      const answer = await requestBy(method, client);
      const assertion = method === 'private_key_jwt' ? await world.anAssertion(client.client_id) : {};
      canaries.push(client.client_secret, String(answer.json()['access_token']), basicOf(client));
      if ('client_assertion' in assertion) {
        canaries.push(assertion['client_assertion']);
        await world.token({ ...assertion, scope: 'nothing' });
      }
      await world.manage(client, `Bearer ${canaries.at(-1)}`);
      await world.manage(client, `Basic ${basicOf(client)}`);
      await world.put(client, { scope: 'nothing', client_secret: client.client_secret });
      await world.token({
        ...clientCredentials,
        client_id: client.client_id,
        client_secret: client.client_secret,
        scope: 'x',
      });
    }
    const { rows: tables } = await world.sandbox.database.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const encrypted: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows } = await world.sandbox.database.query<{ text: string }>(`SELECT t::text AS text FROM ${name} AS t`);
      const text = rows.map((row) => row.text).join('\n');
      for (const canary of canaries) {
        expect([name, text.includes(canary)]).toEqual([name, false]);
        expect([name, text.includes(Buffer.from(canary).toString('hex'))]).toEqual([name, false]);
      }
    }
    const { rows } = await world.sandbox.database.query<{ method: string; count: string }>(
      `SELECT token_endpoint_auth_method AS method, count(secret_encrypted) AS count FROM clients GROUP BY 1`,
    );
    for (const { method, count } of rows) encrypted[method] = Number(count);
    expect(encrypted['client_secret_jwt']).toBeGreaterThan(0);
    for (const method of methods.filter((name) => name !== 'client_secret_jwt')) expect(encrypted[method]).toBe(0);
    const log = await readFile(join(world.sandbox.directory, 'service.log'), 'utf8');
    expect(log).toContain('"route":"/oauth2/token"');
    for (const canary of canaries) expect(log.includes(canary)).toBe(false);
  });
});
