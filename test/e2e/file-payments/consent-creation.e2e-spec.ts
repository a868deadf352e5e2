import { describe, expect, it } from '@jest/globals';
import { londonDay } from '#libs/obie-rules';
import { aConsentRequest, type Members } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { expectInteractionId, expectObError } from '../../support/expectations.js';
import { consentIdOf, consents, dataOf, inDays, table, unknownId } from './world.js';
import { useWorld } from './use-world.js';

const world = useWorld();

const file = aPaymentFile();
const debtor = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678' };
const withInitiation = (members: Members): string => aConsentRequest({ file, initiation: members });
const withDebtor = (members: Members): string => withInitiation({ DebtorAccount: { ...debtor, ...members } });
const withData = (members: Members): string => aConsentRequest({ file, data: members });

const initiationPath = 'Data.Initiation';

/** FP number, what is wrong, body, error code, path. `test/corpus` has the rest, member by member. */
const refused: [string, string, string, string, string][] = [
  [
    'FP-019',
    'NumberOfTransactions 12a',
    withInitiation({ NumberOfTransactions: '12a' }),
    'Field.Invalid',
    `${initiationPath}.NumberOfTransactions`,
  ],
  [
    'FP-028',
    'AuthorisationType Multiple',
    withData({ Authorisation: { AuthorisationType: 'Multiple' } }),
    'Field.Invalid',
    'Data.Authorisation.AuthorisationType',
  ],
  [
    'FP-029',
    'CompletionDateTime in the past',
    withData({ Authorisation: { AuthorisationType: 'Any', CompletionDateTime: inDays(-1) } }),
    'Field.InvalidDate',
    'Data.Authorisation.CompletionDateTime',
  ],
  [
    'FP-030',
    'RequestedExecutionDateTime of the day before yesterday',
    withInitiation({ RequestedExecutionDateTime: inDays(-2) }),
    'Field.InvalidDate',
    `${initiationPath}.RequestedExecutionDateTime`,
  ],
  [
    'FP-032',
    'an unlisted exemption',
    withData({ SCASupportData: { RequestedSCAExemptionType: 'Tuesday' } }),
    'Field.Invalid',
    'Data.SCASupportData.RequestedSCAExemptionType',
  ],
  [
    'FP-039',
    'remittance information with a zero-width character',
    withInitiation({ RemittanceInformation: { Unstructured: 'Salaries\u200b of January' } }),
    'Field.Invalid',
    `${initiationPath}.RemittanceInformation.Unstructured`,
  ],
];

/** FP number, what is allowed, body, members that the answer shows */
const accepted: [string, string, string, Members?][] = [
  [
    'FP-027',
    'a bare scheme name',
    withDebtor({ SchemeName: 'SortCodeAccountNumber' }),
    { DebtorAccount: { ...debtor, SchemeName: 'UK.OBIE.SortCodeAccountNumber' } },
  ],
  ['FP-028', 'AuthorisationType Single', withData({ Authorisation: { AuthorisationType: 'Single' } })],
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
  ...[inDays(1), inDays(1).replace('+00:00', '+01:00')].map(
    (RequestedExecutionDateTime): [string, string, string, Members] => [
      'FP-030, FP-031',
      `RequestedExecutionDateTime with ${RequestedExecutionDateTime.slice(-6)}`,
      withInitiation({ RequestedExecutionDateTime }),
      { RequestedExecutionDateTime },
    ],
  ),
  [
    'FP-031',
    'an incomplete RequestedExecutionDateTime, completed',
    withInitiation({ RequestedExecutionDateTime: '2035-01-31T10:20:30,5+01' }),
    { RequestedExecutionDateTime: '2035-01-31T10:20:30.5+01:00' },
  ],
  ['FP-036', 'an unknown member', JSON.stringify({ ...JSON.parse(aConsentRequest({ file })), Risk: {} })],
];

/** FP-001 to FP-045. */
describe('POST /file-payment-consents', () => {
  it.each(refused)('%s refuses %s', async (_number, _title, body, code, path) => {
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

  it.each(table(4, accepted))('%s takes %s', async (_number, _title, body, shown) => {
    const response = await world().tpp.post(consents, body);
    expect({ status: response.status, text: response.text }).toMatchObject({ status: 201 });
    if (shown) expect(dataOf(response)['Initiation']).toMatchObject(shown);
    expect(response.json()).not.toHaveProperty('Risk');
  });

  it('FP-038 says which files v3.1 takes', async () => {
    const response = await world().tpp.post(consents, withInitiation({ FileType: 'UK.OBIE.PaymentInitiation.4.0' }));
    expect(response.text).toContain('v3.1 accepts UK.OBIE.PaymentInitiation.3.1');
  });

  it('FP-035 creates a consent for every key', async () => {
    const { tpp } = world();
    const ids = [await tpp.stageConsent(), await tpp.stageConsent()];
    expect(new Set(ids).size).toBe(2);
  });

  it('FP-031 completes CompletionDateTime too, and the payment may have the same instant in another form', async () => {
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
});

describe('other methods and paths', () => {
  it.each([
    ['FP-045', 'DELETE', `${consents}/${unknownId}`],
    ['FP-045', 'GET', consents],
    ['FP-121', 'GET', '/file-payments'],
    // `test/corpus` sends PUT to each address.
    ...['PATCH', 'DELETE', 'OPTIONS', 'TRACE'].map((method) => ['FP-174', method, '/file-payments']),
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
    'FP-175 does not know %s, which cannot be decoded',
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
