import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { permissions } from '#libs/obie-rules';
import { FapiWorld } from '../authorization/fapi-world.js';
import { AccessClient, aRequest, consents, dataOf, errorsOf, versions } from './access-client.js';

const world = new FapiWorld();
const clients = new Map<string, { own: AccessClient; other: AccessClient; forPayments: AccessClient }>();

beforeAll(async () => {
  await world.start({ HOUSEKEEPING_SECONDS: '1' });
  const own = await world.client({ method: 'private_key_jwt', name: 'Ledger' });
  const other = await world.client({ method: 'private_key_jwt', name: 'Other' });
  for (const { version } of versions) {
    clients.set(version, {
      own: await AccessClient.of(own, version),
      other: await AccessClient.of(other, version),
      forPayments: await AccessClient.of(own, version, 'payments'),
    });
  }
});
afterAll(() => world.stop());

const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d{3}Z$/, '+00:00');

/** Paths of the official descriptions, by version; they are not part of this repository. */
const descriptions: Readonly<Record<string, string | undefined>> = {
  '3.1': process.env['OBIE_ACCOUNTS_31'],
  '4.0': process.env['OBIE_ACCOUNTS_40'],
};

function assertDescribed(version: string, body: unknown): void {
  const path = descriptions[version];
  if (path === undefined) return;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('int32', true);
  ajv.addSchema({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), $id: 'https://description/accounts' });
  const name = 'OBReadConsentResponse1';
  const validate = ajv.compile({ $ref: `https://description/accounts#/components/schemas/${name}` });
  validate(body);
  expect(validate.errors).toBeNull();
}

describe.each(versions)('account access consents of $version', ({ version, awaiting, rejected }) => {
  const own = () => clients.get(version)!.own;
  const code = (name: string, code40: string) => (version === '3.1' ? `UK.OBIE.${name}` : code40);

  it('AA-001 are staged without signature and idempotency key, and read as they were sent', async () => {
    const asked = {
      Permissions: ['ReadAccountsBasic', 'ReadTransactionsBasic', 'ReadTransactionsCredits'],
      ExpirationDateTime: inDays(90),
      TransactionFromDateTime: '2030-01-01T00:00:00+00:00',
      TransactionToDateTime: '2030-12-31T00:00:00Z',
    };
    const interactionId = randomUUID();
    const headers = { 'x-fapi-interaction-id': interactionId };
    const response = await own().send('POST', consents, { body: aRequest(asked), headers });
    expect(response.status).toBe(201);
    assertDescribed(version, response.json());
    const data = dataOf(response);
    expect(data).toMatchObject({ ...asked, Status: awaiting, ConsentId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const self = own().url(`${consents}/${String(data['ConsentId'])}`);
    expect(response.json()).toMatchObject({ Risk: {}, Links: { Self: self }, Meta: {} });
    expect(response.headers).toMatchObject({
      location: self,
      'cache-control': 'no-store',
      'x-fapi-interaction-id': interactionId,
    });
    expect(response.headers['x-jws-signature']).toBeUndefined();
    expect('x-client-id' in response.headers).toBe(version === '4.0');
    const read = await own().send('GET', `${consents}/${String(data['ConsentId'])}`);
    expect(read.status).toBe(200);
    expect(read.json()).toEqual(response.json());
  });

  it('AA-002 are created by each request: there is no idempotency', async () => {
    const headers = { 'x-idempotency-key': randomUUID() };
    const [one, two] = [
      await own().send('POST', consents, { body: aRequest(), headers }),
      await own().send('POST', consents, { body: aRequest(), headers }),
    ];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(dataOf(one)['ConsentId']).not.toBe(dataOf(two)['ConsentId']);
  });

  it.each([
    ['AA-010', { Permissions: undefined }, 'Field.Missing', 'U004', 'Data.Permissions'],
    ['AA-011', { Permissions: [] }, 'Field.Invalid', 'U002', 'Data.Permissions'],
    ['AA-012', { Permissions: ['ReadEverything'] }, 'Field.Invalid', 'U002', 'Data.Permissions'],
    ['AA-013', { Permissions: 'ReadAccountsBasic' }, 'Field.Invalid', 'U002', 'Data.Permissions'],
    ['AA-014', { Permissions: ['ReadBalances'] }, 'Field.Invalid', 'U002', 'Data.Permissions'],
    [
      'AA-015',
      { Permissions: ['ReadAccountsBasic', 'ReadTransactionsDetail'] },
      'Field.Invalid',
      'U002',
      'Data.Permissions',
    ],
    [
      'AA-016',
      { Permissions: ['ReadAccountsBasic', 'ReadTransactionsDebits'] },
      'Field.Invalid',
      'U002',
      'Data.Permissions',
    ],
    ['AA-017', { ExpirationDateTime: 'tomorrow' }, 'Field.InvalidDate', 'U003', 'Data.ExpirationDateTime'],
    ['AA-018', { ExpirationDateTime: inDays(-1) }, 'Field.InvalidDate', 'U003', 'Data.ExpirationDateTime'],
    [
      'AA-019',
      { TransactionFromDateTime: '2030-02-01T00:00:00Z', TransactionToDateTime: '2030-01-01T00:00:00Z' },
      'Field.InvalidDate',
      'U003',
      'Data.TransactionToDateTime',
    ],
  ])('%s: a faulty member is refused (%#)', async (_statement, data, name, code40, path) => {
    const response = await own().send('POST', consents, { body: aRequest(data) });
    expect(response.status).toBe(400);
    expect(errorsOf(response)).toEqual([`${code(name, code40)} ${path}`]);
  });

  it('AA-020 require Risk, and list all faults at once', async () => {
    const body = { Data: { Permissions: ['ReadBalances'], ExpirationDateTime: inDays(-1) } };
    const response = await own().send('POST', consents, { body });
    expect(errorsOf(response)).toEqual([
      `${code('Field.Missing', 'U004')} Risk`,
      `${code('Field.Invalid', 'U002')} Data.Permissions`,
      `${code('Field.InvalidDate', 'U003')} Data.ExpirationDateTime`,
    ]);
  });

  it.each(['[]', '{"Data":', '"text"'])('AA-021 refuse the body %s', async (body) => {
    const response = await own().send('POST', consents, { body });
    expect([response.status, errorsOf(response)]).toEqual([400, [code('Resource.InvalidFormat', 'U010')]]);
  });

  it('AA-022 accept unknown members, and in 4.0 none of Risk', async () => {
    const response = await own().send('POST', consents, { body: { ...aRequest({ More: 1 }), Other: 2 } });
    expect(response.status).toBe(201);
    const withRisk = await own().send('POST', consents, { body: { ...aRequest(), Risk: { Other: 2 } } });
    expect(withRisk.status).toBe(version === '3.1' ? 201 : 400);
  });

  it('AA-023 accept all permissions at once', async () => {
    const response = await own().send('POST', consents, { body: aRequest({ Permissions: permissions }) });
    expect([response.status, dataOf(response)['Permissions']]).toEqual([201, permissions]);
  });

  it('AA-030 are for tokens of the client itself with the scope accounts', async () => {
    const { forPayments } = clients.get(version)!;
    const consentId = await own().stage();
    for (const [method, path] of [
      ['POST', consents],
      ['GET', `${consents}/${consentId}`],
      ['DELETE', `${consents}/${consentId}`],
    ] as const) {
      const body = method === 'POST' ? { body: aRequest() } : {};
      expect((await forPayments.send(method, path, body)).status).toBe(403);
      expect((await own().send(method, path, { ...body, accessToken: 'x' })).status).toBe(401);
    }
    expect(await own().status(consentId)).toBe(awaiting);
  });

  // Account and Transaction API Profile, Release Management.
  it('AA-032 are read and deleted in their own version and in newer ones, in the words of these', async () => {
    const consentId = await own().stage();
    if (version === '4.0') {
      const older = clients.get('3.1')!.own;
      for (const method of ['GET', 'DELETE']) {
        const response = await older.send(method, `${consents}/${consentId}`);
        expect([response.status, errorsOf(response)]).toEqual([400, ['UK.OBIE.Resource.ConsentMismatch ConsentId']]);
      }
      expect(await own().status(consentId)).toBe(awaiting);
      return;
    }
    const newer = clients.get('4.0')!.own;
    const link = newer.url(`${consents}/${consentId}`);
    const response = await newer.send('GET', `${consents}/${consentId}`);
    expect(dataOf(response)).toMatchObject({ ConsentId: consentId, Status: 'AWAU', Permissions: expect.any(Array) });
    expect(response.json()['Links']).toEqual({ Self: link });
    expect((await newer.send('DELETE', `${consents}/${consentId}`)).status).toBe(204);
    expect([await newer.status(consentId), await own().status(consentId)]).toEqual(['RJCT', rejected]);
  });

  it('AA-031 are their client’s, and of their kind', async () => {
    const { other } = clients.get(version)!;
    const consentId = await own().stage();
    for (const method of ['GET', 'DELETE']) {
      const foreign = await other.send(method, `${consents}/${consentId}`);
      expect(foreign.status).toBe(403);
      for (const unknown of [randomUUID(), 'no-uuid']) {
        const response = await own().send(method, `${consents}/${unknown}`);
        expect([response.status, errorsOf(response)]).toEqual([
          400,
          [`${code('Resource.NotFound', 'U011')} ConsentId`],
        ]);
      }
    }
    expect(await own().status(consentId)).toBe(awaiting);
    const tpp = await world.asTpp(own().client);
    expect((await tpp.get(`/file-payment-consents/${consentId}`)).status).toBe(400);
    const filePayment = await tpp.stageConsent();
    expect((await own().send('GET', `${consents}/${filePayment}`)).status).toBe(400);
    tpp.client.close();
  });

  it('AA-040 end by DELETE: an unauthorised one becomes rejected, and stays so', async () => {
    const consentId = await own().stage();
    for (let time = 0; time < 2; time += 1) {
      const response = await own().send('DELETE', `${consents}/${consentId}`);
      expect([response.status, response.text]).toEqual([204, '']);
      expect(await own().status(consentId)).toBe(rejected);
    }
  });

  it('AA-041 are rejected if nobody authorises them in time', async () => {
    const consentId = await own().stage();
    await world.sandbox.database.query('UPDATE access_consents SET expires_at = $2 WHERE consent_id = $1', [
      consentId,
      new Date(Date.now() - 1_000),
    ]);
    // At once, whether or not anybody has written it down.
    expect(await own().status(consentId)).toBe(rejected);
    const stored = async () =>
      (await world.sandbox.database.query('SELECT status FROM access_consents WHERE consent_id = $1', [consentId]))
        .rows[0]?.['status'];
    const end = Date.now() + 60_000;
    while ((await stored()) !== 'Rejected' && Date.now() < end) await new Promise((done) => setTimeout(done, 100));
    expect(await stored()).toBe('Rejected');
  });
});
