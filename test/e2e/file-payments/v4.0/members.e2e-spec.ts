import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { eraseOldCustomerData } from '#libs/payment-order';
import { Database, openPool } from '#libs/persistence';
import { useWorld40, aConsent, expectError40, atOneMoment, theRefused } from './world-40.js';
import { theLongestPayment } from '../../../bench/longest-payments.mjs';
import { type Members, aPaymentRequest } from '../../../support/a-consent-request.js';
import { documentedIn } from '../../documentation/api-document.js';
import { consentIdOf, consents, dataOf, inDays, unknownId } from '../world.js';
import { iat, iss, tan } from '../../../support/detached-jws.js';
import { expectBodiless } from '../../../support/expectations.js';
import { httpsRequest } from '../../../support/https-request.js';

const world = useWorld40();

const path = 'Data.Initiation';
const account = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000110000001' };
const PostalAddress = {
  AddressType: 'BIZZ',
  Department: 'Payments',
  SubDepartment: 'North',
  StreetName: 'x'.repeat(140),
  BuildingNumber: '1',
  BuildingName: 'Octon House',
  Floor: '2',
  UnitNumber: '3',
  Room: '4',
  PostBox: '5',
  TownLocationName: 'Soho',
  DistrictName: 'Westminster',
  CareOf: 'A Person',
  PostCode: 'EC1A 1BB',
  TownName: 'London',
  CountrySubDivision: 'Greater London',
  Country: 'GB',
  AddressLine: ['1', '2', '3', '4', '5', '6', '7'],
};
/** Its fifth and sixth characters are not the zeros that the pattern of 4.0 demands. */
const LEI = '529900T8BM49AURSDO55';
const RemittanceInformation = {
  Structured: [
    {
      ReferredDocumentInformation: [
        {
          Code: 'CINV',
          Issuer: 'Octon',
          Number: 'INV-1',
          RelatedDate: '2030-01-31T00:00:00+00:00',
          LineDetails: ['x'],
        },
      ],
      ReferredDocumentAmount: '25.00',
      CreditorReferenceInformation: { Code: 'SCOR', Issuer: 'Octon', Reference: 'REF-1' },
      Invoicer: 'Octon',
      Invoicee: 'A Person',
      TaxRemittance: 'Tax',
      AdditionalRemittanceInformation: ['1', '2', '3'],
    },
  ],
  Unstructured: ['January', 'and February'],
};
const everything = {
  RequestedExecutionDateTime: inDays(3),
  CreditorAgent: { SchemeName: 'UK.OBIE.BICFI', Identification: 'NWBKGB2L', Name: 'A Bank', LEI, PostalAddress },
  DebtorAccount: {
    ...account,
    Name: 'n'.repeat(350),
    SecondaryIdentification: 'A-1',
    Proxy: { Identification: '+447700900123', Code: 'TELE', Type: 'mobile' },
  },
  UltimateDebtor: { Name: 'Octon Group', Identification: '123', LEI, SchemeName: 'UK.OBIE.IBAN', PostalAddress },
  RemittanceInformation,
  SupplementaryData: {},
};

/** A payment without remittance information. */
const silent = () => ({ RemittanceInformation: undefined });

/** Statement, members of Initiation and of Data, the code and the member at fault. `test/corpus` has the others. */
const cases: [string, Members, Members, string, string][] = [
  ['F4-040', { FileType: 'UK.OBIE.PaymentInitiation.3.1' }, {}, 'U002', `${path}.FileType`],
  ['F4-042', { RemittanceInformation: { Reference: 'R' } }, {}, 'U005', `${path}.RemittanceInformation.Reference`],
  ['F4-043', { UltimateDebtor: { LEI: LEI.toLowerCase() } }, {}, 'U002', `${path}.UltimateDebtor.LEI`],
  [
    'F4-053',
    { RemittanceInformation: { Unstructured: Array.from({ length: 21 }, () => 'x') } },
    {},
    'U002',
    `${path}.RemittanceInformation.Unstructured`,
  ],
  [
    'F4-053',
    { RemittanceInformation: { Structured: Array.from({ length: 3_000 }, () => ({})) } },
    {},
    'U002',
    `${path}.RemittanceInformation.Structured`,
  ],
  ['F4-045', {}, { Authorisation: { AuthorisationType: 'Multiple' } }, 'U002', 'Data.Authorisation.AuthorisationType'],
];

/** F4-040 to F4-050. */
describe('members', () => {
  it.each(cases.map((row) => [row[0], row] as const))('%s %j', async (_number, [, initiation, data, code, at]) => {
    const { tpp } = world();
    expectError40(await tpp.post(consents, aConsent(tpp.file(), initiation, data)), 400, code, at);
  });

  it('F4-045 AuthorisationType may be Single', async () => {
    const { tpp } = world();
    const data = { Authorisation: { AuthorisationType: 'Single' } };
    expect((await tpp.post(consents, aConsent(tpp.file(), {}, data))).status).toBe(201);
  });

  it('F4-041 every member is accepted and shown, and the payment repeats it', async () => {
    const { tpp } = world();
    const file = tpp.file();
    const staged = await tpp.post(consents, aConsent(file, everything));
    expect({ status: staged.status, text: staged.text }).toMatchObject({ status: 201 });
    expect(dataOf(staged)['Initiation']).toMatchObject(everything);
    const consentId = consentIdOf(staged);
    const read = await tpp.get(`${consents}/${consentId}`);
    expect(dataOf(read)['Initiation']).toEqual(dataOf(staged)['Initiation']);
  });

  it('F4-041 a payment that says less than its consent is U008', async () => {
    const { tpp } = world();
    const initiation = { RemittanceInformation, UltimateDebtor: { LEI } };
    const consent = await tpp.authorise(tpp.file({ item: silent }), { initiation });
    const { UltimateDebtor: _left, ...less } = consent.initiation;
    expectError40(await tpp.pay({ ...consent, initiation: less }), 400, 'U008', `${path}.UltimateDebtor`);
    const paid = await tpp.pay(consent);
    expect(dataOf(paid)['Initiation']).toMatchObject(initiation);
  });

  it('F4-051 what the consent states for all applies to every payment: one that differs is refused, and the consent with it', async () => {
    const { tpp } = world();
    const Remittance = { Unstructured: ['For all'] };
    const initiation = { UltimateDebtor: { Name: 'Octon Group', LEI }, RemittanceInformation: Remittance };
    const same = tpp.file({
      item: () => ({ UltimateDebtor: { LEI, Name: 'Octon Group' }, RemittanceInformation: Remittance }),
    });
    expect((await tpp.upload(await tpp.stageConsent(same, initiation), same)).status).toBe(200);
    const other = tpp.file({ item: (index) => (index === 1 ? {} : { RemittanceInformation: Remittance }) });
    const consentId = await tpp.stageConsent(other, initiation);
    const refused = await tpp.upload(consentId, other);
    expectError40(refused, 400, 'U002', 'File.Data.DomesticPayments[1].RemittanceInformation');
    expect(await tpp.consentStatus(consentId)).toBe('RJCT');
  });

  it('F4-052 what the consent says of all payments is what the customer approves', async () => {
    const { tpp, sandbox } = world();
    const RemittanceInformation = { Unstructured: ['For all'] };
    const consent = await tpp.authorise(tpp.file({ item: silent }), {
      initiation: { UltimateDebtor: { LEI }, RemittanceInformation },
    });
    const { rows } = await sandbox.database.query<{ instructions: string }>(
      'SELECT instructions FROM instruction_lists WHERE consent_id = $1',
      [consent.consentId],
    );
    const { payments } = JSON.parse(rows[0]?.instructions ?? '') as { payments: Members[] };
    for (const payment of payments)
      expect(payment).toMatchObject({ ultimatePayer: { lei: LEI }, remittanceText: 'For all' });
  });

  it('F4-057 gives the scheme the first reference of the payee, and the lines as one text', async () => {
    const { tpp, sandbox } = world();
    const RemittanceInformation = {
      Structured: ['RF-1', 'RF-2'].map((Reference) => ({ CreditorReferenceInformation: { Reference } })),
      Unstructured: ['line one', 'line two'],
    };
    const consentId = await tpp.stageFile(tpp.file({ item: () => ({ RemittanceInformation }) }));
    const { rows } = await sandbox.database.query<{ instructions: string }>(
      'SELECT instructions FROM instruction_lists WHERE consent_id = $1',
      [consentId],
    );
    const { payments } = JSON.parse(rows[0]?.instructions ?? '') as { payments: Members[] };
    expect(payments.length).toBeGreaterThan(0);
    for (const payment of payments)
      expect(payment).toMatchObject({ reference: 'RF-1', remittanceText: 'line one line two' });
  });

  it('F4-054 a file of 150 payments with every member is processed to the end', async () => {
    const { tpp } = world();
    const { DebtorAccount: _chosen, ...everyMember } = theLongestPayment('4.0', { longest: 30 });
    const file = tpp.file({ payments: 150, item: () => everyMember });
    expect(file.body.length).toBeGreaterThan(1_000_000);
    const paid = await tpp.pay(await tpp.authorise(file));
    expect({ status: paid.status, text: paid.text }).toMatchObject({ status: 201 });
    const report = await tpp.get(`/file-payments/${String(dataOf(paid)['FilePaymentId'])}/report-file`);
    const { DomesticPayments } = dataOf(report) as { DomesticPayments: Members[] };
    expect(DomesticPayments).toHaveLength(150);
    expect(DomesticPayments[149]).toMatchObject(everyMember);
  });

  it('F4-047 Debtor is the account that the customer chose', async () => {
    const { tpp, older } = world();
    const staged = await tpp.get(`${consents}/${await tpp.stageFile()}`);
    expect(dataOf(staged)).not.toHaveProperty('Debtor');
    for (const each of [tpp, older]) {
      const consent = await each.authorise();
      const answer = await each.get(`${consents}/${consent.consentId}`);
      if (each === older) documentedIn('file-payments')('GetFilePaymentConsentsConsentId', answer);
      const read = dataOf(answer);
      const Debtor = {
        SchemeName: 'UK.OBIE.SortCodeAccountNumber',
        Identification: expect.stringMatching(/^\d{14}$/),
      };
      expect(read['Debtor']).toMatchObject(Debtor);
      expect(read['Debtor']).not.toHaveProperty('LEI');
      const paid = await each.pay(consent);
      if (each === older) documentedIn('file-payments')('CreateFilePayments', paid);
      expect(dataOf(paid)['Debtor']).toEqual(read['Debtor']);
    }
  });

  it('F4-050 data about other parties in Initiation is erased after the retention time', async () => {
    const { tpp, sandbox } = world();
    const members = { UltimateDebtor: { Name: 'Secret' }, CreditorAgent: { Name: 'Secret' } };
    const consentId = await tpp.stageConsent(tpp.file(), members);
    await sandbox.database.query(
      "UPDATE payment_consents SET status = 'Rejected', status_updated_at = '2020-01-01' WHERE consent_id = $1",
      [consentId],
    );
    const settings = { url: sandbox.databaseUrl, poolSize: 1, applicationName: 'test' };
    const database = new Database(openPool(settings), settings);
    const now = new Date();
    await eraseOldCustomerData(database, { endedBefore: new Date('2021-01-01'), limit: 10, now });
    await database.onApplicationShutdown();
    const read = await tpp.get(`${consents}/${consentId}`);
    expect([read.status, read.text.includes('Secret')]).toEqual([200, false]);
  });

  it('F4-048 the report file has the payments in the members of 4.0', async () => {
    const { tpp } = world();
    const consent = await tpp.authorise();
    const path = `/file-payments/${String(dataOf(await tpp.pay(consent))['FilePaymentId'])}/report-file`;
    const [first] = dataOf(await tpp.get(path))['DomesticPayments'] as Record<string, unknown>[];
    expect(first).toMatchObject({
      InstructionIdentification: 'PAYRUN-1',
      RemittanceInformation: {
        Structured: [{ CreditorReferenceInformation: { Reference: 'INV-1' } }],
        Unstructured: ['January'],
      },
    });
  });
});

/** F4-020 to F4-029. */
describe('errors', () => {
  it('F4-020 the page of each code is there', async () => {
    const { tpp } = world();
    const refused = await tpp.post(consents, aConsent(tpp.file(), { FileHash: undefined }));
    const [error] = refused.json()['Errors'] as { Url: string }[];
    const page = await httpsRequest({ url: error?.Url ?? '', agent: world().sandbox.agent });
    expect([page.status, page.text.includes('U004')]).toEqual([200, true]);
  });

  it('F4-021, F4-014 a request after the cut-off of its payment type is U012, and TM01 says why the consent ended', async () => {
    const { tpp } = world();
    const late = { LocalInstrument: 'UK.OBIE.BalanceTransfer' };
    expectError40(await tpp.post(consents, aConsent(tpp.file(), late)), 400, 'U012', path);
    const file = tpp.file({ item: () => late });
    const consentId = await tpp.stageConsent(file, { LocalInstrument: undefined });
    expectError40(await tpp.upload(consentId, file), 400, 'U012', path);
    const { Data } = (await tpp.get(`${consents}/${consentId}`)).json();
    expect(Data).toMatchObject({ Status: 'RJCT', StatusReason: [{ StatusReasonCode: 'TM01' }] });
  });

  it('F4-021 headers, bodies, ids and states have their codes', async () => {
    const { tpp } = world();
    const body = aConsent(tpp.file());
    const bad = { 'x-fapi-interaction-id': 'none' };
    expectError40(await tpp.post(consents, body, { headers: bad }), 400, 'U006', 'x-fapi-interaction-id');
    const missing = { 'x-idempotency-key': undefined };
    expectError40(await tpp.post(consents, body, { headers: missing }), 400, 'U007', 'x-idempotency-key');
    expectError40(await tpp.post(consents, '[]'), 400, 'U010');
    expectError40(await tpp.get(`${consents}/${unknownId}`), 400, 'U011', 'ConsentId');
    const consent = { consentId: await tpp.stageConsent(), initiation: {} };
    expectError40(await tpp.post('/file-payments', aPaymentRequest(consent.consentId, {})), 400, 'U004');
    const file = tpp.file();
    const early = JSON.parse(aConsent(file)) as { Data: { Initiation: Members } };
    const waiting = await tpp.stageConsent(file);
    expectError40(await tpp.pay({ consentId: waiting, initiation: early.Data.Initiation }), 400, 'U009', 'Data.Status');
  });

  it.each<[string, Members]>([
    ['U016', { alg: 'RS256' }],
    ['U016', { [iss]: 'somebody/else' }],
    ['U017', { [tan]: undefined }],
    ['U017', { [iat]: undefined }],
  ])('F4-022 %s for the signature header %j', async (code, jws) => {
    const { tpp } = world();
    expectError40(await tpp.post(consents, aConsent(tpp.file()), { jws }), 400, code);
  });

  it.each([
    ['U015', 'eyJ9'],
    ['U018', 'nonsense'],
    ['U019', undefined],
  ])('F4-022, F4-033 %s for the signature %s, whatever the setting says', async (code, signature) => {
    const { tpp } = world();
    const body = aConsent(tpp.file());
    const sent = code === 'U015' ? tpp.signBody(`${body} `) : signature;
    const headers = { 'x-jws-signature': sent };
    expectError40(await tpp.post(consents, body, { headers }), 400, code, 'x-jws-signature');
  });

  it('F4-023, F4-030 a fault that has only a code of the bank is U042; the answer names the client', async () => {
    const { tpp } = world();
    const consent = await tpp.authorise();
    const accessToken = await tpp.exchangeCode(consent);
    const refused = await tpp.get(`${consents}/${consent.consentId}`, { accessToken });
    expectError40(refused, 403, 'U042', 'Authorization');
    expect(refused.headers['x-client-id']).toBe(tpp.clientId);
    expect(refused.json()).toMatchObject({
      Errors: [{ Message: expect.stringMatching(/^UK\.SandboxBank\.Token\.WrongGrant - /) }],
    });
  });

  it('F4-024 an idempotency key with another body is 422, on each POST', async () => {
    const { tpp } = world();
    const headers = { 'x-idempotency-key': randomUUID() };
    const [file, other] = [tpp.file(), tpp.file({ payments: 3 })];
    const staged = await tpp.post(consents, aConsent(file), { headers });
    expectError40(await tpp.post(consents, aConsent(other), { headers }), 422, 'U029', 'x-idempotency-key');
    expect((await tpp.post(consents, aConsent(file), { headers })).json()).toEqual(staged.json());
    const consentId = await tpp.stageConsent(file);
    expect((await tpp.upload(consentId, file, { headers })).status).toBe(200);
    expectError40(await tpp.upload(consentId, other, { headers }), 422, 'U029', 'x-idempotency-key');
    expect((await tpp.upload(consentId, file, { headers })).status).toBe(200);
    const consent = await tpp.authorise();
    const paid = await tpp.pay(consent, { headers });
    const changed = { ...consent, initiation: { ...consent.initiation, FileReference: 'OTHER' } };
    expectError40(await tpp.pay(changed, { headers }), 422, 'U029', 'x-idempotency-key');
    expect((await tpp.pay(consent, { headers })).status).toBe(paid.status);
  });

  it('F4-025 a second file, or a second payment, is 409', async () => {
    const { tpp } = world();
    const file = tpp.file();
    const consentId = await tpp.stageFile(file);
    expectError40(await tpp.upload(consentId, file), 409, 'U029', 'Data.Status');
    const consent = await tpp.authorise();
    expect((await tpp.pay(consent)).status).toBe(201);
    expectError40(await tpp.pay(consent), 409, 'U029', 'Data.Status');
  });

  it('F4-028 of two simultaneous files, or payments, one is accepted and the other gets 409', async () => {
    const { tpp } = world();
    const [file, other] = [tpp.file(), tpp.file({ item: () => ({ EndToEndIdentification: 'OTHER' }) })];
    const waiting = await tpp.stageConsent(file);
    const uploads = await atOneMoment(world(), waiting, () => [tpp.upload(waiting, file), tpp.upload(waiting, file)]);
    expectError40(theRefused(uploads, 200), 409, 'U029', 'Data.Status');
    const consent = await tpp.authorise(other);
    const payments = await atOneMoment(world(), consent.consentId, () => [tpp.pay(consent), tpp.pay(consent)]);
    expectError40(theRefused(payments, 201), 409, 'U029', 'Data.Status');
  });

  it('F4-029 of two simultaneous bodies under one key one is accepted and the other gets 422', async () => {
    const { tpp } = world();
    const [file, other] = [tpp.file(), tpp.file({ payments: 3 })];
    const headers = { 'x-idempotency-key': randomUUID() };
    const staged = [file, other].map((each) => tpp.post(consents, aConsent(each), { headers }));
    expectError40(theRefused(await Promise.all(staged), 201), 422, 'U029', 'x-idempotency-key');
    const approved = [await tpp.authorise(), await tpp.authorise()];
    const paid = await Promise.all(approved.map((consent) => tpp.pay(consent, { headers })));
    expectError40(theRefused(paid, 201), 422, 'U029', 'x-idempotency-key');
  });

  it('F4-026 an unknown member of an open object is ignored', async () => {
    const { tpp } = world();
    const Proxy = { Identification: 'a', Code: 'TELE' };
    const members = { DebtorAccount: { ...account, Proxy: { ...Proxy, Kind: 1 } } };
    const staged = await tpp.post(consents, aConsent(tpp.file(), members));
    expect(staged.json()).toMatchObject({ Data: { Initiation: { DebtorAccount: { Proxy } } } });
    expect(staged.text).not.toContain('Kind');
  });

  it('F4-027 an unknown token gets 401 without a body', async () => {
    expectBodiless(await world().tpp.get(`${consents}/${unknownId}`, { accessToken: 'unknown' }), 401);
  });
});
