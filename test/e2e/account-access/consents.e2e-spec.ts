import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { permissions } from '#libs/obie-rules';
import { FapiWorld } from '../authorization/fapi-world.js';
import { expectEventually } from '../../support/expectations.js';
import { FundsClient, payroll } from '../funds-confirmation/funds-client.js';
import { AccessClient, dataOf, errorsOf, versions, type Version } from './access-client.js';

const world = new FapiWorld();
/** for each kind and version: a client, another one, and the first one with a token for something else */
const clients = new Map<string, { own: AccessClient; other: AccessClient; elsewhere: AccessClient }>();

beforeAll(async () => {
  await world.start({ HOUSEKEEPING_SECONDS: '1' });
  const own = await world.client({ method: 'private_key_jwt', name: 'Ledger' });
  const other = await world.client({ method: 'private_key_jwt', name: 'Other' });
  for (const { version } of versions) {
    for (const { kind, Client, scope, otherScope } of kinds) {
      clients.set(`${kind} ${version}`, {
        own: await Client.of(own, version, scope),
        other: await Client.of(other, version, scope),
        elsewhere: await Client.of(own, version, otherScope),
      });
    }
  }
});
afterAll(() => world.stop());

const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d{3}Z$/, '+00:00');

type Fault = readonly [statement: string, data: Record<string, unknown>, name: string, code40: string, member: string];

const anAccount = (differences: Record<string, unknown>) => ({ DebtorAccount: { ...payroll, ...differences } });

const kinds = [
  {
    kind: 'account access',
    Client: AccessClient,
    scope: 'accounts',
    otherScope: 'payments',
    member: 'Permissions',
    besideData: { Risk: {} },
    everything: () => ({
      Permissions: ['ReadAccountsBasic', 'ReadTransactionsBasic', 'ReadTransactionsCredits'],
      ExpirationDateTime: inDays(90),
      TransactionFromDateTime: '2030-01-01T00:00:00+00:00',
      TransactionToDateTime: '2030-12-31T00:00:00Z',
    }),
    faults: [
      ['AA-010', { Permissions: undefined }, 'Field.Missing', 'U004', 'Permissions'],
      ['AA-011', { Permissions: [] }, 'Field.Invalid', 'U002', 'Permissions'],
      ['AA-012', { Permissions: ['ReadEverything'] }, 'Field.Invalid', 'U002', 'Permissions'],
      ['AA-013', { Permissions: 'ReadAccountsBasic' }, 'Field.Invalid', 'U002', 'Permissions'],
      ['AA-014', { Permissions: ['ReadBalances'] }, 'Field.Invalid', 'U002', 'Permissions'],
      [
        'AA-015',
        { Permissions: ['ReadAccountsBasic', 'ReadTransactionsDetail'] },
        'Field.Invalid',
        'U002',
        'Permissions',
      ],
      [
        'AA-016',
        { Permissions: ['ReadAccountsBasic', 'ReadTransactionsDebits'] },
        'Field.Invalid',
        'U002',
        'Permissions',
      ],
      ['AA-017', { ExpirationDateTime: 'tomorrow' }, 'Field.InvalidDate', 'U003', 'ExpirationDateTime'],
      ['AA-018', { ExpirationDateTime: inDays(-1) }, 'Field.InvalidDate', 'U003', 'ExpirationDateTime'],
      [
        'AA-019',
        { TransactionFromDateTime: '2030-02-01T00:00:00Z', TransactionToDateTime: '2030-01-01T00:00:00Z' },
        'Field.InvalidDate',
        'U003',
        'TransactionToDateTime',
      ],
    ] as readonly Fault[],
  },
  {
    kind: 'funds confirmation',
    Client: FundsClient,
    scope: 'fundsconfirmations',
    otherScope: 'accounts',
    member: 'DebtorAccount',
    besideData: {},
    everything: (version: Version) => ({
      ExpirationDateTime: '2037-05-06T12:00:00+00:00',
      ...anAccount({
        Name: 'Archer Payroll',
        SecondaryIdentification: 'A-123',
        ...(version === '4.0' && { Proxy: { Identification: '+447700900123', Code: 'TELE' } }),
      }),
    }),
    faults: [
      ['FC-010', { DebtorAccount: undefined }, 'Field.Missing', 'U004', 'DebtorAccount'],
      ['FC-011', { DebtorAccount: 'mine' }, 'Field.Invalid', 'U002', 'DebtorAccount'],
      ['FC-012', anAccount({ Identification: undefined }), 'Field.Missing', 'U004', 'DebtorAccount.Identification'],
      [
        'FC-013',
        anAccount({ SchemeName: 'UK.OBIE.PAN', Identification: '5412345678901234' }),
        'Unsupported.Scheme',
        'U027',
        'DebtorAccount.SchemeName',
      ],
      [
        'FC-014',
        anAccount({ Identification: '2000011234567' }),
        'Unsupported.AccountIdentifier',
        'U021',
        'DebtorAccount.Identification',
      ],
      ['FC-015', anAccount({ Name: 'x'.repeat(351) }), 'Field.Invalid', 'U002', 'DebtorAccount.Name'],
      ['FC-016', { ExpirationDateTime: 'tomorrow' }, 'Field.InvalidDate', 'U003', 'ExpirationDateTime'],
      ['FC-017', { ExpirationDateTime: inDays(-1) }, 'Field.InvalidDate', 'U003', 'ExpirationDateTime'],
    ] as readonly Fault[],
  },
] as const;

const codeOf = (version: Version) => (name: string, code40: string) => (version === '3.1' ? `UK.OBIE.${name}` : code40);

describe.each(kinds.flatMap((kind) => versions.map((version) => ({ ...kind, ...version }))))(
  'consents for $kind of $version',
  ({ kind, member: required, besideData, everything, faults, version, awaiting, rejected }) => {
    const { own, other, elsewhere } = lookUp(kind, version);
    const code = codeOf(version);
    const mismatch = [400, ['UK.OBIE.Resource.ConsentMismatch ConsentId']];
    const unknownId = [400, [`${code('Resource.NotFound', 'U011')} ConsentId`]];

    it('AA-001, FC-001 are staged without signature and idempotency key, and read as they were sent', async () => {
      const asked = everything(version);
      const interactionId = randomUUID();
      const headers = { 'x-fapi-interaction-id': interactionId };
      const response = await own().send('POST', own().consents, { body: own().request(asked), headers });
      expect(response.status).toBe(201);
      const data = dataOf(response);
      expect(data).toMatchObject({ ...asked, Status: awaiting, ConsentId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
      const self = own().url(own().consent(String(data['ConsentId'])));
      expect(response.json()).toEqual({ Data: data, ...besideData, Links: { Self: self }, Meta: expect.any(Object) });
      expect(response.headers).toMatchObject({
        location: self,
        'cache-control': 'no-store',
        'x-fapi-interaction-id': interactionId,
      });
      expect(response.headers['x-jws-signature']).toBeUndefined();
      expect('x-client-id' in response.headers).toBe(version === '4.0');
      const read = await own().send('GET', own().consent(String(data['ConsentId'])));
      expect([read.status, read.json()]).toEqual([200, response.json()]);
    });

    it.each(faults)('%s: a faulty member is refused (%#)', async (_statement, data, name, code40, member) => {
      const response = await own().send('POST', own().consents, { body: own().request(data) });
      expect([response.status, errorsOf(response)]).toEqual([400, [`${code(name, code40)} Data.${member}`]]);
    });

    it.each(['[]', '{"Data":', '"text"'])('AA-021, FC-021 refuse the body %s', async (body) => {
      const response = await own().send('POST', own().consents, { body });
      expect([response.status, errorsOf(response)]).toEqual([400, [code('Resource.InvalidFormat', 'U010')]]);
    });

    it('AA-030, FC-030 are for tokens of the client itself with the scope of their kind', async () => {
      const consentId = await own().stage();
      for (const [method, path] of [
        ['POST', own().consents],
        ['GET', own().consent(consentId)],
        ['DELETE', own().consent(consentId)],
      ] as const) {
        const body = method === 'POST' ? { body: own().request() } : {};
        expect((await elsewhere().send(method, path, body)).status).toBe(403);
        expect((await own().send(method, path, { ...body, accessToken: 'x' })).status).toBe(401);
      }
      expect(await own().status(consentId)).toBe(awaiting);
    });

    // Account and Transaction API Profile and Confirmation of Funds API Profile, Release Management.
    it('AA-032, FC-032 are read and deleted in their own version and in newer ones, in their words', async () => {
      const consentId = await own().stage();
      if (version === '4.0') {
        const older = lookUp(kind, '3.1').own();
        for (const method of ['GET', 'DELETE']) {
          const response = await older.send(method, older.consent(consentId));
          expect([response.status, errorsOf(response)]).toEqual(mismatch);
        }
        expect(await own().status(consentId)).toBe(awaiting);
        return;
      }
      const newer = lookUp(kind, '4.0').own();
      const response = await newer.send('GET', newer.consent(consentId));
      expect(dataOf(response)).toMatchObject({ ConsentId: consentId, Status: 'AWAU', [required]: expect.anything() });
      expect(response.json()['Links']).toEqual({ Self: newer.url(newer.consent(consentId)) });
      expect((await newer.send('DELETE', newer.consent(consentId))).status).toBe(204);
      expect([await newer.status(consentId), await own().status(consentId)]).toEqual(['RJCT', rejected]);
    });

    it('AA-031, FC-031 are their client’s', async () => {
      const consentId = await own().stage();
      for (const method of ['GET', 'DELETE']) {
        expect((await other().send(method, own().consent(consentId))).status).toBe(403);
        for (const unknown of [randomUUID(), 'no-uuid']) {
          const response = await own().send(method, own().consent(unknown));
          expect([response.status, errorsOf(response)]).toEqual(unknownId);
        }
      }
      expect(await own().status(consentId)).toBe(awaiting);
    });

    it('AA-040, FC-040 end by DELETE: an unauthorised one becomes rejected, and stays so', async () => {
      const consentId = await own().stage();
      for (let time = 0; time < 2; time += 1) {
        const response = await own().send('DELETE', own().consent(consentId));
        expect([response.status, response.text]).toEqual([204, '']);
        expect(await own().status(consentId)).toBe(rejected);
      }
    });
  },
);

function lookUp(kind: string, version: Version) {
  const find = () => clients.get(`${kind} ${version}`)!;
  return { own: () => find().own, other: () => find().other, elsewhere: () => find().elsewhere };
}

describe.each(versions)('consents of $version', ({ version, rejected }) => {
  const { own } = lookUp('account access', version);
  const funds = lookUp('funds confirmation', version).own;
  const code = codeOf(version);

  it('AA-002 are created by each request: there is no idempotency', async () => {
    const headers = { 'x-idempotency-key': randomUUID() };
    const [one, two] = [
      await own().send('POST', own().consents, { body: own().request(), headers }),
      await own().send('POST', own().consents, { body: own().request(), headers }),
    ];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(dataOf(one)['ConsentId']).not.toBe(dataOf(two)['ConsentId']);
  });

  it('FC-002 show the full name of the account’s scheme', async () => {
    const body = funds().request(anAccount({ SchemeName: 'SortCodeAccountNumber' }));
    const response = await funds().send('POST', funds().consents, { body });
    expect(dataOf(response)['DebtorAccount']).toEqual(payroll);
  });

  it('AA-020 require Risk, and list all faults at once', async () => {
    const body = { Data: { Permissions: ['ReadBalances'], ExpirationDateTime: inDays(-1) } };
    const response = await own().send('POST', own().consents, { body });
    expect(errorsOf(response)).toEqual([
      `${code('Field.Missing', 'U004')} Risk`,
      `${code('Field.Invalid', 'U002')} Data.Permissions`,
      `${code('Field.InvalidDate', 'U003')} Data.ExpirationDateTime`,
    ]);
  });

  it('FC-020 name every fault of a body at once', async () => {
    const body = funds().request({ DebtorAccount: { SchemeName: 'Paym' }, ExpirationDateTime: 'never' });
    const response = await funds().send('POST', funds().consents, { body });
    expect(errorsOf(response).sort()).toEqual(
      [
        `${code('Field.Missing', 'U004')} Data.DebtorAccount.Identification`,
        `${code('Field.InvalidDate', 'U003')} Data.ExpirationDateTime`,
      ].sort(),
    );
  });

  it('AA-022 accept unknown members, and in 4.0 none of Risk', async () => {
    const response = await own().send('POST', own().consents, { body: { ...own().request({ More: 1 }), Other: 2 } });
    expect(response.status).toBe(201);
    const withRisk = await own().send('POST', own().consents, { body: { ...own().request(), Risk: { Other: 2 } } });
    expect(withRisk.status).toBe(version === '3.1' ? 201 : 400);
  });

  it('FC-022 accept unknown members in 3.1, a proxy among them, and refuse them beside Data in 4.0', async () => {
    const request = funds().request(anAccount({ Proxy: { Identification: 'x', Code: 'TELE' } }));
    const response = await funds().send('POST', funds().consents, { body: { ...request, Risk: {} } });
    if (version === '3.1') {
      expect([response.status, dataOf(response)['DebtorAccount']]).toEqual([201, payroll]);
    } else {
      expect([response.status, errorsOf(response)]).toEqual([400, ['U005 Risk']]);
    }
  });

  it('AA-023 accept all permissions at once', async () => {
    const body = own().request({ Permissions: permissions });
    const response = await own().send('POST', own().consents, { body });
    expect([response.status, dataOf(response)['Permissions']]).toEqual([201, permissions]);
  });

  it('AA-041 are rejected if nobody authorises them in time', async () => {
    const consentId = await own().stage();
    const { database } = world.sandbox;
    await database.query('UPDATE access_consents SET expires_at = $2 WHERE consent_id = $1', [
      consentId,
      new Date(Date.now() - 1_000),
    ]);
    // At once, whether or not anybody has written it down.
    expect(await own().status(consentId)).toBe(rejected);
    const sql = 'SELECT status FROM access_consents WHERE consent_id = $1';
    await expectEventually(async () => (await database.query(sql, [consentId])).rows[0]?.['status'], 'Rejected');
  });
});
