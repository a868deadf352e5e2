import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessClient, dataOf, errorsOf, versions, type Version } from '../account-access/access-client.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import { aConsentRequest, assertDescribed, consents, FundsClient, payroll } from './funds-client.js';

const world = new FapiWorld();
const clients = new Map<Version, { own: FundsClient; other: FundsClient; forAccounts: FundsClient }>();
const scope = 'fundsconfirmations';

beforeAll(async () => {
  await world.start({ HOUSEKEEPING_SECONDS: '1' });
  const own = await world.client({ method: 'private_key_jwt', name: 'Shopcard' });
  const other = await world.client({ method: 'private_key_jwt', name: 'Other' });
  for (const { version } of versions) {
    clients.set(version, {
      own: await FundsClient.of(own, version, scope),
      other: await FundsClient.of(other, version, scope),
      forAccounts: await FundsClient.of(own, version, 'accounts'),
    });
  }
});
afterAll(() => world.stop());

describe.each(versions)('funds confirmation consents of $version', ({ version, awaiting, rejected }) => {
  const own = () => clients.get(version)!.own;
  const code = (name: string, code40: string) => (version === '3.1' ? `UK.OBIE.${name}` : code40);

  it('FC-001 are staged without signature and idempotency key, and read as they were sent', async () => {
    const asked = {
      ExpirationDateTime: '2037-05-06T12:00:00+00:00',
      DebtorAccount: {
        ...payroll,
        Name: 'Archer Payroll',
        SecondaryIdentification: 'A-123',
        ...(version === '4.0' && { Proxy: { Identification: '+447700900123', Code: 'TELE' } }),
      },
    };
    const interactionId = randomUUID();
    const headers = { 'x-fapi-interaction-id': interactionId };
    const response = await own().send('POST', consents, { body: aConsentRequest(asked), headers });
    expect(response.status).toBe(201);
    assertDescribed(version, response.json(), 'OBFundsConfirmationConsentResponse1');
    const data = dataOf(response);
    expect(data).toMatchObject({ ...asked, Status: awaiting, ConsentId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const self = own().url(`${consents}/${String(data['ConsentId'])}`);
    expect(response.json()).toMatchObject({ Links: { Self: self }, Meta: {} });
    expect(response.json()).not.toHaveProperty('Risk');
    expect(response.headers).toMatchObject({
      location: self,
      'cache-control': 'no-store',
      'x-fapi-interaction-id': interactionId,
    });
    expect(response.headers['x-jws-signature']).toBeUndefined();
    expect('x-client-id' in response.headers).toBe(version === '4.0');
    const read = await own().send('GET', `${consents}/${String(data['ConsentId'])}`);
    expect([read.status, read.json()]).toEqual([200, response.json()]);
  });

  it('FC-002 show the full name of the account’s scheme', async () => {
    const DebtorAccount = { ...payroll, SchemeName: 'SortCodeAccountNumber' };
    const response = await own().send('POST', consents, { body: aConsentRequest({ DebtorAccount }) });
    expect(dataOf(response)['DebtorAccount']).toEqual(payroll);
  });

  it.each([
    ['FC-010', { DebtorAccount: undefined }, 'Field.Missing', 'U004', 'Data.DebtorAccount'],
    ['FC-011', { DebtorAccount: 'mine' }, 'Field.Invalid', 'U002', 'Data.DebtorAccount'],
    [
      'FC-012',
      { DebtorAccount: { ...payroll, Identification: undefined } },
      'Field.Missing',
      'U004',
      'Data.DebtorAccount.Identification',
    ],
    [
      'FC-013',
      { DebtorAccount: { ...payroll, SchemeName: 'UK.OBIE.PAN', Identification: '5412345678901234' } },
      'Unsupported.Scheme',
      'U027',
      'Data.DebtorAccount.SchemeName',
    ],
    [
      'FC-014',
      { DebtorAccount: { ...payroll, Identification: '2000011234567' } },
      'Unsupported.AccountIdentifier',
      'U021',
      'Data.DebtorAccount.Identification',
    ],
    [
      'FC-015',
      { DebtorAccount: { ...payroll, Name: 'x'.repeat(351) } },
      'Field.Invalid',
      'U002',
      'Data.DebtorAccount.Name',
    ],
    ['FC-016', { ExpirationDateTime: 'tomorrow' }, 'Field.InvalidDate', 'U003', 'Data.ExpirationDateTime'],
    [
      'FC-017',
      { ExpirationDateTime: '2020-01-01T00:00:00+00:00' },
      'Field.InvalidDate',
      'U003',
      'Data.ExpirationDateTime',
    ],
  ])('%s refuse %j', async (_id, data, name, code40, path) => {
    const response = await own().send('POST', consents, { body: aConsentRequest(data) });
    expect([response.status, errorsOf(response)]).toEqual([400, [`${code(name, code40)} ${path}`]]);
    assertDescribed(version, response.json(), 'OBErrorResponse1');
  });

  it('FC-020 name every fault of a body at once', async () => {
    const body = aConsentRequest({ DebtorAccount: { SchemeName: 'Paym' }, ExpirationDateTime: 'never' });
    const response = await own().send('POST', consents, { body });
    expect(errorsOf(response).sort()).toEqual(
      [
        `${code('Field.Missing', 'U004')} Data.DebtorAccount.Identification`,
        `${code('Field.InvalidDate', 'U003')} Data.ExpirationDateTime`,
      ].sort(),
    );
  });

  it.each(['[]', '{"Data":', '"text"'])('FC-021 refuse the body %s', async (body) => {
    const response = await own().send('POST', consents, { body });
    expect([response.status, errorsOf(response)]).toEqual([400, [code('Resource.InvalidFormat', 'U010')]]);
  });

  it('FC-022 accept unknown members in 3.1, a proxy among them, and refuse them beside Data in 4.0', async () => {
    const DebtorAccount = { ...payroll, Proxy: { Identification: 'x', Code: 'TELE' } };
    const response = await own().send('POST', consents, { body: { ...aConsentRequest({ DebtorAccount }), Risk: {} } });
    if (version === '3.1') {
      expect([response.status, dataOf(response)['DebtorAccount']]).toEqual([201, payroll]);
    } else {
      expect([response.status, errorsOf(response)]).toEqual([400, ['U005 Risk']]);
    }
  });

  it('FC-030 are for tokens of the client itself with the scope fundsconfirmations', async () => {
    const { forAccounts } = clients.get(version)!;
    const consentId = await own().stage();
    for (const [method, path] of [
      ['POST', consents],
      ['GET', `${consents}/${consentId}`],
      ['DELETE', `${consents}/${consentId}`],
    ] as const) {
      const body = method === 'POST' ? { body: aConsentRequest() } : {};
      expect((await forAccounts.send(method, path, body)).status).toBe(403);
      expect((await own().send(method, path, { ...body, accessToken: 'x' })).status).toBe(401);
    }
    expect(await own().status(consentId)).toBe(awaiting);
  });

  // Confirmation of Funds API Profile, Release Management.
  it('FC-032 are read and deleted in their own version and in newer ones, in the words of these', async () => {
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
    expect(await newer.status(consentId)).toBe('AWAU');
    expect((await newer.send('DELETE', `${consents}/${consentId}`)).status).toBe(204);
    expect([await newer.status(consentId), await own().status(consentId)]).toEqual(['RJCT', rejected]);
  });

  it('FC-031 are their client’s, and of their kind', async () => {
    const { other } = clients.get(version)!;
    const consentId = await own().stage();
    for (const method of ['GET', 'DELETE']) {
      expect((await other.send(method, `${consents}/${consentId}`)).status).toBe(403);
      for (const unknown of [randomUUID(), 'no-uuid']) {
        const response = await own().send(method, `${consents}/${unknown}`);
        expect([response.status, errorsOf(response)]).toEqual([
          400,
          [`${code('Resource.NotFound', 'U011')} ConsentId`],
        ]);
      }
    }
    expect(await own().status(consentId)).toBe(awaiting);
    const accounts = await AccessClient.of(own().client, version);
    expect((await accounts.send('GET', `/account-access-consents/${consentId}`)).status).toBe(400);
    expect((await own().send('GET', `${consents}/${await accounts.stage()}`)).status).toBe(400);
  });

  it('FC-040 end by DELETE: an unauthorised one becomes rejected, and stays so', async () => {
    const consentId = await own().stage();
    for (let time = 0; time < 2; time += 1) {
      const response = await own().send('DELETE', `${consents}/${consentId}`);
      expect([response.status, response.text]).toEqual([204, '']);
      expect(await own().status(consentId)).toBe(rejected);
    }
  });
});
