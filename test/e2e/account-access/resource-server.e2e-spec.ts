import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RevokedCertificates } from '../../support/apps/certificates.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import type { FapiClient } from '../../support/a-client.js';
import { giveAccess } from './access-journey.js';
import { AccessClient, consents, dataOf, errorsOf, versions, type Version } from './access-client.js';

const world = new FapiWorld();
let client: FapiClient;
let stranger: FapiClient;
const access = new Map<Version, AccessClient>();

beforeAll(async () => {
  await world.start();
  const metadata = { grant_types: ['authorization_code', 'client_credentials', 'refresh_token'] };
  client = await world.client({ method: 'private_key_jwt', name: 'Reader', metadata });
  stranger = await world.client({ method: 'private_key_jwt', name: 'Stranger' });
  for (const { version } of versions) access.set(version, await AccessClient.of(client, version));
});
afterAll(() => world.stop());

/** A consent that alice has given for the first of her accounts. */
async function aConsent(
  version: Version,
  { permissions = ['ReadAccountsDetail', 'ReadBalances'], accounts = 1 } = {},
): Promise<{ consentId: string; accessToken: string; refreshToken: string }> {
  const consentId = await access.get(version)!.stage({ Permissions: permissions });
  const tokens = await giveAccess(client, consentId, { accounts });
  return {
    consentId,
    accessToken: String(tokens['access_token']),
    refreshToken: String(tokens['refresh_token']),
  };
}

/** Of an API document. */
type Described = Record<
  string,
  {
    get: {
      responses: Record<
        string,
        { content: { 'application/json': { schema: object; examples: Record<string, { value: unknown }> } } }
      >;
    };
  }
>;

const accountsOf = (response: TestResponse) => dataOf(response)['Account'] as Record<string, unknown>[];
const idOf = (response: TestResponse, index = 0) => String(accountsOf(response)[index]?.['AccountId']);
const forbidden = { '3.1': 'UK.SandboxBank.Resource.Forbidden', '4.0': 'U042' } as const;
const notFound = { '3.1': 'UK.OBIE.Resource.NotFound', '4.0': 'U011' } as const;

describe.each(versions)('the sandbox bank’s own server for accounts, $version', ({ version, revoked }) => {
  const own = () => access.get(version)!;
  const get = (path: string, accessToken: string, headers: Record<string, string> = {}) =>
    own().send('GET', path, { accessToken, headers });

  it('RS-100 shows the accounts that the customer chose, with what identifies them for ReadAccountsDetail', async () => {
    const { accessToken } = await aConsent(version);
    const response = await get('/accounts', accessToken);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      date: expect.any(String),
    });
    const AccountId = idOf(response);
    expect(AccountId).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.json()).toEqual({
      Data: {
        Account: [
          {
            AccountId,
            Status: 'Enabled',
            Currency: 'GBP',
            ...(version === '3.1'
              ? { AccountType: 'Business', AccountSubType: 'CurrentAccount' }
              : { AccountCategory: 'Business', AccountTypeCode: 'CACC' }),
            Account: [
              {
                SchemeName: 'UK.OBIE.SortCodeAccountNumber',
                Identification: '20000112345678',
                Name: 'Archer Payroll',
              },
            ],
          },
        ],
      },
      Links: { Self: own().url('/accounts') },
      Meta: { TotalPages: 1 },
    });
    const one = await get(`/accounts/${AccountId}`, accessToken);
    expect(one.json()).toEqual({
      ...response.json(),
      Links: { Self: own().url(`/accounts/${AccountId}`) },
    });
  });

  it('RS-101 leaves out what identifies an account for ReadAccountsBasic; ids stay the same from consent to consent', async () => {
    const basic = await aConsent(version, { permissions: ['ReadAccountsBasic'], accounts: 2 });
    const response = await get('/accounts', basic.accessToken);
    expect(accountsOf(response)).toHaveLength(2);
    expect(response.text).not.toContain('Identification');
    expect(response.text).not.toContain('Archer');
    const detail = await aConsent(version, { accounts: 2 });
    const again = await get('/accounts', detail.accessToken);
    expect([idOf(again, 0), idOf(again, 1)]).toEqual([idOf(response, 0), idOf(response, 1)]);
    const balances = await get(`/accounts/${idOf(response)}/balances`, basic.accessToken);
    expect([balances.status, errorsOf(balances)]).toEqual([403, [forbidden[version]]]);
  });

  it('RS-102 shows balances with ReadBalances', async () => {
    const { accessToken } = await aConsent(version);
    const AccountId = idOf(await get('/accounts', accessToken));
    const response = await get(`/accounts/${AccountId}/balances`, accessToken);
    expect(response.status).toBe(200);
    const types = version === '3.1' ? ['InterimAvailable', 'InterimBooked'] : ['ITAV', 'ITBD'];
    expect(response.json()).toEqual({
      Data: {
        Balance: types.map((Type) => ({
          AccountId,
          CreditDebitIndicator: 'Credit',
          Type,
          DateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          Amount: { Amount: '100000000.00', Currency: 'GBP' },
        })),
      },
      Links: { Self: own().url(`/accounts/${AccountId}/balances`) },
      Meta: { TotalPages: 1 },
    });
  });

  it('RS-102 answers as the API document of the sandbox says', async () => {
    const name = version === '3.1' ? 'sandbox-accounts' : 'sandbox-accounts-4.0';
    const url = new URL(`/docs/openapi/${name}.json`, own().url('/accounts')).href;
    const { paths } = (await httpsRequest({ url, agent: world.sandbox.agent })).json() as { paths: Described };
    const { accessToken } = await aConsent(version);
    const AccountId = idOf(await get('/accounts', accessToken));
    const { pathname } = new URL(own().url('/accounts'));
    expect(Object.keys(paths)).toEqual(['', '/{AccountId}', '/{AccountId}/balances'].map((path) => pathname + path));
    for (const [path, { get: operation }] of Object.entries(paths)) {
      const response = await get(path.slice(pathname.length - 9).replace('{AccountId}', AccountId), accessToken);
      const { schema, examples } = operation.responses['200']!.content['application/json'];
      const isDescribed = new Ajv2020({ strict: false }).compile(schema);
      for (const answer of [response.json(), ...Object.values(examples).map(({ value }) => value)])
        expect([path, isDescribed(answer), isDescribed.errors]).toEqual([path, true, null]);
      expect(isDescribed({ ...response.json(), Meta: { TotalPages: 1, Other: 1 } })).toBe(false);
    }
  });

  it('RS-103 shows no account that the consent is not for, and none that does not exist', async () => {
    const two = await aConsent(version, { accounts: 2 });
    const second = idOf(await get('/accounts', two.accessToken), 1);
    const one = await aConsent(version);
    for (const path of [`/accounts/${second}`, `/accounts/${second}/balances`]) {
      const response = await get(path, one.accessToken);
      expect([response.status, errorsOf(response)]).toEqual([403, [forbidden[version]]]);
    }
    for (const unknown of [randomUUID(), '22289', 'x'.repeat(300), '%00']) {
      const response = await get(`/accounts/${unknown}`, one.accessToken);
      expect([unknown, response.status, errorsOf(response)]).toEqual([unknown, 400, [notFound[version]]]);
    }
  });

  it('RS-104 is closed from the moment at which the consent is withdrawn, to refreshed tokens, too', async () => {
    const { consentId, accessToken, refreshToken } = await aConsent(version);
    const renewed = await client.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const tokens = [accessToken, String(renewed.json()['access_token'])];
    for (const token of tokens) expect((await get('/accounts', token)).status).toBe(200);
    expect((await own().send('DELETE', `${consents}/${consentId}`)).status).toBe(204);
    expect(await own().status(consentId)).toBe(revoked);
    for (const token of tokens) {
      const response = await get('/accounts', token);
      expect([response.status, response.text]).toEqual([401, '']);
      expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    }
  });

  it('RS-105 takes a token over the certificate alone for which it was issued (RFC 8705 s3)', async () => {
    const { accessToken } = await aConsent(version);
    const url = own().url('/accounts');
    const headers = { authorization: `Bearer ${accessToken}` };
    const nobody = httpsAgent({ ca: world.sandbox.ca });
    for (const agent of [stranger.agent, nobody]) {
      const response = await httpsRequest({ url, agent, headers });
      expect([response.status, response.text]).toEqual([401, '']);
      expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
    }
    nobody.destroy();
    expect((await httpsRequest({ url, agent: client.agent, headers })).status).toBe(200);
  });

  it.each([
    ['no token', {}],
    ['an unknown token', { authorization: 'Bearer nonsense' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
  ])('RS-106 answers %s with 401', async (_title, headers) => {
    const response = await httpsRequest({ url: own().url('/accounts'), agent: client.agent, headers });
    expect([response.status, response.text]).toEqual([401, '']);
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('RS-107 takes no token in the query (RFC 6750 s2.3, FAPI 1.0 Baseline s6.2.1)', async () => {
    const { accessToken } = await aConsent(version);
    const url = own().url(`/accounts?access_token=${accessToken}`);
    expect((await httpsRequest({ url, agent: client.agent })).status).toBe(401);
    expect((await own().send('GET', `/accounts?access_token=${accessToken}`, { accessToken })).status).toBe(401);
  });

  it('RS-108 takes neither a client’s own token nor one of another scope', async () => {
    const response = await get('/accounts', own().accessToken);
    expect([response.status, errorsOf(response)]).toEqual([403, [forbidden[version]]]);
    const other = await client.token({ grant_type: 'client_credentials', scope: 'payments' });
    const refused = await get('/accounts', String(other.json()['access_token']));
    expect([refused.status, errorsOf(refused)]).toEqual([403, [forbidden[version]]]);
  });

  it('RS-109 plays the interaction id back, makes one where there is none, and refuses another form', async () => {
    const { accessToken } = await aConsent(version);
    const id = randomUUID();
    const played = await get('/accounts', accessToken, { 'x-fapi-interaction-id': id });
    expect(played.headers['x-fapi-interaction-id']).toBe(id);
    const made = await get('/accounts', accessToken);
    expect(made.headers['x-fapi-interaction-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const odd = await get('/accounts', accessToken, { 'x-fapi-interaction-id': 'odd' });
    const code = { '3.1': 'UK.OBIE.Header.Invalid', '4.0': 'U006' }[version];
    expect([odd.status, errorsOf(odd)]).toEqual([400, [code]]);
    expect(odd.headers['x-fapi-interaction-id']).not.toBe('odd');
  });

  it('RS-110 answers in JSON, by GET, and knows nothing else', async () => {
    const { accessToken } = await aConsent(version);
    for (const accept of ['application/json', 'application/json; charset=utf-8', '*/*', 'text/html, */*;q=0.1']) {
      expect([accept, (await get('/accounts', accessToken, { accept })).status]).toEqual([accept, 200]);
    }
    expect((await get('/accounts', accessToken, { accept: 'text/html' })).status).toBe(406);
    const posted = await own().send('POST', '/accounts', { accessToken, body: {} });
    expect([posted.status, posted.text, posted.headers['allow']]).toEqual([405, '', 'GET']);
    const AccountId = idOf(await get('/accounts', accessToken));
    for (const path of [`/accounts/${AccountId}/transactions`, '/accountsX', '/accounts/']) {
      const response = await own().sendUnchecked('GET', path, { accessToken });
      expect([path, response.status, response.text]).toEqual([path, 404, '']);
      expect(response.headers['x-fapi-interaction-id']).toBeDefined();
    }
  });
});

const ask = (version: Version, accessToken: string) => access.get(version)!.send('GET', '/accounts', { accessToken });

describe('a certificate that its authority has revoked', () => {
  it('RS-130 opens nothing any more, with a token that was issued over it', async () => {
    const leaver = await world.client({ method: 'private_key_jwt', name: 'Leaver' });
    const own = await AccessClient.of(leaver, '4.0');
    const tokens = await giveAccess(leaver, await own.stage({ Permissions: ['ReadAccountsBasic'] }));
    const headers = { authorization: `Bearer ${String(tokens['access_token'])}` };
    const read = () => httpsRequest({ url: own.url('/accounts'), agent: leaver.agent, headers });
    expect((await read()).status).toBe(200);
    const { transportCertificate } = leaver.credentials;
    await new RevokedCertificates(world.sandbox.directory).revoke(transportCertificate, new Date());
    const refused = await read();
    expect([refused.status, refused.text]).toEqual([401, '']);
  });
});

describe('tokens of consents of another version', () => {
  it('RS-120 of 3.1 open 4.0, of 4.0 nothing older', async () => {
    const older = await aConsent('3.1');
    const newer = await aConsent('4.0');
    const forward = await ask('4.0', older.accessToken);
    expect(forward.status).toBe(200);
    expect(accountsOf(forward)[0]).toHaveProperty('AccountCategory', 'Business');
    const back = await ask('3.1', newer.accessToken);
    expect([back.status, errorsOf(back)]).toEqual([400, ['UK.OBIE.Resource.ConsentMismatch']]);
  });
});
