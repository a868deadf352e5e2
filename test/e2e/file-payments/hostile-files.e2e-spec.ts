import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decimal } from '../../support/a-consent-request.js';
import { aPaymentFile, type TestPaymentFile } from '../../support/a-payment-file.js';
import { expectBodiless, expectObError } from '../../support/expectations.js';
import { leastMilliseconds } from '../../support/least-milliseconds.js';
import { consents, inDays } from './world.js';
import { useWorld } from './use-world.js';

const world = useWorld();

const items = 'File.Data.DomesticPayments';
const face = '\u{1F600}';
const account = {
  SchemeName: 'UK.OBIE.IBAN',
  Identification: 'GB29NWBK60161331926819',
  Name: face.repeat(70),
  SecondaryIdentification: 's'.repeat(34),
};
/** Every member there is, as long as it may be. */
const everything = {
  InstructionIdentification: face.repeat(35),
  EndToEndIdentification: face.repeat(35),
  LocalInstrument: 'UK.OBIE.FPS',
  RequestedExecutionDateTime: inDays(20).replace('+00:00', '.123456789+00:00'),
  InstructedAmount: { Amount: '10.50000', Currency: 'GBP' },
  DebtorAccount: account,
  CreditorAccount: account,
  CreditorPostalAddress: {
    AddressType: 'Correspondence',
    Department: face.repeat(70),
    SubDepartment: face.repeat(70),
    StreetName: face.repeat(70),
    BuildingNumber: face.repeat(16),
    PostCode: face.repeat(16),
    TownName: face.repeat(35),
    CountrySubDivision: face.repeat(35),
    Country: 'GB',
    AddressLine: [face.repeat(70), face.repeat(70)],
  },
  RemittanceInformation: { Unstructured: face.repeat(140), Reference: face.repeat(35) },
  SupplementaryData: { nested: { list: [1.5, true, null] } },
};
const wrong = {
  InstructionIdentification: '',
  EndToEndIdentification: 1,
  LocalInstrument: 'UK.OBIE.SWIFT',
  RequestedExecutionDateTime: 'tomorrow',
  InstructedAmount: { Amount: '1.001', Currency: 'gbp' },
  DebtorAccount: {},
  CreditorAccount: { SchemeName: 'x' },
  CreditorPostalAddress: { Country: 'GBR', AddressLine: [1, 2] },
  RemittanceInformation: [],
};
const document = (text: string): TestPaymentFile => aPaymentFile({ document: text });
const inItems = (text: string): TestPaymentFile => document(`{"File":{"Data":{"DomesticPayments":[${text}]}}}`);
const inBytes = (body: Buffer): TestPaymentFile => ({
  ...aPaymentFile(),
  body,
  fileHash: createHash('sha256').update(body).digest('base64'),
});
const names = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":""`).join()}}`;

/** Title, file, error code, path, and the status of the consent afterwards. */
const refused: [string, TestPaymentFile, string, string | undefined, string][] = [
  ['50,000 tiny members', inItems(names(50_000)), 'Field.Invalid', 'File', 'Rejected'],
  ['230,000 empty payments', inItems(Array(230_000).fill('{}').join()), 'Field.Invalid', 'File', 'Rejected'],
  [
    'deep nesting',
    inItems('['.repeat(340_000) + ']'.repeat(340_000)),
    'Resource.InvalidFormat',
    undefined,
    'AwaitingUpload',
  ],
  [
    'a number of 0.7 MB',
    document(`{"File":${'9'.repeat(690_000)}}`),
    'Resource.InvalidFormat',
    undefined,
    'AwaitingUpload',
  ],
  ['more than 700 kB', inItems(`"${'x'.repeat(700_000)}"`), 'Resource.InvalidFormat', undefined, 'AwaitingUpload'],
  [
    'a member twice',
    inItems('{"InstructionIdentification":"1","InstructionIdentification":"2"}'),
    'Resource.InvalidFormat',
    undefined,
    'AwaitingUpload',
  ],
  [
    'UTF-16',
    inBytes(Buffer.from('\ufeff{"File":{}}', 'utf16le')),
    'Resource.InvalidFormat',
    undefined,
    'AwaitingUpload',
  ],
  ['a byte order mark', document('\ufeff{"File":{}}'), 'Resource.InvalidFormat', undefined, 'AwaitingUpload'],
  ['ISO 8859-1', inBytes(Buffer.from('{"File":"é"}', 'latin1')), 'Resource.InvalidFormat', undefined, 'AwaitingUpload'],
  ['a compressed body', inBytes(gzipSync('{"File":{}}')), 'Resource.InvalidFormat', undefined, 'AwaitingUpload'],
  [
    'half a document',
    inBytes(aPaymentFile().body.subarray(0, 100)),
    'Resource.InvalidFormat',
    undefined,
    'AwaitingUpload',
  ],
  ['a string of 0.7 MB', inItems(`"${'x'.repeat(690_000)}"`), 'Field.Invalid', `${items}[0]`, 'Rejected'],
  ['0.7 MB of escapes', inItems(`"${'\\"'.repeat(340_000)}"`), 'Field.Invalid', `${items}[0]`, 'Rejected'],
  [
    'a text of 0.7 MB',
    inItems(`{"InstructionIdentification":"${'x'.repeat(690_000)}"}`),
    'Field.Invalid',
    `${items}[0].InstructionIdentification`,
    'Rejected',
  ],
  ['2,900 payments', inItems(Array(2_900).fill('{}').join()), 'Field.Invalid', items, 'Rejected'],
  ['151 payments', aPaymentFile({ payments: 151 }), 'Field.Invalid', items, 'Rejected'],
];

const withoutCount = { NumberOfTransactions: undefined, ControlSum: undefined };

/** FP-050 to FP-081 with files as large, as many and as wrong as can be. */
describe('a file at the bounds', () => {
  it('is accepted with every member of 150 payments at its longest', async () => {
    const { tpp } = world();
    const file = aPaymentFile({ payments: 150, item: () => everything });
    const consentId = await tpp.stageConsent(file, withoutCount);
    expect((await tpp.upload(consentId, file)).status).toBe(200);
    const read = await tpp.get(`${consents}/${consentId}/file`);
    expect(read.text).toContain('"list":[1.5,true,null]');
  });

  it.each(refused)('is refused at once with %s', async (_title, file, code, path, status) => {
    const { tpp } = world();
    const refuse = async (): Promise<void> => {
      const consentId = await tpp.stageConsent(file, withoutCount);
      expectObError(await tpp.upload(consentId, file), 400, code, path);
      expect(await tpp.consentStatus(consentId)).toBe(status);
    };
    expect(await leastMilliseconds(1_000, refuse)).toBeLessThan(1_000);
  });
});

it('FP-076 is refused under a content coding, before anything is unpacked', async () => {
  const { tpp } = world();
  const file = aPaymentFile();
  const consentId = await tpp.stageConsent(file);
  const headers = { 'content-encoding': 'gzip' };
  expectBodiless(await tpp.upload(consentId, { ...file, body: gzipSync(file.body) }, { headers }), 415);
  expect(await tpp.consentStatus(consentId)).toBe('AwaitingUpload');
});

describe('a file with many faults', () => {
  type Fault = { ErrorCode: string; Path: string };

  it('gets all of them at once, those against its consent before those of its payments', async () => {
    const { tpp } = world();
    const file = aPaymentFile({
      payments: 3,
      item: (index) => [{ EndToEndIdentification: '' }, { LocalInstrument: 'UK.OBIE.BACS' }, wrong][index] ?? {},
    });
    const other = {
      FileHash: Buffer.alloc(32).toString('base64'),
      NumberOfTransactions: '4',
      ControlSum: decimal('1'),
    };
    const consentId = await tpp.stageConsent(file, { ...other, RequestedExecutionDateTime: inDays(3) });
    const response = await tpp.upload(consentId, file);
    expect(response.status).toBe(400);
    const faults = (response.json()['Errors'] as Fault[]).map(({ ErrorCode, Path }) => `${ErrorCode} ${Path}`);
    expect(faults.slice(0, 3)).toEqual(
      ['FileHash', 'NumberOfTransactions', 'ControlSum'].map((name) => `UK.OBIE.Field.Invalid Data.Initiation.${name}`),
    );
    expect(new Set(faults.slice(3))).toEqual(
      new Set([
        `UK.OBIE.Field.Invalid ${items}[0].EndToEndIdentification`,
        `UK.OBIE.Field.Invalid ${items}[1].LocalInstrument`,
        `UK.OBIE.Field.Invalid ${items}[2].InstructionIdentification`,
        `UK.OBIE.Field.Invalid ${items}[2].EndToEndIdentification`,
        `UK.OBIE.Unsupported.LocalInstrument ${items}[2].LocalInstrument`,
        `UK.OBIE.Field.InvalidDate ${items}[2].RequestedExecutionDateTime`,
        `UK.OBIE.Field.Invalid ${items}[2].InstructedAmount.Amount`,
        `UK.OBIE.Field.Invalid ${items}[2].InstructedAmount.Currency`,
        `UK.OBIE.Field.Missing ${items}[2].DebtorAccount.SchemeName`,
        `UK.OBIE.Field.Missing ${items}[2].DebtorAccount.Identification`,
        `UK.OBIE.Field.Missing ${items}[2].CreditorAccount.Identification`,
        `UK.OBIE.Field.Missing ${items}[2].CreditorAccount.Name`,
        `UK.OBIE.Field.Invalid ${items}[2].CreditorPostalAddress.Country`,
        `UK.OBIE.Field.Invalid ${items}[2].CreditorPostalAddress.AddressLine[0]`,
        `UK.OBIE.Field.Invalid ${items}[2].CreditorPostalAddress.AddressLine[1]`,
        `UK.OBIE.Field.Invalid ${items}[2].RemittanceInformation`,
      ]),
    );
    expect(await tpp.consentStatus(consentId)).toBe('Rejected');
  });

  it('has the first 100 named and all of them counted', async () => {
    const { tpp } = world();
    const file = aPaymentFile({ payments: 150, item: () => wrong });
    const consentId = await tpp.stageConsent(file, withoutCount);
    const response = await tpp.upload(consentId, file);
    expectObError(response, 400, 'Field.Invalid', `${items}[0].InstructionIdentification`);
    expect(response.json()['Errors']).toHaveLength(100);
    expect(response.json()['Message']).toMatch(/It has 2100 faults; at most 100 are listed/);
  });
});
