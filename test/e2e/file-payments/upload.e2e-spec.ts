import { randomUUID, createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decimal, type Members } from '../../support/a-consent-request.js';
import { aPaymentFile, type TestPaymentFile } from '../../support/a-payment-file.js';
import { expectBodiless, expectObError } from '../../support/expectations.js';
import { consents, dataOf, inDays, table } from './world.js';
import { useWorld } from './use-world.js';
import { leastMilliseconds } from '../../support/least-milliseconds.js';

const world = useWorld();

const items = 'File.Data.DomesticPayments';
const second = (members: Members): TestPaymentFile => aPaymentFile({ item: (index) => (index === 1 ? members : {}) });
const amount = (Amount: unknown, Currency: unknown = 'GBP'): Members => ({ InstructedAmount: { Amount, Currency } });
const creditor = (members: Members): Members => ({
  CreditorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: '20000198765432',
    Name: 'B Contractor',
    ...members,
  },
});

/** FP number, what is allowed, file, members of the consent. `test/corpus` has the other files that are taken and refused. */
const taken: [string, string, TestPaymentFile, Members?][] = [
  ['FP-050', 'matching hash, count and sum', aPaymentFile()],
  [
    'FP-057',
    '0.10 and 0.20 under 0.3',
    aPaymentFile({ item: (index) => amount(index ? '0.20' : '0.10') }),
    { ControlSum: decimal('0.3') },
  ],
  ['FP-063', 'BACS from the consent alone', aPaymentFile(), { LocalInstrument: 'UK.OBIE.BACS' }],
  [
    'FP-084',
    'names in other scripts, with accents, apostrophes and combining marks',
    second(creditor({ Name: 'Zoë O’Brien दिल्ली 株式会社 שלום e\u0301' })),
  ],
];

const withoutIds = (list: readonly Record<string, unknown>[]): unknown[] =>
  list.map((item) => ({ ...item, PaymentId: '' }));

const uploaded = async (file: TestPaymentFile, initiation: Members = {}) => {
  const { tpp } = world();
  const consentId = await tpp.stageConsent(file, initiation);
  return { consentId, response: await tpp.upload(consentId, file) };
};

/** FP-050 to FP-089. */
describe('POST /file-payment-consents/{ConsentId}/file', () => {
  it.each<[string, string, TestPaymentFile, Members, string]>([
    [
      'FP-056',
      'a sum that is a penny less',
      aPaymentFile(),
      { ControlSum: decimal('20.99') },
      'Data.Initiation.ControlSum',
    ],
    [
      'FP-084',
      'a name that turns its direction',
      second(creditor({ Name: 'B \u202eContractor' })),
      { ControlSum: undefined },
      `${items}[1].CreditorAccount.Name`,
    ],
  ])('%s refuses %s, and the consent with it', async (_number, _title, file, members, path) => {
    const { consentId, response } = await uploaded(file, members);
    expectObError(response, 400, 'Field.Invalid', path);
    expect(await world().tpp.consentStatus(consentId)).toBe('Rejected');
  });

  it.each(table(4, taken))('%s takes %s', async (_number, _title, file, members) => {
    const { consentId, response } = await uploaded(file, members);
    expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: '' });
    expect(response.headers).not.toHaveProperty('x-jws-signature');
    expect(await world().tpp.consentStatus(consentId)).toBe('AwaitingAuthorisation');
  });

  it.each([
    ['FP-053, FP-079', 'one character changed', (text: string) => text.replace('10.50', '10.51')],
    ['FP-054', 'other white space', (text: string) => text.replace('{"File":', '{ "File":')],
    ['FP-054', 'a line feed at the end', (text: string) => `${text}\n`],
  ])('%s refuses a file with %s than hashed', async (_number, _title, change) => {
    const { tpp } = world();
    const file = aPaymentFile();
    const consentId = await tpp.stageConsent(file, { ControlSum: undefined });
    const other = { ...file, body: Buffer.from(change(file.body.toString())) };
    expectObError(await tpp.upload(consentId, other), 400, 'Field.Invalid', 'Data.Initiation.FileHash');
    expect(await tpp.consentStatus(consentId)).toBe('Rejected');
    // Not even the right file helps any more.
    expectObError(await tpp.upload(consentId, file), 400, 'Resource.InvalidConsentStatus', 'Data.Status');
  });

  it('FP-053 is found in the audit trail by its interaction id', async () => {
    const { tpp, sandbox } = world();
    const [consentId, id] = [await tpp.stageConsent(), randomUUID()];
    await tpp.upload(consentId, aPaymentFile({ payments: 3 }), { headers: { 'x-fapi-interaction-id': id } });
    const { rows } = await sandbox.database.query(
      "SELECT action, actor, details->>'consentId' AS consent FROM audit_events WHERE interaction_id = $1",
      [id],
    );
    expect(rows).toEqual([{ action: 'consent.rejected', actor: 'api', consent: consentId }]);
  });

  it('FP-078 takes one file only, and keeps it', async () => {
    const { tpp } = world();
    const file = aPaymentFile();
    const consentId = await tpp.stageFile(file);
    const before = await tpp.get(`${consents}/${consentId}/file`);
    expectObError(await tpp.upload(consentId, file), 400, 'Resource.InvalidConsentStatus', 'Data.Status');
    expect((await tpp.get(`${consents}/${consentId}/file`)).text).toBe(before.text);
  });

  it('FP-082 stores the list of instructions with the file, and the amount of each payment with the file payment', async () => {
    const { tpp, sandbox } = world();
    const amounts = ['10.50', '0.01', '999999.99'];
    const consent = await tpp.authorise(aPaymentFile({ payments: 3, item: (index) => amount(amounts[index]) }));
    const { rows } = await sandbox.database.query<{ instructions: string; is_hash: boolean; amounts: string[] }>(
      `SELECT list.instructions, list.amounts::text[], list.erased_at, consent.approval_hash = sha256(convert_to(list.instructions, 'UTF8')) AS is_hash
         FROM instruction_lists AS list JOIN payment_consents AS consent USING (consent_id) WHERE consent_id = $1`,
      [consent.consentId],
    );
    expect(rows).toEqual([{ instructions: expect.any(String), amounts, erased_at: null, is_hash: true }]);
    expect(JSON.parse(rows[0]?.instructions ?? '')).toMatchObject({ total: '1000010.50', payments: { length: 3 } });
    const filePaymentId = dataOf(await tpp.pay(consent))['FilePaymentId'];
    const payments = await sandbox.database.query(
      'SELECT position, amount FROM payments WHERE payment_order_id = $1 ORDER BY position',
      [filePaymentId],
    );
    expect(payments.rows).toEqual(amounts.map((each, position) => ({ position, amount: each })));
  });
});

describe('GET /file-payment-consents/{ConsentId}/file', () => {
  it('FP-086, FP-087, FP-088 shows the file with ids of its payments', async () => {
    const { tpp } = world();
    const sent = aPaymentFile({ payments: 5, item: (index) => ({ PaymentId: `mine-${index}` }) });
    const path = `${consents}/${await tpp.stageFile(sent)}/file`;
    const response = await tpp.get(path);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    const read = response.json() as { File: { Data: { DomesticPayments: Record<string, unknown>[] } } };
    const payments = read.File.Data.DomesticPayments;
    const ids = payments.map(({ PaymentId }) => String(PaymentId));
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^(?!mine)\S{1,35}$/);
    const original = JSON.parse(sent.body.toString()) as typeof read;
    expect(withoutIds(payments)).toEqual(withoutIds(original.File.Data.DomesticPayments));
    expect((await tpp.get(path)).text).toBe(response.text);
  });

  it('FP-050 moves StatusUpdateDateTime with the upload', async () => {
    const { tpp } = world();
    const file = aPaymentFile();
    const consentId = await tpp.stageConsent(file);
    // Times are shown in whole seconds: age the consent instead of waiting for one.
    await world().sandbox.database.query(
      "UPDATE payment_consents SET created_at = created_at - interval '9 s', status_updated_at = created_at - interval '9 s' WHERE consent_id = $1",
      [consentId],
    );
    await tpp.upload(consentId, file);
    const { CreationDateTime, StatusUpdateDateTime } = dataOf(await tpp.get(`${consents}/${consentId}`));
    expect(Date.parse(String(StatusUpdateDateTime))).toBeGreaterThan(Date.parse(String(CreationDateTime)));
  });
});

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
  [
    'deep nesting',
    inItems('['.repeat(340_000) + ']'.repeat(340_000)),
    'Resource.InvalidFormat',
    undefined,
    'AwaitingUpload',
  ],
  ['more than 700 kB', inItems(`"${'x'.repeat(700_000)}"`), 'Resource.InvalidFormat', undefined, 'AwaitingUpload'],
  ['a compressed body', inBytes(gzipSync('{"File":{}}')), 'Resource.InvalidFormat', undefined, 'AwaitingUpload'],
  ['0.7 MB of escapes', inItems(`"${'\\"'.repeat(340_000)}"`), 'Field.Invalid', `${items}[0]`, 'Rejected'],
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
