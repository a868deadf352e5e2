import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '#libs/config';
import { CommandLineError } from '#libs/command-line';
import { ClientOperations, createOperatorApp, operationsOf, parseCommand } from '../../support/apps/operator-app.js';
import { type ServiceCommand, runCommand } from '../../support/apps/operator.js';
import { aTpp } from '../../support/a-tpp.js';
import { expectBodiless } from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { basicOf, privateKeyJwt, type Registered, aJwk, aSigningKey, expectRefusal } from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

const commandOf = async (parameters: string[]): Promise<ServiceCommand> => {
  const line = await parseCommand(parameters);
  if ('help' in line) throw new TypeError('Only the help was asked for.');
  return line.command as ServiceCommand;
};

let app: INestApplicationContext;

beforeAll(async () => {
  app = await createOperatorApp(getWorld().sandbox.config, getWorld().clock);
});
afterAll(() => app?.close());

const operate = async (...parameters: string[]): Promise<unknown> =>
  runCommand(await commandOf([...parameters, '--by', 'olivia']), operationsOf(app));

const auditOf = async (clientId: string): Promise<unknown[]> => {
  const { rows } = await getWorld().sandbox.database.query(
    `SELECT actor, action, details FROM audit_events WHERE client_id = $1 AND actor = 'olivia'
      ORDER BY occurred_at, event_id`,
    [clientId],
  );
  return rows;
};

/** A client of private_key_jwt, and how an assertion for an audience is answered. */
const aPrivateKeyClient = async () => {
  const world = getWorld();
  const { client_id: clientId } = await world.register(privateKeyJwt);
  const { issuer, token_endpoint: endpoint } = world.sandbox.description;
  const statusOf = async (aud: unknown): Promise<number> =>
    (await world.token(await world.anAssertion(clientId, { claims: { aud } }))).status;
  return { clientId, issuer, endpoint, statusOf };
};

/** The operator's commands: what they do to clients, at once and on every instance, and what they write down. */
describe('npm run operator -- clients', () => {
  it('lists and shows clients without secrets, and leaves no trace', async () => {
    const world = getWorld();
    const client = await world.register({ token_endpoint_auth_method: 'client_secret_jwt' });
    const list = (await operate('clients', 'list', '--status', 'Active')) as { clientId: string }[];
    expect(list.map(({ clientId }) => clientId)).toContain(client.client_id);
    const shown = await operate('clients', 'show', client.client_id);
    expect(shown).toMatchObject({ clientId: client.client_id, status: 'Active', softwareId: world.tpp.softwareId });
    expect(JSON.stringify([list, shown])).not.toMatch(/secret(?!_)/i);
    expect(await auditOf(client.client_id)).toEqual([]);
  });

  it('suspend refuses the client at once everywhere, resume takes it back', async () => {
    const world = getWorld();
    const tpp = await aTpp(world.sandbox);
    const { clientId: client_id, accessToken } = tpp;
    const otherApi = await world.anotherInstance(() => ({}));
    const otherToken = await world.anotherTokenInstance(() => ({}));
    const consent = await tpp.authorise();
    const code = new URLSearchParams(new URL(consent.location).hash.slice(1)).get('code') ?? '';
    const { url } = await tpp.createAuthorizationRequest(await tpp.stageFile());
    const statuses = async (): Promise<Record<string, number>> => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(await world.anAssertion(client_id)).toString();
      const authorization = `Bearer ${accessToken}`;
      return {
        token: (await world.token(await world.anAssertion(client_id))).status,
        otherToken: (await world.call(otherToken, { method: 'POST', body, headers })).status,
        resource: (await tpp.get(`/file-payment-consents/${consent.consentId}`)).status,
        registration: (await world.manage({ client_id }, authorization)).status,
        otherRegistration: (await world.call(`${otherApi}/${client_id}`, { headers: { authorization } })).status,
        authorization: (await httpsRequest({ url, agent: world.sandbox.agent })).status,
      };
    };
    const good = { token: 200, otherToken: 200, resource: 200, registration: 200, otherRegistration: 200 };
    expect(await statuses()).toMatchObject(good);
    await operate('clients', 'suspend', client_id, '--reason', 'complaint 17');
    const refused = { token: 401, otherToken: 401, resource: 401, registration: 401, otherRegistration: 401 };
    expect(await statuses()).toEqual({ ...refused, authorization: 400 });
    const grant = { grant_type: 'authorization_code', code, redirect_uri: consent.request.redirectUri };
    expect((await world.token({ ...(await world.anAssertion(client_id)), ...grant })).status).toBe(401);
    await operate('clients', 'resume', client_id);
    expect(await statuses()).toMatchObject(good);
    expect(await auditOf(client_id)).toEqual([
      { actor: 'olivia', action: 'client.suspend', details: { reason: 'complaint 17', paymentOrdersEnded: 0 } },
      { actor: 'olivia', action: 'client.resume', details: {} },
    ]);
    tpp.close();
  });

  it('require-issuer-audience refuses older audiences of the client (RFC 10070), and can be undone', async () => {
    const { clientId, issuer, endpoint, statusOf } = await aPrivateKeyClient();
    const statuses = async (): Promise<number[]> => [
      await statusOf(issuer),
      await statusOf([issuer]),
      await statusOf(endpoint),
      await statusOf([issuer, endpoint]),
    ];
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    const strict = await operate('clients', 'require-issuer-audience', clientId, '--reason', 'it has changed');
    expect(strict).toMatchObject({ clientId, requireIssuerAudience: true });
    expect(await statuses()).toEqual([200, 200, 401, 401]);
    const lenient = await operate('clients', 'accept-older-audiences', clientId);
    expect(lenient).toMatchObject({ clientId, requireIssuerAudience: false });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect(await auditOf(clientId)).toEqual([
      { actor: 'olivia', action: 'client.require-issuer-audience', details: { reason: 'it has changed' } },
      { actor: 'olivia', action: 'client.accept-older-audiences', details: {} },
    ]);
  });

  it('set-profile makes a client one of FAPI 2.0 from its next request on, unless it has a secret', async () => {
    const world = getWorld();
    const { clientId, issuer, endpoint, statusOf } = await aPrivateKeyClient();
    expect([await statusOf(issuer), await statusOf(endpoint)]).toEqual([200, 200]);
    const changed = await operate('clients', 'set-profile', clientId, 'fapi2-security', '--reason', 'it asked');
    expect(changed).toMatchObject({ clientId, fapiProfile: 'fapi2-security' });
    expect([await statusOf(issuer), await statusOf(endpoint)]).toEqual([200, 401]);
    await operate('clients', 'set-profile', clientId, 'fapi1-advanced');
    expect(await statusOf(endpoint)).toBe(200);
    const { client_id: withSecret } = await world.register({ token_endpoint_auth_method: 'client_secret_basic' });
    await expect(operate('clients', 'set-profile', withSecret, 'fapi2-security')).rejects.toThrow(
      'authenticates with client_secret_basic, which FAPI 2.0 does not allow: set-profile is not possible.',
    );
    expect(await auditOf(clientId)).toEqual([
      { actor: 'olivia', action: 'client.set-profile', details: { reason: 'it asked' } },
      { actor: 'olivia', action: 'client.set-profile', details: {} },
    ]);
  });

  it('remove leaves a tombstone, also of a suspended client', async () => {
    const world = getWorld();
    const [client, other] = [await world.register(), await world.register()];
    const token = await world.aToken(client);
    await operate('clients', 'suspend', client.client_id);
    expect(await operate('clients', 'remove', client.client_id)).toMatchObject({ status: 'Deleted' });
    // As if the worker had still to end this token. A new row, because a guard keeps what has ended.
    const { rows } = await world.sandbox.database.query('DELETE FROM access_tokens WHERE client_id = $1 RETURNING *', [
      client.client_id,
    ]);
    expect(rows).toHaveLength(1);
    await world.sandbox.database.query(
      'INSERT INTO access_tokens SELECT * FROM json_populate_record(NULL::access_tokens, $1)',
      [JSON.stringify({ ...rows[0], token_hash: `\\x${rows[0].token_hash.toString('hex')}`, revoked_at: null })],
    );
    expectBodiless(await world.manage(client, `Bearer ${token}`), 401);
    expectBodiless(await world.manage(client, `Basic ${basicOf(client)}`), 401);
    const commands = [
      'resume',
      'suspend',
      'remove',
      'rotate-secret',
      'require-issuer-audience',
      'accept-older-audiences',
    ];
    for (const [command, ...value] of [...commands.map((name) => [name]), ['set-profile', 'fapi1-advanced']]) {
      const change = operate('clients', command!, client.client_id, ...value);
      await expect(change).rejects.toMatchObject({ reason: 'refused' });
    }
    await expect(operate('clients', 'resume', client.client_id)).rejects.toThrow(/is Deleted/);
    expect(await operate('clients', 'show', other.client_id)).toMatchObject({ status: 'Active' });
    expect(await auditOf(client.client_id)).toHaveLength(2);
  });

  it.each(['client_secret_basic', 'client_secret_jwt'])(
    'rotate-secret gives a %s client another secret',
    async (method) => {
      const world = getWorld();
      const client = await world.register({ token_endpoint_auth_method: method });
      const { clientSecret } = (await operate('clients', 'rotate-secret', client.client_id)) as {
        clientSecret: string;
      };
      const renewed: Registered = { ...client, client_secret: clientSecret };
      expect((await world.manage(client, `Basic ${basicOf(client)}`)).status).toBe(401);
      expect((await world.manage(client, `Basic ${basicOf(renewed)}`)).status).toBe(200);
      if (method === 'client_secret_jwt') {
        expect((await world.token(world.anHmacAssertion(client))).status).toBe(401);
        expect((await world.token(world.anHmacAssertion(renewed))).status).toBe(200);
      } else {
        await world.aToken(renewed);
      }
      const audit = await auditOf(client.client_id);
      expect(audit).toMatchObject([{ action: 'client.rotate-secret' }]);
      expect(JSON.stringify(audit)).not.toContain(clientSecret);
    },
  );

  it('finds the clients of an organisation, and tells what was done to one', async () => {
    const world = getWorld();
    const [client, active] = [await world.register(), await world.register()];
    const foreign = await world.register({}, world.otherTpp);
    await operate('clients', 'suspend', client.client_id, '--reason', 'complaint 18');
    const ids = async (...filter: string[]): Promise<string[]> =>
      ((await operate('clients', 'list', ...filter)) as { clientId: string }[]).map(({ clientId }) => clientId);
    const { orgId, softwareId } = world.tpp;
    const found = async (...filter: string[]): Promise<boolean[]> => {
      const list = await ids(...filter);
      return [client, active, foreign].map(({ client_id }) => list.includes(client_id));
    };
    expect(await found()).toEqual([true, true, true]);
    expect(await found('--org-id', orgId)).toEqual([true, true, false]);
    expect(await found('--software-id', softwareId)).toEqual([true, true, false]);
    expect(await found('--status', 'Active')).toEqual([false, true, true]);
    const all = ['--org-id', orgId, '--software-id', softwareId, '--status', 'Suspended'];
    expect(await found(...all)).toEqual([true, false, false]);
    expect(await ids('--org-id', 'nobody')).toEqual([]);
    const history = (await operate('clients', 'history', client.client_id)) as { action: string }[];
    // What the service itself did to the registration stands there too.
    expect(history.map(({ action }) => action).sort()).toEqual([
      'client.suspend',
      'registration.create',
      'registration.status',
    ]);
    expect(history.filter(({ action }) => action.startsWith('client.'))).toMatchObject([
      { actor: 'olivia', action: 'client.suspend', details: { reason: 'complaint 18', paymentOrdersEnded: 0 } },
    ]);
    await expect(operate('clients', 'history', randomUUID())).rejects.toMatchObject({ reason: 'refused' });
  });

  it('says in one line what cannot be done, and writes nothing down', async () => {
    const world = getWorld();
    const client = await world.register();
    await expect(operate('clients', 'resume', client.client_id)).rejects.toMatchObject({
      message: expect.stringMatching(/is Active/),
      reason: 'refused',
    });
    await expect(operate('clients', 'show', randomUUID())).rejects.toMatchObject({
      message: expect.stringMatching(/There is no client/),
      reason: 'refused',
    });
    for (const wrong of [['clients'], ['clients', 'show', 'x'], ['secrets'], ['clients', 'list', '--status', 'x']]) {
      await expect(parseCommand(wrong)).rejects.toThrow(CommandLineError);
    }
    expect(await auditOf(client.client_id)).toEqual([]);
  });
});

describe('npm run operator -- secrets re-encrypt', () => {
  it('encrypts every secret with the current key, so that the older one can be removed', async () => {
    const world = getWorld();
    const clients: Registered[] = [];
    for (let count = 0; count < 3; count += 1) {
      clients.push(await world.register({ token_endpoint_auth_method: 'client_secret_jwt' }));
    }
    const { config } = world.sandbox;
    const key = { id: 'next', key: randomBytes(32) };
    const both = {
      ...config.secrets,
      clientSecretEncryptionKeys: [key, ...config.secrets.clientSecretEncryptionKeys],
    };
    const rotating = await createOperatorApp(new Config({ ...config, secrets: both }), world.clock);
    try {
      const command = await commandOf(['secrets', 're-encrypt', '--by', 'olivia']);
      const outcome = await runCommand(command, operationsOf(rotating));
      expect(outcome).toMatchObject({ unreadable: [] });
      expect((outcome as { reEncrypted: number }).reEncrypted).toBeGreaterThanOrEqual(3);
      expect(await runCommand(command, operationsOf(rotating))).toEqual({
        reEncrypted: 0,
        unreadable: [],
        underOldPepper: 0,
      });
      const only = { ...config.secrets, clientSecretEncryptionKeys: [key] };
      const url = await world.anotherTokenInstance(() => ({ secrets: only }));
      for (const client of clients) {
        const body = new URLSearchParams(world.anHmacAssertion(client)).toString();
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        expect((await world.call(url, { method: 'POST', body, headers })).status).toBe(200);
      }
      const { rows } = await world.sandbox.database.query(
        `SELECT count(*)::int AS count FROM clients WHERE secret_encrypted NOT LIKE 'v1.next.%'`,
      );
      expect(rows).toEqual([{ count: 0 }]);
    } finally {
      // The other instances of this world know the former key only.
      const back = {
        ...config.secrets,
        clientSecretEncryptionKeys: [...config.secrets.clientSecretEncryptionKeys, key],
      };
      const returning = await createOperatorApp(new Config({ ...config, secrets: back }), world.clock);
      await returning.get(ClientOperations).reEncryptSecrets({ actor: 'olivia' });
      await Promise.all([rotating.close(), returning.close()]);
    }
  });

  it('moves a client to a new pepper when it manages its registration with its secret', async () => {
    const world = getWorld();
    const client = await world.register({ token_endpoint_auth_method: 'client_secret_basic' });
    const { secrets } = world.sandbox.config;
    const next = { id: 'next', key: randomBytes(32) };
    const statusUnder = async (clientSecretPeppers: typeof secrets.clientSecretPeppers): Promise<number> => {
      const url = await world.anotherInstance(() => ({ secrets: { ...secrets, clientSecretPeppers } }));
      const headers = { authorization: `Basic ${basicOf(client)}` };
      return (await world.call(`${url}/${client.client_id}`, { headers })).status;
    };
    expect(await statusUnder([next])).toBe(401);
    expect(await statusUnder([next, ...secrets.clientSecretPeppers])).toBe(200);
    expect(await statusUnder([next])).toBe(200);
    expect(await statusUnder(secrets.clientSecretPeppers)).toBe(401);
    const changed = { ...secrets, clientSecretPeppers: [next, ...secrets.clientSecretPeppers] };
    const changing = await createOperatorApp(new Config({ ...world.sandbox.config, secrets: changed }), world.clock);
    const { underOldPepper } = await changing.get(ClientOperations).reEncryptSecrets({ actor: 'olivia' });
    await changing.close();
    const { rows } = await world.sandbox.database.query<{ others: number }>(
      `SELECT count(*)::int AS others FROM clients WHERE client_id <> $1 AND secret_hash <> ''`,
      [client.client_id],
    );
    expect(underOldPepper).toBe(rows[0]?.others);
  });

  it('reports a secret that no key decrypts and leaves it alone', async () => {
    const world = getWorld();
    const client = await world.register({ token_endpoint_auth_method: 'client_secret_jwt' });
    const { config } = world.sandbox;
    const secrets = { ...config.secrets, clientSecretEncryptionKeys: [{ id: 'lone', key: randomBytes(32) }] };
    const lone = await createOperatorApp(new Config({ ...config, secrets }), world.clock);
    const outcome = await lone.get(ClientOperations).reEncryptSecrets({ actor: 'olivia' });
    await lone.close();
    expect(outcome.reEncrypted).toBe(0);
    expect(outcome.unreadable).toContain(client.client_id);
    expect((await world.token(world.anHmacAssertion(client))).status).toBe(200);
  });
});

const anInstance = (difference: Partial<Config['registration']>): Promise<string> =>
  getWorld().anotherInstance(({ registration }) => ({ registration: { ...registration, ...difference } }));

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

  it('DCR_MAX_PER_SOFTWARE counts existing clients', async () => {
    const world = getWorld();
    const url = await anInstance({ maxPerSoftware: 2 });
    const key = aSigningKey('limited');
    const address = world.keyStore.serveJson('limited.jwks', { keys: [aJwk(key)] });
    const softwareId = 'LimitedSoftware';
    const names = { software_id: softwareId, software_client_id: softwareId, software_jwks_endpoint: address };
    const tpp = { ...(await world.withStatement(names)), signingKey: key, softwareId };
    const answers = [await world.registerAt(url, {}, tpp), await world.registerAt(url, {}, tpp)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const refused = await world.registerAt(url, {}, tpp);
    expectRefusal(refused, 'invalid_client_metadata', undefined, 'software_statement.software_id');
    const client = answers[0]?.json() as { client_id: string; client_secret: string };
    expect((await world.manage(client, `Basic ${basicOf(client)}`, { method: 'DELETE' })).status).toBe(204);
    expect((await getWorld().registerAt(url, {}, tpp)).status).toBe(201);
  });

  it('plain-errors answers OBErrorResponse1 and nothing besides', async () => {
    const answer = await getWorld().registerAt(await anInstance({ rfc7591Errors: false }), { scope: 'nothing' });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json()).sort()).toEqual(['Code', 'Errors', 'Id', 'Message']);
  });

  it('DCR_TOKEN_ENDPOINT_AUTH_METHODS registers and announces those methods only', async () => {
    const world = getWorld();
    const url = await anInstance({ tokenEndpointAuthMethods: ['tls_client_auth', 'private_key_jwt'] });
    expect((await getWorld().registerAt(url, { token_endpoint_auth_method: 'tls_client_auth' })).status).toBe(201);
    for (const method of ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']) {
      const answer = await getWorld().registerAt(url, { token_endpoint_auth_method: method });
      expectRefusal(answer, 'invalid_client_metadata', undefined, 'token_endpoint_auth_method');
    }
    const discovery = url.replace(/v3\.2\/register$/, 'v3.0/.well-known/openid-configuration');
    expect((await world.call(discovery)).json()).toMatchObject({
      token_endpoint_auth_methods_supported: ['tls_client_auth', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256'],
    });
  });

  it('DCR_RESERVED_CLIENT_NAMES are names that no software may have or imitate', async () => {
    const url = await anInstance({ reservedClientNames: ['Ruritania Bank', 'Ruritania'] });
    const tryName = async (name: string) =>
      getWorld().registerAt(url, {}, await getWorld().withStatement({ software_client_name: name }));
    for (const name of ['Ruritania Bank', 'RURITANIА', 'Ruritania-Bank Login']) {
      const answer = await tryName(name);
      const path = 'software_statement.software_client_name';
      expectRefusal(answer, 'unapproved_software_statement', 'UK.OBIE.Field.Invalid', path);
    }
    expect((await tryName('Ruritania Ledger')).status).toBe(201);
  });

  it("host-issuer takes the host of the software's site and redirect URIs", async () => {
    const url = await anInstance({ acceptHostIssuer: true });
    expect((await getWorld().registerAt(url, { iss: 'tpp-one.example.com' })).status).toBe(201);
    expectRefusal(
      await getWorld().registerAt(url, { iss: 'other.example.com' }),
      'invalid_client_metadata',
      undefined,
      'iss',
    );
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
    const client = (await getWorld().registerAt(url, method)).json() as { client_id: string; client_secret?: string };
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
    expect((await getWorld().registerAt(url)).json()).toHaveProperty('client_secret');
  });

  it('media-type-400 answers with an error body instead of 415', async () => {
    const world = getWorld();
    const url = await anInstance({ unsupportedMediaTypeStatus: 400 });
    const body = await world.aRequest();
    for (const type of ['application/json', undefined]) {
      const answer = await world.call(url, { method: 'POST', body, headers: { 'content-type': type } });
      expectRefusal(answer, 'invalid_client_metadata', 'UK.OBIE.Header.Invalid', 'Content-Type');
    }
    expect((await getWorld().registerAt(url)).status).toBe(201);
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
});
