import { describe, expect, it } from '@jest/globals';
import { londonDay } from '#libs/obie-rules';
import { aConsentRequest, anInitiation, decimal, type Members } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { expectErrorShape, expectInteractionId, expectObError } from '../../support/expectations.js';
import { consentIdOf, consents, dataOf, inDays, table, unknownId } from './world.js';
import { useWorld } from './use-world.js';

const world = useWorld();

const file = aPaymentFile();
const debtor = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678' };
const withInitiation = (members: Members): string => aConsentRequest({ file, initiation: members });
const withDebtor = (members: Members): string => withInitiation({ DebtorAccount: { ...debtor, ...members } });
const withData = (members: Members): string => aConsentRequest({ file, data: members });

const initiationPath = 'Data.Initiation';
const hash32 = Buffer.alloc(32, 7).toString('base64');

/** FP number, what is wrong, body, error code, path */
const refused: [string, string, string, string, string?][] = [
  ['FP-008', 'no Data', '{}', 'Field.Missing', 'Data'],
  ['FP-008', 'Data that is no object', '{"Data":[]}', 'Field.Invalid', 'Data'],
  ['FP-009', 'no Initiation', withData({ Initiation: undefined }), 'Field.Missing', initiationPath],
  ['FP-009', 'Initiation null', withData({ Initiation: null }), 'Field.Invalid', initiationPath],
  ['FP-010', 'no FileType', withInitiation({ FileType: undefined }), 'Field.Missing', `${initiationPath}.FileType`],
  ['FP-011', 'no FileHash', withInitiation({ FileHash: undefined }), 'Field.Missing', `${initiationPath}.FileHash`],
  [
    'FP-012',
    'FileHash of 45',
    withInitiation({ FileHash: `${hash32}A` }),
    'Field.Invalid',
    `${initiationPath}.FileHash`,
  ],
  ['FP-013', 'FileHash no base64', withInitiation({ FileHash: 'ab*d' }), 'Field.Invalid', `${initiationPath}.FileHash`],
  [
    'FP-013',
    'FileHash of 31 bytes',
    withInitiation({ FileHash: Buffer.alloc(31).toString('base64') }),
    'Field.Invalid',
    `${initiationPath}.FileHash`,
  ],
  [
    'FP-015',
    'a pain.001 FileType',
    withInitiation({ FileType: 'UK.OBIE.pain.001.001.08' }),
    'Field.Invalid',
    `${initiationPath}.FileType`,
  ],
  ['FP-016', 'an unknown FileType', withInitiation({ FileType: 'x' }), 'Field.Invalid', `${initiationPath}.FileType`],
  [
    'FP-038',
    'the FileType of v4.0',
    withInitiation({ FileType: 'UK.OBIE.PaymentInitiation.4.0' }),
    'Field.Invalid',
    `${initiationPath}.FileType`,
  ],
  [
    'FP-039',
    'a FileReference with a character that turns the direction of the text',
    withInitiation({ FileReference: 'PAYROLL\u202e10' }),
    'Field.Invalid',
    `${initiationPath}.FileReference`,
  ],
  [
    'FP-039',
    'remittance information with a character of no width',
    withInitiation({ RemittanceInformation: { Unstructured: 'Salaries\u200b of January' } }),
    'Field.Invalid',
    `${initiationPath}.RemittanceInformation.Unstructured`,
  ],
  [
    'FP-017',
    'FileReference of 41',
    withInitiation({ FileReference: 'r'.repeat(41) }),
    'Field.Invalid',
    `${initiationPath}.FileReference`,
  ],
  ['FP-017', 'FileReference empty', withInitiation({ FileReference: '' }), 'Field.Invalid'],
  ...([2, '12a', '1'.repeat(16), '151', '0', '-1', '', null] as const).map(
    (NumberOfTransactions): [string, string, string, string, string] => [
      'FP-018, FP-019, FP-020',
      `NumberOfTransactions ${JSON.stringify(NumberOfTransactions)}`,
      withInitiation({ NumberOfTransactions }),
      'Field.Invalid',
      `${initiationPath}.NumberOfTransactions`,
    ],
  ),
  ...[
    '200.00',
    decimal('-1'),
    decimal('0'),
    decimal('1.000001'),
    decimal('1500000000000000'),
    decimal('1e99'),
    null,
    {},
    [1],
  ].map((ControlSum): [string, string, string, string, string] => [
    'FP-021',
    `ControlSum ${JSON.stringify(ControlSum)}`,
    withInitiation({ ControlSum }),
    'Field.Invalid',
    `${initiationPath}.ControlSum`,
  ]),
  [
    'FP-023',
    'LocalInstrument SWIFT',
    withInitiation({ LocalInstrument: 'UK.OBIE.SWIFT' }),
    'Unsupported.LocalInstrument',
    `${initiationPath}.LocalInstrument`,
  ],
  [
    'FP-024',
    'DebtorAccount without Identification',
    withDebtor({ Identification: undefined }),
    'Field.Missing',
    `${initiationPath}.DebtorAccount.Identification`,
  ],
  [
    'FP-024',
    'DebtorAccount without SchemeName',
    withDebtor({ SchemeName: undefined }),
    'Field.Missing',
    `${initiationPath}.DebtorAccount.SchemeName`,
  ],
  [
    'FP-025',
    'an invented scheme',
    withDebtor({ SchemeName: 'UK.OBIE.Cowries' }),
    'Unsupported.Scheme',
    `${initiationPath}.DebtorAccount.SchemeName`,
  ],
  [
    'FP-191',
    'a wallet',
    withDebtor({ SchemeName: 'UK.OBIE.Wallet' }),
    'Unsupported.Scheme',
    `${initiationPath}.DebtorAccount.SchemeName`,
  ],
  [
    'FP-193',
    'ReferencePaymentOrderId of 129',
    withData({ SCASupportData: { ReferencePaymentOrderId: 'o'.repeat(129) } }),
    'Field.Invalid',
    'Data.SCASupportData.ReferencePaymentOrderId',
  ],
  [
    'FP-190',
    'DebtorAccount.Name of 351',
    withDebtor({ Name: 'n'.repeat(351) }),
    'Field.Invalid',
    `${initiationPath}.DebtorAccount.Name`,
  ],
  [
    'FP-026',
    'an account number of 13 digits',
    withDebtor({ Identification: '2000011234567' }),
    'Unsupported.AccountIdentifier',
    `${initiationPath}.DebtorAccount.Identification`,
  ],
  [
    'FP-026',
    'a roll number of a card',
    withInitiation({
      LocalInstrument: 'UK.OBIE.BalanceTransfer',
      DebtorAccount: { SchemeName: 'UK.OBIE.PAN', Identification: '5412345678901234', SecondaryIdentification: 'R-1' },
    }),
    'Unsupported.AccountSecondaryIdentifier',
    `${initiationPath}.DebtorAccount.SecondaryIdentification`,
  ],
  [
    'FP-028',
    'AuthorisationType Multiple',
    withData({ Authorisation: { AuthorisationType: 'Multiple' } }),
    'Field.Invalid',
    'Data.Authorisation.AuthorisationType',
  ],
  [
    'FP-028',
    'no AuthorisationType',
    withData({ Authorisation: {} }),
    'Field.Missing',
    'Data.Authorisation.AuthorisationType',
  ],
  [
    'FP-029',
    'CompletionDateTime in the past',
    withData({ Authorisation: { AuthorisationType: 'Any', CompletionDateTime: inDays(-1) } }),
    'Field.InvalidDate',
    'Data.Authorisation.CompletionDateTime',
  ],
  ...['yesterday', '2026-13-01', '2026-02-30T00:00:00Z', '', inDays(-2)].map(
    (RequestedExecutionDateTime): [string, string, string, string, string] => [
      'FP-030',
      `RequestedExecutionDateTime ${RequestedExecutionDateTime.replace(/^\d.*\+.*/, 'of yesterday')}`,
      withInitiation({ RequestedExecutionDateTime }),
      'Field.InvalidDate',
      `${initiationPath}.RequestedExecutionDateTime`,
    ],
  ),
  [
    'FP-032',
    'an unlisted exemption',
    withData({ SCASupportData: { RequestedSCAExemptionType: 'Tuesday' } }),
    'Field.Invalid',
    'Data.SCASupportData.RequestedSCAExemptionType',
  ],
  ...['not JSON', '{"Data":', '[]', 'null', '"text"', '17', '{"Data":{},"Data":{"x":1}}', '\ufeff{}'].map(
    (body): [string, string, string, string] => ['FP-033', `the body ${body}`, body, 'Resource.InvalidFormat'],
  ),
  ['FP-034', 'an empty body', '', 'Resource.InvalidFormat'],
  ['FP-033', 'deep nesting', `{"Data":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'Resource.InvalidFormat'],
];

/** Times of day that RFC 3339 does not allow, and how they are answered. */
const incompleteTimes = [
  ['T10:20+00:00', 'T10:20:00+00:00'],
  ['T10:20:30+0100', 'T10:20:30+01:00'],
  ['T10:20:30+01', 'T10:20:30+01:00'],
  ['T10:20:30,5Z', 'T10:20:30.5Z'],
  ['t10:20z', 'T10:20:00Z'],
] as const;

/** FP number, what is allowed, body, members that the answer shows */
const accepted: [string, string, string, Members?][] = [
  [
    'FP-001',
    'FileType and FileHash only',
    withData({ Initiation: { FileType: 'UK.OBIE.PaymentInitiation.3.1', FileHash: file.fileHash } }),
  ],
  ['FP-014', 'FileHash without padding', withInitiation({ FileHash: file.fileHash.slice(0, 43) })],
  ['FP-017', 'FileReference of 40', withInitiation({ FileReference: 'r'.repeat(40) })],
  ...['FPS', 'BACS', 'CHAPS', 'BalanceTransfer'].map((instrument): [string, string, string] => [
    'FP-022',
    instrument,
    withInitiation({ LocalInstrument: `UK.OBIE.${instrument}` }),
  ]),
  [
    'FP-027',
    'a bare scheme name',
    withDebtor({ SchemeName: 'SortCodeAccountNumber' }),
    { DebtorAccount: { ...debtor, SchemeName: 'UK.OBIE.SortCodeAccountNumber' } },
  ],
  ...['Any', 'Single'].map((AuthorisationType): [string, string, string] => [
    'FP-028',
    `AuthorisationType ${AuthorisationType}`,
    withData({ Authorisation: { AuthorisationType } }),
  ]),
  [
    'FP-030',
    'RequestedExecutionDateTime of today',
    withInitiation({ RequestedExecutionDateTime: `${londonDay(new Date())}T12:00:00+00:00` }),
  ],
  [
    'FP-031',
    'RequestedExecutionDateTime without a zone, which counts as UTC',
    withInitiation({ RequestedExecutionDateTime: inDays(1).slice(0, 19) }),
    { RequestedExecutionDateTime: inDays(1) },
  ],
  ...[
    inDays(1),
    inDays(1).replace('+00:00', 'Z'),
    inDays(1).replace('+00:00', '+01:00'),
    inDays(1).replace('+00:00', '.123Z'),
  ].map((RequestedExecutionDateTime, index): [string, string, string, Members] => [
    'FP-030, FP-031',
    `RequestedExecutionDateTime in form ${index + 1}`,
    withInitiation({ RequestedExecutionDateTime }),
    { RequestedExecutionDateTime },
  ]),
  ...incompleteTimes.map(([sent, complete]): [string, string, string, Members] => [
    'FP-031',
    `RequestedExecutionDateTime ${sent}, completed`,
    withInitiation({ RequestedExecutionDateTime: `2035-01-31${sent}` }),
    { RequestedExecutionDateTime: `2035-01-31${complete}` },
  ]),
  [
    'FP-193',
    'ReferencePaymentOrderId of 128',
    withData({ SCASupportData: { ReferencePaymentOrderId: 'o'.repeat(128) } }),
  ],
  ['FP-036', 'an unknown member', JSON.stringify({ ...JSON.parse(aConsentRequest({ file })), Risk: {} })],
];

/** FP-001 to FP-045. */
describe('POST /file-payment-consents', () => {
  it.each(table(5, refused))('%s refuses %s', async (_number, _title, body, code, path) => {
    expectObError(await world().tpp.post(consents, body), 400, code, path);
  });

  it('lists all faults at once, of form and rules', async () => {
    const initiation = {
      FileType: undefined,
      FileHash: 'ab*d',
      FileReference: '',
      NumberOfTransactions: '151',
      ControlSum: '1',
      RequestedExecutionDateTime: inDays(-3),
      LocalInstrument: 'UK.OBIE.SWIFT',
      DebtorAccount: { ...debtor, SchemeName: 'UK.OBIE.Cowries', Name: '' },
      RemittanceInformation: null,
    };
    const Authorisation = { AuthorisationType: 'Multiple', CompletionDateTime: inDays(-1) };
    const response = await world().tpp.post(consents, aConsentRequest({ file, initiation, data: { Authorisation } }));
    expect(response.status).toBe(400);
    const faults = response.json()['Errors'] as { ErrorCode: string; Path: string }[];
    expect(new Set(faults.map(({ ErrorCode, Path }) => `${ErrorCode} ${Path}`))).toEqual(
      new Set([
        `UK.OBIE.Field.Missing ${initiationPath}.FileType`,
        `UK.OBIE.Field.Invalid ${initiationPath}.FileHash`,
        `UK.OBIE.Field.Invalid ${initiationPath}.FileReference`,
        `UK.OBIE.Field.Invalid ${initiationPath}.NumberOfTransactions`,
        `UK.OBIE.Field.Invalid ${initiationPath}.ControlSum`,
        `UK.OBIE.Field.InvalidDate ${initiationPath}.RequestedExecutionDateTime`,
        `UK.OBIE.Unsupported.LocalInstrument ${initiationPath}.LocalInstrument`,
        `UK.OBIE.Unsupported.Scheme ${initiationPath}.DebtorAccount.SchemeName`,
        `UK.OBIE.Field.Invalid ${initiationPath}.DebtorAccount.Name`,
        `UK.OBIE.Field.Invalid ${initiationPath}.RemittanceInformation`,
        'UK.OBIE.Field.Invalid Data.Authorisation.AuthorisationType',
        'UK.OBIE.Field.InvalidDate Data.Authorisation.CompletionDateTime',
      ]),
    );
  });

  it('FP-009 says of null that it is none', async () => {
    const response = await world().tpp.post(consents, withData({ Initiation: null }));
    expect(response.json()).toMatchObject({
      Errors: [
        { ErrorCode: 'UK.OBIE.Field.Invalid', Message: `${initiationPath} must not be null.`, Path: initiationPath },
      ],
    });
  });

  it.each(table(4, accepted))('%s takes %s', async (_number, _title, body, shown) => {
    const response = await world().tpp.post(consents, body);
    expect({ status: response.status, text: response.text }).toMatchObject({ status: 201 });
    if (shown) expect(dataOf(response)['Initiation']).toMatchObject(shown);
    expect(response.json()).not.toHaveProperty('Risk');
  });

  it('FP-002, FP-003, FP-004, FP-005, FP-007, FP-037, FP-178 answers with the whole consent as it was staged', async () => {
    const { tpp } = world();
    const initiation = {
      ...anInitiation(file, { ControlSum: 21 }),
      RequestedExecutionDateTime: inDays(3),
      DebtorAccount: { ...debtor, Name: 'Payroll', SecondaryIdentification: 'R-1' },
      RemittanceInformation: { Unstructured: 'March', Reference: 'SAL-3' },
      SupplementaryData: { nested: { list: [1, 'two', null, { three: 3.5 }] } },
    };
    const Authorisation = { AuthorisationType: 'Any', CompletionDateTime: inDays(9) };
    const SCASupportData = { RequestedSCAExemptionType: 'BillPayment', AppliedAuthenticationApproach: 'SCA' };
    const body = { Data: { Initiation: initiation, Authorisation, SCASupportData } };
    const response = await tpp.post(consents, JSON.stringify(body));
    expect(response.status).toBe(201);
    const { ConsentId, CreationDateTime, StatusUpdateDateTime, ...rest } = dataOf(response);
    expect(rest).toEqual({
      Status: 'AwaitingUpload',
      Charges: [],
      Initiation: initiation,
      Authorisation,
      SCASupportData,
    });
    expect(String(ConsentId)).toMatch(/^.{1,128}$/);
    expect(CreationDateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(StatusUpdateDateTime).toBe(CreationDateTime);
    const self = tpp.url(`${consents}/${String(ConsentId)}`);
    expect(response.json()).toMatchObject({ Links: { Self: self }, Meta: {} });
    expect(response.json()['Links']).toEqual({ Self: self });
    expect(response.headers['location']).toBe(self);
    expect(response.headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/i);
    expect(Math.abs(Date.parse(response.headers.date ?? '') - Date.now())).toBeLessThan(300_000);
  });

  it.each(['21.00', '21', '21.0', '2.1e1', '0.21E+2', '1499999999999998.50'])(
    'FP-004 keeps the control sum as it was written: %s',
    async (text) => {
      const response = await world().tpp.post(
        consents,
        withInitiation({ ControlSum: decimal(text), LocalInstrument: 'UK.OBIE.CHAPS' }),
      );
      expect({ status: response.status, text: response.text }).toMatchObject({ status: 201 });
      expect(response.text).toContain(`"ControlSum":${text}`);
    },
  );

  it('FP-038 says which files v3.1 takes', async () => {
    const response = await world().tpp.post(consents, withInitiation({ FileType: 'UK.OBIE.PaymentInitiation.4.0' }));
    expect(response.text).toContain('v3.1 accepts UK.OBIE.PaymentInitiation.3.1');
  });

  it('FP-031 answers CompletionDateTime completed as well, and the same instant in another form is the same at the payment', async () => {
    const { tpp } = world();
    const body = withData({
      Authorisation: { AuthorisationType: 'Any', CompletionDateTime: '2035-01-31T10:20+0100' },
    });
    const Authorisation = { CompletionDateTime: '2035-01-31T10:20:00+01:00' };
    expect(dataOf(await tpp.post(consents, body))).toMatchObject({ Authorisation });
    const RequestedExecutionDateTime = '2035-01-31T10:20+01';
    const consent = await tpp.authorise(aPaymentFile(), { initiation: { RequestedExecutionDateTime } });
    const other = { ...consent.initiation, RequestedExecutionDateTime: '2035-01-31T09:20:00Z' };
    const paid = await tpp.pay({ ...consent, initiation: other });
    expect(paid.status).toBe(201);
    expect(dataOf(paid)['Initiation']).toMatchObject({ RequestedExecutionDateTime: '2035-01-31T10:20:00+01:00' });
  });

  it('FP-006 shows no DebtorAccount where none was sent', async () => {
    const response = await world().tpp.post(consents, aConsentRequest({ file }));
    expect(dataOf(response)['Initiation']).not.toHaveProperty('DebtorAccount');
  });

  it('FP-035 creates a consent for every key', async () => {
    const { tpp } = world();
    const ids = [await tpp.stageConsent(), await tpp.stageConsent()];
    expect(new Set(ids).size).toBe(2);
  });
});

describe('GET /file-payment-consents/{ConsentId}', () => {
  it('FP-040, FP-043, FP-044 shows what the 201 showed, each time', async () => {
    const { tpp } = world();
    const created = await tpp.post(consents, aConsentRequest({ file }));
    const path = `${consents}/${consentIdOf(created)}`;
    for (const headers of [{}, { 'x-idempotency-key': 'ignored' }]) {
      const read = await tpp.get(path, { headers });
      expect(read.status).toBe(200);
      expect(read.json()).toEqual(created.json());
    }
  });

  it.each([unknownId, 'not-a-uuid', '%00', 'x'.repeat(200), 'x'.repeat(3_000), "'; drop table clients --"])(
    'FP-041 does not know %s',
    async (id) => {
      const response = await world().tpp.get(`${consents}/${encodeURI(id)}`);
      expectObError(response, 400, 'Resource.NotFound', 'ConsentId');
    },
  );

  it("FP-042 does not show another TPP's consent", async () => {
    const { tpp, otherTpp } = world();
    const response = await otherTpp.get(`${consents}/${await tpp.stageConsent()}`);
    expectObError(response, 403, /^UK\.SandboxBank\./);
    expectErrorShape(response.json());
  });
});

describe('other methods and paths', () => {
  it.each([
    ['FP-045', 'DELETE', `${consents}/${unknownId}`],
    ['FP-045', 'GET', consents],
    ['FP-121', 'GET', '/file-payments'],
    ...['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].flatMap((method) =>
      [
        consents,
        `${consents}/${unknownId}`,
        `${consents}/${unknownId}/file`,
        '/file-payments',
        `/file-payments/${unknownId}`,
        `/file-payments/${unknownId}/report-file`,
        `/file-payments/${unknownId}/payment-details`,
      ].map((path) => ['FP-174', method, path]),
    ),
  ])('%s answers %s %s with 405', async (_number, method, path) => {
    const response = await world().tpp.get(path, { method });
    expect({ status: response.status, text: response.text }).toEqual({ status: 405, text: '' });
    expect(response.headers.allow).toMatch(/GET|POST/);
    expectInteractionId(response);
  });

  it.each([
    ['FP-121', `/file-payments/${unknownId}/unknown`],
    ['FP-175', '/international-payments'],
    ['FP-175', `${consents}/${unknownId}/file/extra`],
    ['FP-175', `${consents}/`],
    ['FP-175', `${consents}/${unknownId}/`],
    ['FP-175', `${consents}//file`],
    ['FP-175', '/file-payments/'],
    ['FP-175', '/File-Payments'],
    ['FP-175', ''],
  ])('%s does not know %s', async (_number, path) => {
    const { tpp } = world();
    for (const response of [await tpp.get(path), await tpp.post(path, aConsentRequest({ file }))]) {
      expect({ status: response.status, text: response.text }).toEqual({ status: 404, text: '' });
      expectInteractionId(response);
    }
  });

  it.each([`${consents}/%zz`, `${consents}/%ff/file`])(
    'FP-175 does not know %s, which nothing can be read from',
    async (path) => {
      const response = await world().tpp.get(path);
      expect({ status: response.status, text: response.text }).toEqual({ status: 404, text: '' });
      expect(response.headers).toMatchObject({
        'cache-control': 'no-store',
        'strict-transport-security': expect.stringContaining('max-age='),
        'x-content-type-options': 'nosniff',
      });
      expectInteractionId(response);
    },
  );
});
