import { readFile } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import type { FapiClient } from '../../support/a-client.js';
import { giveAccess } from './access-journey.js';
import { AccessClient, versions, type Version } from './access-client.js';

const world = new FapiWorld();
let client: FapiClient;
let bank: Agent;
const access = new Map<Version, AccessClient>();

beforeAll(async () => {
  await world.start();
  const metadata = { grant_types: ['authorization_code', 'client_credentials', 'refresh_token'] };
  client = await world.client({ method: 'private_key_jwt', name: 'Introspected', metadata });
  for (const { version } of versions) access.set(version, await AccessClient.of(client, version));
  const { transport_cert_file, transport_key_file } = world.sandbox.description.resource_server;
  const [certificate, privateKey] = await Promise.all(
    [transport_cert_file, transport_key_file].map((path) => readFile(resolve(path), 'utf8')),
  );
  bank = httpsAgent({ ca: world.sandbox.ca, certificate: certificate ?? '', privateKey: privateKey ?? '' });
});
afterAll(async () => {
  bank?.destroy();
  await world.stop();
});

/** What introspection tells the bank's own server about a token. */
async function introspect(token: unknown): Promise<Record<string, unknown>> {
  const response = await httpsRequest({
    url: world.sandbox.description.resource_server.introspection_endpoint,
    method: 'POST',
    agent: bank,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: String(token) }).toString(),
  });
  expect(response.status).toBe(200);
  return response.json();
}

const refresh = (token: unknown) => client.token({ grant_type: 'refresh_token', refresh_token: token });

const alicesId = '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a01';

describe.each(versions)('what a server of the bank learns of tokens for accounts, $version', ({ version }) => {
  const own = () => access.get(version)!;

  it('AI-100 all that the customer agreed to: the consent, its version, permissions, accounts and times', async () => {
    const times = {
      ExpirationDateTime: '2037-05-06T12:00:00+01:00',
      TransactionFromDateTime: '2030-01-02T12:00:00+00:00',
      TransactionToDateTime: '2030-02-03T00:00:00Z',
    };
    const permissions = ['ReadAccountsDetail', 'ReadTransactionsBasic', 'ReadTransactionsCredits'];
    const consentId = await own().stage({ Permissions: permissions, ...times });
    const tokens = await giveAccess(client, consentId, { accounts: 2 });
    const answer = await introspect(tokens['access_token']);
    expect(answer).toEqual({
      active: true,
      iss: client.provider.issuer,
      client_id: client.clientId,
      token_type: 'bearer',
      scope: 'openid accounts',
      iat: expect.any(Number),
      exp: expect.any(Number),
      cnf: { 'x5t#S256': expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) },
      sub: alicesId,
      openbanking_intent_id: consentId,
      authorization_details: [
        {
          type: 'account-access',
          api_version: version,
          permissions,
          accounts: [
            {
              SchemeName: 'UK.OBIE.SortCodeAccountNumber',
              Identification: '20000112345678',
              Name: 'Archer Payroll',
            },
            {
              SchemeName: 'UK.OBIE.SortCodeAccountNumber',
              Identification: '20000187654321',
              Name: 'Archer Suppliers',
            },
          ],
          expiration_date_time: times.ExpirationDateTime,
          transaction_from_date_time: times.TransactionFromDateTime,
          transaction_to_date_time: times.TransactionToDateTime,
        },
      ],
    });
    const renewed = (await refresh(tokens['refresh_token'])).json();
    const { iat: _iat, exp: _exp, ...same } = answer;
    expect(await introspect(renewed['access_token'])).toMatchObject(same);
  });

  it('AI-101 no times where the consent has none; nothing of a customer for the client’s own token', async () => {
    const consentId = await own().stage();
    const { access_token: token } = await giveAccess(client, consentId);
    const { authorization_details: details } = await introspect(token);
    expect(Object.keys((details as object[])[0] ?? {}).sort()).toEqual([
      'accounts',
      'api_version',
      'permissions',
      'type',
    ]);
    const ofClient = await introspect(own().accessToken);
    expect(ofClient).toMatchObject({ active: true, scope: 'accounts' });
    for (const name of ['sub', 'openbanking_intent_id', 'authorization_details']) {
      expect(ofClient).not.toHaveProperty(name);
    }
  });

  it('AI-102 the accounts as they are now: a token of before has those of the last decision', async () => {
    const consentId = await own().stage();
    const before = await giveAccess(client, consentId);
    await giveAccess(client, consentId, { accounts: 3 });
    const { authorization_details: details } = await introspect(before['access_token']);
    expect((details as { accounts: object[] }[])[0]?.accounts).toHaveLength(3);
  });

  it('AI-105 nothing of access that the token is not for: refreshed for less, or its scope given up', async () => {
    const tokens = await giveAccess(client, await own().stage());
    const form = { grant_type: 'refresh_token', refresh_token: tokens['refresh_token'], scope: 'openid' };
    const narrowed = (await client.token(form)).json()['access_token'];
    const setScope = (scope: string) =>
      world.sandbox.database.query('UPDATE clients SET scope = $2 WHERE client_id = $1', [client.clientId, scope]);
    const { rows } = await world.sandbox.database.query('SELECT scope FROM clients WHERE client_id = $1', [
      client.clientId,
    ]);
    await setScope('openid payments');
    const givenUp = await introspect(tokens['access_token']);
    await setScope(rows[0].scope);
    for (const answer of [await introspect(narrowed), givenUp]) {
      expect(answer).toMatchObject({ active: true, scope: 'openid', sub: alicesId });
      expect(answer).not.toHaveProperty('authorization_details');
    }
    expect(await introspect(tokens['access_token'])).toHaveProperty('authorization_details');
  });

  it('AI-106 that the access was used is recorded once a day; if that fails, the answer is the same', async () => {
    const consentId = await own().stage();
    const { access_token: token } = await giveAccess(client, consentId);
    const { database } = world.sandbox;
    const lastUse = async () =>
      (await database.query('SELECT last_used_at, xmin FROM access_consents WHERE consent_id = $1', [consentId])).rows;
    const inSql = (sql: string) => database.query(sql);
    await inSql(`CREATE TRIGGER no_uses BEFORE UPDATE OF last_used_at ON access_consents FOR EACH ROW
      EXECUTE FUNCTION refuse_change('No uses.')`);
    const answer = await introspect(token);
    await inSql('DROP TRIGGER no_uses ON access_consents');
    expect(await lastUse()).toMatchObject([{ last_used_at: null }]);
    expect(await introspect(token)).toEqual(answer);
    expect(answer).toMatchObject({ active: true, openbanking_intent_id: consentId });
    const used = await lastUse();
    expect(used).toMatchObject([{ last_used_at: expect.any(Date) }]);
    await introspect(token);
    expect(await lastUse()).toEqual(used);
  });
});
