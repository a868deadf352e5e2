import { describe, expect, it } from '@jest/globals';
import { iat, iss, tan } from '../support/detached-jws.js';
import type { RecordedAnswer } from './normalise.js';
import { readRecords } from './records.js';

/**
 * What the recorded answers must be, by the statements of ../e2e/file-payments: a record that contradicts one is
 * red here, and an answer over HTTPS that contradicts its record in corpus.e2e-spec.ts.
 */
const records = new Map<string, ReadonlyMap<string, RecordedAnswer>>();
for (const [area, version] of [
  ['consents', '3.1'],
  ['consents', '4.0'],
  ['uploads', '3.1'],
  ['headers', '3.1'],
  ['payments', '3.1'],
  ['states', '3.1'],
  ['domestic-payments', '3.1'],
  ['domestic-payments', '4.0'],
] as const) {
  const answers = (await readRecords(version, area)).map((answer) => [answer.name, answer] as const);
  records.set(version === '4.0' ? `${area} 4.0` : area, new Map(answers));
}

/** Its status if it has no error; otherwise the first error, and that there is but one: `Field.Missing Data`. */
function outcomeOf(area: string, name: string): string {
  const answer = records.get(area)?.get(name);
  if (answer === undefined) throw new Error(`${area} has no answer to “${name}”`);
  const { status } = answer;
  const body = (typeof answer.body === 'string' ? JSON.parse(answer.body) : answer.body) as
    { Errors?: { ErrorCode: string; Path?: string }[] } | undefined;
  const errors = body?.Errors?.map(({ ErrorCode, Path }) => [ErrorCode.replace('UK.OBIE.', ''), Path]);
  if (errors === undefined) return String(status);
  const text = errors.map((error) => error.filter((part) => part !== undefined).join(' ')).join(', ');
  return status === 400 ? text : `${status} ${text}`;
}

const refusedBy = (code: string, ...names: string[]): string[][] => names.map((name) => [name, code]);
const member = 'Data.Initiation.';
const debtor = `${member}DebtorAccount.`;

describe('POST /file-payment-consents', () => {
  it.each<[numbers: string, name: string, outcome: string]>([
    ['FP-001', 'with the least', '201'],
    ['FP-006', `${member}DebtorAccount absent`, '201'],
    ['FP-007', 'with every member', '201'],
    ['FP-008', 'Data absent', 'Field.Missing Data'],
    ['FP-008', 'Data an array', 'Field.Invalid Data'],
    ['FP-009', 'Data.Initiation absent', 'Field.Missing Data.Initiation'],
    ['FP-009', 'Data.Initiation null', 'Field.Invalid Data.Initiation'],
    ['FP-010', `${member}FileType absent`, `Field.Missing ${member}FileType`],
    ['FP-011', `${member}FileHash absent`, `Field.Missing ${member}FileHash`],
    ['FP-012', 'FileHash is "WOy5m5r/TrLPR8mA0ggqA08lfmH3wOh/ggigGPs+d+k=A"', `Field.Invalid ${member}FileHash`],
    ['FP-013', 'FileHash is "ab*d"', `Field.Invalid ${member}FileHash`],
    ['FP-013', 'FileHash is "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="', `Field.Invalid ${member}FileHash`],
    ['FP-014', 'FileHash is "WOy5m5r/TrLPR8mA0ggqA08lfmH3wOh/ggigGPs+d+k"', '201'],
    ['FP-015', 'FileType is "UK.OBIE.pain.001.001.08"', `Field.Invalid ${member}FileType`],
    ['FP-016', `${member}FileType empty`, `Field.Invalid ${member}FileType`],
    ['FP-017', `${member}FileReference of 40 characters`, '201'],
    ['FP-017', `${member}FileReference of 41 characters`, `Field.Invalid ${member}FileReference`],
    ['FP-017', `${member}FileReference empty`, `Field.Invalid ${member}FileReference`],
    ['FP-018', 'NumberOfTransactions is "150"', '201'],
    ['FP-018', `${member}NumberOfTransactions another type`, `Field.Invalid ${member}NumberOfTransactions`],
    ...['1234567890123456', '151', '0', '-1', '1.0'].map((value): [string, string, string] => [
      'FP-019, FP-020',
      `NumberOfTransactions is "${value}"`,
      `Field.Invalid ${member}NumberOfTransactions`,
    ]),
    ['FP-021', `${member}ControlSum another type`, `Field.Invalid ${member}ControlSum`],
    ...['0', '-1', '0.000001', '1500000000000000'].map((value): [string, string, string] => [
      'FP-021',
      `ControlSum is ${value}`,
      `Field.Invalid ${member}ControlSum`,
    ]),
    ['FP-022', 'LocalInstrument is "UK.OBIE.FPS"', '201'],
    ['FP-022', 'LocalInstrument is "UK.OBIE.BACS"', '201'],
    ['FP-022', 'LocalInstrument is "UK.OBIE.CHAPS"', '201'],
    ['FP-022', 'LocalInstrument is "UK.OBIE.BalanceTransfer"', '201'],
    ['FP-023', 'LocalInstrument is "UK.OBIE.SWIFT"', `Unsupported.LocalInstrument ${member}LocalInstrument`],
    ['FP-024', `${debtor}Identification absent`, `Field.Missing ${debtor}Identification`],
    ['FP-024', `${debtor}SchemeName absent`, `Field.Missing ${debtor}SchemeName`],
    ['FP-025', `${debtor}SchemeName of 40 characters`, `Unsupported.Scheme ${debtor}SchemeName`],
    [
      'FP-026',
      'DebtorAccount is {"Identification":"2000011234567"}',
      `Unsupported.AccountIdentifier ${debtor}Identification`,
    ],
    [
      'FP-026',
      'a balance transfer from a card {"SecondaryIdentification":"A-1"}',
      `Unsupported.AccountSecondaryIdentifier ${debtor}SecondaryIdentification`,
    ],
    ['FP-027', 'DebtorAccount is {"SchemeName":"SortCodeAccountNumber"}', '201'],
    ['FP-028', 'Data.Authorisation an empty object', 'Field.Missing Data.Authorisation.AuthorisationType'],
    ['FP-030', 'RequestedExecutionDateTime is "tomorrow"', `Field.InvalidDate ${member}RequestedExecutionDateTime`],
    [
      'FP-030',
      'RequestedExecutionDateTime is "2020-01-31T10:00:00Z"',
      `Field.InvalidDate ${member}RequestedExecutionDateTime`,
    ],
    ['FP-031', 'RequestedExecutionDateTime is "2091-01-31T10:00:00Z"', '201'],
    ['FP-031', 'RequestedExecutionDateTime is "2091-01-31T10:00:00.123+01:00"', '201'],
    ...refusedBy('Resource.InvalidFormat', 'half of it', 'an array', 'null', 'a text', 'a byte order mark').map(
      ([name = '', outcome = '']): [string, string, string] => ['FP-033', name, outcome],
    ),
    ['FP-033', 'a member twice', 'Resource.InvalidFormat'],
    ['FP-033', 'nested too deeply', 'Resource.InvalidFormat'],
    ['FP-034', 'no body', 'Resource.InvalidFormat'],
    ['FP-036', 'Purpose is "not a member of the standard"', '201'],
    ['FP-038', 'FileType is "UK.OBIE.PaymentInitiation.4.0"', `Field.Invalid ${member}FileType`],
    ['FP-039', 'FileReference is "PAYROLL\u202e10"', `Field.Invalid ${member}FileReference`],
    ['FP-190', `${debtor}Name of 351 characters`, `Field.Invalid ${debtor}Name`],
    [
      'FP-191',
      'DebtorAccount is {"SchemeName":"UK.OBIE.Wallet","Identification":"w"}',
      `Unsupported.Scheme ${debtor}SchemeName`,
    ],
    ['FP-193', 'Data.SCASupportData.ReferencePaymentOrderId of 128 characters', '201'],
    [
      'FP-193',
      'Data.SCASupportData.ReferencePaymentOrderId of 129 characters',
      'Field.Invalid Data.SCASupportData.ReferencePaymentOrderId',
    ],
  ])('%s: %s is answered %s', (_numbers, name, outcome) => {
    expect(outcomeOf('consents', name)).toBe(outcome);
  });
});

it('FP-002, FP-003, FP-004, FP-005, FP-037 a consent is answered as it was staged, its sum as it was written', () => {
  const { headers, body } = records.get('consents')?.get('ControlSum is 2.1e1') ?? {};
  const time = '0000-00-00T00:00:00+00:00';
  const common = { ConsentId: '<id 1>', Status: 'AwaitingUpload', CreationDateTime: time, StatusUpdateDateTime: time };
  const self = '<base>/open-banking/v3.1/pisp/file-payment-consents/<id 1>';
  const Initiation = {
    FileReference: 'PAYROLL-1',
    ControlSum: 21,
    SupplementaryData: { any: { thing: [1, null, 'x'] } },
  };
  const Data = { ...common, Charges: [], Initiation, SCASupportData: { ReferencePaymentOrderId: 'ORDER-1' } };
  expect(JSON.parse(String(body))).toMatchObject({ Data, Links: { Self: self }, Meta: {} });
  expect([body, headers?.['location']]).toEqual([expect.stringContaining('"ControlSum":2.1e1,'), self]);
});

describe('POST /file-payment-consents/{ConsentId}/file', () => {
  const at = 'File.Data.DomesticPayments';

  it.each<[numbers: string, name: string, outcome: string]>([
    ['FP-050', 'against the consent: what the consent says', '200'],
    ['FP-051', 'without File', '200'],
    ['FP-051', 'without Data', '200'],
    ['FP-052', 'an empty object', 'Field.Missing File'],
    ['FP-053', 'against the consent: another hash', `Field.Invalid ${member}FileHash`],
    ['FP-055', 'against the consent: another number', `Field.Invalid ${member}NumberOfTransactions`],
    ['FP-058', 'against the consent: nothing but hash', '200'],
    ['FP-059', 'of 151 payments', `Field.Invalid ${at}`],
    ['FP-060', `${at} an array`, `Field.Invalid ${at}`],
    ['FP-061', 'against the consent: another type in the second payment', `Field.Invalid ${at}[1].LocalInstrument`],
    ['FP-062', 'against the consent: another account in the second payment', `Field.Invalid ${at}[1].DebtorAccount`],
    ['FP-062', 'against the consent: two accounts, and none in the consent', `Field.Invalid ${at}[1].DebtorAccount`],
    ['FP-064', 'LocalInstrument of 50 characters', `Unsupported.LocalInstrument ${at}[0].LocalInstrument`],
    ['FP-065', 'InstructionIdentification absent', `Field.Missing ${at}[0].InstructionIdentification`],
    ['FP-066', 'EndToEndIdentification absent', '200'],
    ['FP-067', 'InstructionIdentification of 35 characters', '200'],
    ['FP-067', 'InstructionIdentification of 36 characters', `Field.Invalid ${at}[0].InstructionIdentification`],
    ['FP-068', 'EndToEndIdentification of 36 characters', `Field.Invalid ${at}[0].EndToEndIdentification`],
    ['FP-069', 'InstructedAmount absent', `Field.Missing ${at}[0].InstructedAmount`],
    ['FP-069', 'InstructedAmount.Currency absent', `Field.Missing ${at}[0].InstructedAmount.Currency`],
    ['FP-069', 'InstructedAmount.Amount absent', `Field.Missing ${at}[0].InstructedAmount.Amount`],
    ...['abc', '-1.00', '0.00', '1e3', '12345678901234.00', '10.505'].map((value): [string, string, string] => [
      'FP-070',
      `Amount is ${value}`,
      `Field.Invalid ${at}[0].InstructedAmount.Amount`,
    ]),
    ['FP-070', 'InstructedAmount.Amount another type', `Field.Invalid ${at}[0].InstructedAmount.Amount`],
    ['FP-070', 'Amount is 1.5', '200'],
    ['FP-195', 'Amount is 1', '200'],
    ['FP-071', 'Currency is gbp', `Field.Invalid ${at}[0].InstructedAmount.Currency`],
    ['FP-071', 'Currency is USD', `Unsupported.Currency ${at}[0].InstructedAmount.Currency`],
    ['FP-072', 'CreditorAccount absent', `Field.Missing ${at}[0].CreditorAccount`],
    ['FP-072', 'CreditorAccount.Name absent', `Field.Missing ${at}[0].CreditorAccount.Name`],
    ['FP-072', 'CreditorAccount.Name of 71 characters', `Field.Invalid ${at}[0].CreditorAccount.Name`],
    ['FP-072', 'CreditorAccount.SchemeName of 40 characters', `Unsupported.Scheme ${at}[0].CreditorAccount.SchemeName`],
    [
      'FP-072',
      'CreditorAccount.Identification of 256 characters',
      `Unsupported.AccountIdentifier ${at}[0].CreditorAccount.Identification`,
    ],
    ['FP-073', 'CreditorPostalAddress.AddressLine a text', `Field.Invalid ${at}[0].CreditorPostalAddress.AddressLine`],
    ['FP-074', 'CreditorPostalAddress.Country empty', `Field.Invalid ${at}[0].CreditorPostalAddress.Country`],
    [
      'FP-075',
      'RemittanceInformation.Reference of 36 characters',
      `Field.Invalid ${at}[0].RemittanceInformation.Reference`,
    ],
    [
      'FP-075',
      'RemittanceInformation.Unstructured of 141 characters',
      `Field.Invalid ${at}[0].RemittanceInformation.Unstructured`,
    ],
    [
      'FP-083',
      'against the consent: another day in the second payment',
      `Field.Invalid ${at}[1].RequestedExecutionDateTime`,
    ],
    ['FP-083', 'against the consent: the day of the consent in one of two', '200'],
  ])('%s: %s is answered %s', (_numbers, name, outcome) => {
    expect(outcomeOf('uploads', name)).toBe(outcome);
  });
});

describe('POST /file-payment-consents of 4.0', () => {
  const ofCard = 'a balance transfer from a card {"SecondaryIdentification":"A-1"}';
  const remittance = `${member}RemittanceInformation.`;

  it.each<[numbers: string, name: string, outcome: string]>([
    ['F4-041, F4-043', 'with every member', '201'],
    ['F4-026', `${member}SupplementaryData.any.thing[1] null`, '201'],
    ['F4-040', 'FileType is "UK.OBIE.pain.001.001.08"', `U002 ${member}FileType`],
    ['F4-042', `${remittance}Unstructured a text`, `U002 ${remittance}Unstructured`],
    ['F4-053', `${member}UltimateDebtor.SchemeName of 40 characters`, `U002 ${member}UltimateDebtor.SchemeName`],
    ['F4-053', `${member}CreditorAgent.SchemeName of 40 characters`, `U002 ${member}CreditorAgent.SchemeName`],
    ['F4-053', `${remittance}Structured[0].ReferredDocumentAmount another type`, '201'],
    ['F4-044', `${debtor}Name of 350 characters`, '201'],
    ['F4-044', `${debtor}Name of 351 characters`, `U002 ${debtor}Name`],
    ['F4-046', 'Data.SCASupportData.ReferencePaymentOrderId of 40 characters', '201'],
    [
      'F4-046',
      'Data.SCASupportData.ReferencePaymentOrderId of 41 characters',
      'U002 Data.SCASupportData.ReferencePaymentOrderId',
    ],
    ['F4-049', 'ControlSum is 0.000001', `U002 ${member}ControlSum`],
    ['F4-021', 'FileHash is "ab*d"', `U002 ${member}FileHash`],
    ['F4-021', 'RequestedExecutionDateTime is "tomorrow"', `U003 ${member}RequestedExecutionDateTime`],
    ['F4-021', `${member}FileHash absent`, `U004 ${member}FileHash`],
    ['F4-021', 'Purpose is "not a member of the standard"', `U005 ${member}Purpose`],
    ['F4-021', 'LocalInstrument is "UK.OBIE.SWIFT"', `U026 ${member}LocalInstrument`],
    ['F4-021', `${debtor}SchemeName of 40 characters`, `U027 ${debtor}SchemeName`],
    ['F4-021', `${debtor}Identification of 256 characters`, `U021 ${debtor}Identification`],
    ['F4-021', 'DebtorAccount is {"SchemeName":"UK.OBIE.Wallet","Identification":"w"}', `U027 ${debtor}SchemeName`],
    [
      'F4-021',
      'DebtorAccount is {"SchemeName":"UK.OBIE.PAN","Identification":"5555555555554444"}',
      `U027 ${debtor}SchemeName`,
    ],
    ['F4-021', ofCard, `U022 ${debtor}SecondaryIdentification`],
  ])('%s: %s is answered %s', (_numbers, name, outcome) => {
    expect(outcomeOf('consents 4.0', name)).toBe(outcome);
  });
});

describe('headers and signatures', () => {
  const operations = [
    ...new Set([...(records.get('headers')?.keys() ?? [])].flatMap((name) => /^[A-Z]+ [^:]+(?=: )/.exec(name) ?? [])),
  ];
  const posts = operations.filter((operation) => operation.startsWith('POST'));

  it('are recorded of all eight operations', () => expect([operations.length, posts.length]).toEqual([8, 3]));

  it.each(operations)('FP-161, FP-162, FP-163, FP-164, FP-166, FP-168, FP-169 of %s', (operation) => {
    const outcomes = Object.entries({
      'no access token': '401',
      'an unknown access token': '401',
      'another scheme of authorization': '401',
      'no certificate': '401',
      'the token of another': '401',
      'Accept: text/xml': '406',
      'another method': '405',
      'an address below it': '404',
      'an interaction id that is none': 'Header.Invalid x-fapi-interaction-id',
      'an auth date that is none': 'Header.Invalid x-fapi-auth-date',
      'an address that is none': 'Header.Invalid x-fapi-customer-ip-address',
    });
    for (const [name, outcome] of outcomes) {
      expect([name, outcomeOf('headers', `${operation}: ${name}`)]).toEqual([name, outcome]);
      const { headers } = records.get('headers')?.get(`${operation}: ${name}`) ?? {};
      expect(headers).toMatchObject({ 'x-fapi-interaction-id': '<new id>' });
    }
    const { headers } = records.get('headers')?.get(`${operation}: no access token`) ?? {};
    expect(headers).toMatchObject({ 'www-authenticate': 'Bearer realm="open-banking"' });
    expect(headers).not.toHaveProperty('x-jws-signature');
  });

  it.each(posts)('FP-136, FP-137, FP-138, FP-145, FP-167 of %s', (operation) => {
    const outcomes = Object.entries({
      'no idempotency key': 'Header.Missing x-idempotency-key',
      'an empty idempotency key': 'Header.Missing x-idempotency-key',
      'an idempotency key of 41 characters': 'Header.Invalid x-idempotency-key',
      'no signature': 'Signature.Missing x-jws-signature',
      'Content-Type: text/plain': '415',
      'no Content-Type': '415',
      'a content coding': '415',
    });
    for (const [name, outcome] of outcomes)
      expect([name, outcomeOf('headers', `${operation}: ${name}`)]).toEqual([name, outcome]);
  });

  it.each<[numbers: string, name: string, outcome: string]>([
    ['FP-137', 'an idempotency key of 40 characters', '201'],
    ['FP-145', 'a signature that is empty', 'Signature.Missing x-jws-signature'],
    ...['abc', 'a.b.c', '..', 'e30..', '..AAAA'].map((value): [string, string, string] => [
      'FP-146',
      `a signature that is ${value}`,
      'Signature.Malformed x-jws-signature',
    ]),
    ['FP-147', 'signature: no b64 at all', '201'],
    ['FP-148', 'signature: b64 true', 'Signature.InvalidClaim b64'],
    ['FP-148', 'signature: b64 not critical', 'Signature.InvalidClaim crit'],
    ['FP-148', 'signature: b64 critical but absent', 'Signature.InvalidClaim b64'],
    ['FP-149', 'signature: alg RS256', 'Signature.InvalidClaim alg'],
    ['FP-149', 'signature: alg none', 'Signature.InvalidClaim alg'],
    ['FP-149', 'signature: alg HS256', 'Signature.InvalidClaim alg'],
    ['FP-150', 'signature: no kid', 'Signature.MissingClaim kid'],
    ['FP-150', 'signature: an unknown kid', 'Signature.InvalidClaim kid'],
    ['FP-151', `signature: no ${iss}`, `Signature.MissingClaim ${iss}`],
    ['FP-151', `signature: no ${iat}`, `Signature.MissingClaim ${iat}`],
    ['FP-151', `signature: no ${tan}`, `Signature.MissingClaim ${tan}`],
    ['FP-151', 'signature: no crit', 'Signature.MissingClaim crit'],
    ['FP-151', 'signature: iss of nobody', `Signature.InvalidClaim ${iss}`],
    ['FP-151', 'signature: an untrusted tan', `Signature.InvalidClaim ${tan}`],
    ['FP-151', 'signature: iat in the future', `Signature.InvalidClaim ${iat}`],
    ['FP-152', 'signature: an extra crit', 'Signature.InvalidClaim crit'],
    ['FP-152', 'signature: an extra member', 'Signature.InvalidClaim jku'],
    ['FP-153', 'signature: of another body', 'Signature.Invalid x-jws-signature'],
    ['FP-163', 'an auth date', '201'],
    ['FP-164', 'an IPv6 address', '201'],
    ['FP-165', 'a financial id', '201'],
    ['FP-165', 'a user agent', '201'],
    ['FP-166', 'Accept: */*', '201'],
    ['FP-166', 'no Accept', '201'],
    ['FP-166', 'Accept with a quality of none', '406'],
    ['FP-167', 'Content-Type with a charset', '201'],
    ['FP-167', 'Content-Type with another charset', '415'],
  ])('%s: %s is answered %s', (_numbers, name, outcome) => {
    expect(outcomeOf('headers', name)).toBe(outcome);
  });
});

it('FP-154, FP-155 every answer with a body is signed, and no other', () => {
  for (const { name, body, headers } of records.get('states')?.values() ?? []) {
    const signed = headers['x-jws-signature']?.startsWith('fits the body: b64 ') ?? false;
    expect([name, signed]).toEqual([name, body !== undefined]);
  }
});

describe('states, owners and repetitions', () => {
  const forbidden = '403 UK.SandboxBank.Resource.Forbidden';
  const wrongGrant = '403 UK.SandboxBank.Token.WrongGrant Authorization';

  it.each<[numbers: string, name: string, outcome: string]>([
    ['FP-041', 'no id: GET consent', 'Resource.NotFound ConsentId'],
    ['FP-042', 'another TPP: GET consent', `${forbidden} ConsentId`],
    ['FP-077', 'upload: to no id', 'Resource.NotFound ConsentId'],
    ['FP-077', 'upload: to the consent of another TPP', `${forbidden} ConsentId`],
    ['FP-085', 'AwaitingUpload: GET consent/file', 'Resource.NotFound ConsentId'],
    ['FP-086', 'Rejected: GET consent/file', '200'],
    ['FP-089', 'no id: GET consent/file', 'Resource.NotFound ConsentId'],
    ['FP-089', 'another TPP: GET consent/file', `${forbidden} ConsentId`],
    ['FP-098', 'token of an approval: another consent', '403 UK.SandboxBank.Token.ConsentBinding Authorization'],
    ['FP-172', 'token of an approval: stages a consent', wrongGrant],
    ['FP-172', 'token of an approval: reads its consent', wrongGrant],
    ['FP-172', 'token of an approval: reads its file', wrongGrant],
    ['FP-172', 'token of an approval: uploads', wrongGrant],
    ...['', '/report-file', '/payment-details'].flatMap((end): [string, string, string][] => [
      ['FP-117, FP-119', `no id: GET payment${end}`, 'Resource.NotFound FilePaymentId'],
      ['FP-117, FP-119', `another TPP: GET payment${end}`, `${forbidden} FilePaymentId`],
    ]),
    ['FP-130', 'repeated: a consent in other words', '201'],
    ['FP-131', 'repeated: a file', '200'],
    ...['another consent', 'another file', 'another payment'].map((what): [string, string, string] => [
      'FP-132',
      `repeated: ${what}`,
      'Rules.ResourceAlreadyExists x-idempotency-key',
    ]),
    ['FP-170', 'a token of another scope', '403 UK.SandboxBank.Token.InsufficientScope Authorization'],
    ['FP-173', 'a stored file that cannot be read: 500', '500 UnexpectedError'],
  ])('%s: %s is answered %s', (_numbers, name, outcome) => {
    expect(outcomeOf('states', name)).toBe(outcome);
  });

  it.each<[numbers: string, name: string, outcome: string]>([
    ['FP-099', 'a consent without a file', 'Resource.InvalidConsentStatus Data.Status'],
    ['FP-099', 'a consent that nobody has approved', 'Resource.InvalidConsentStatus Data.Status'],
    ['FP-101', 'a consent that does not exist', 'Resource.NotFound Data.ConsentId'],
    ['FP-101', 'a consent id that is none', 'Resource.NotFound Data.ConsentId'],
    ['FP-102', 'the consent of another TPP', `${forbidden} Data.ConsentId`],
    ['FP-103', 'against the consent: another sum', `Resource.ConsentMismatch ${member}ControlSum`],
    ['FP-104', 'against the consent: FileReference absent', `Resource.ConsentMismatch ${member}FileReference`],
    ['FP-106', 'Data.ConsentId absent', 'Field.Missing Data.ConsentId'],
    ['FP-106', 'Data.Initiation absent', 'Field.Missing Data.Initiation'],
  ])('%s: a payment of %s is answered %s', (_numbers, name, outcome) => {
    expect(outcomeOf('payments', name)).toBe(outcome);
  });
});

describe('single payments', () => {
  const at = '/domestic-payment-consents';

  it.each<[numbers: string, name: string, of31: string, of40: string]>([
    ['DP-007', `POST ${at}: another method`, '405', '405'],
    ['DP-007', 'POST /domestic-payments: another method', '405', '405'],
    ['DP-008, DP-071', `POST ${at}: no signature`, 'Signature.Missing x-jws-signature', 'U019 x-jws-signature'],
    ['DP-010', 'stage: with the least', '201', '201'],
    ['DP-017', 'stage: with every member', '201', '201'],
    ['DP-010', 'stage: Risk absent', 'Field.Missing Risk', 'U004 Risk'],
    [
      'DP-042, DP-066',
      'pay: another consent',
      '403 UK.SandboxBank.Token.ConsentBinding Authorization',
      '403 U042 Authorization',
    ],
    [
      'DP-042',
      'pay: without a customer',
      '403 UK.SandboxBank.Token.WrongGrant Authorization',
      '403 U042 Authorization',
    ],
    ['DP-066', 'funds of an unknown consent', 'Resource.NotFound ConsentId', 'U011 ConsentId'],
    ['DP-066, DP-091', 'GET an unknown consent', 'Resource.NotFound ConsentId', 'U011 ConsentId'],
    ['DP-066, DP-091', 'GET a payment unknown', 'Resource.NotFound DomesticPaymentId', 'U011 DomesticPaymentId'],
    ['DP-072', 'stage: half of it', 'Resource.InvalidFormat', 'U010'],
    ['DP-072', 'pay: half of it', 'Resource.InvalidFormat', 'U010'],
  ])('%s: %s is answered %s, or %s in 4.0', (_numbers, name, of31, of40) => {
    const outcomes = [outcomeOf('domestic-payments', name), outcomeOf('domestic-payments 4.0', name)];
    expect(outcomes).toEqual([of31, of40]);
  });
});
