import { describe, expect, it } from '@jest/globals';
import type { ApiVersion } from '../read-write/api-version.js';
import { convertFile as convertBytes } from './convert-file.js';
import type { Converted } from './converted-file.js';

const convertFile = (text: string, version?: ApiVersion): Converted =>
  convertBytes(Buffer.from(text), undefined, version);

interface Item {
  readonly InstructedAmount: { readonly Amount: string };
}

const itemsOf = (converted: Converted): Item[] => {
  if ('faults' in converted) throw new Error(JSON.stringify(converted.faults));
  const document = JSON.parse(converted.file.body.toString()) as { File: { Data: { DomesticPayments: Item[] } } };
  return document.File.Data.DomesticPayments;
};
const faultsOf = (converted: Converted): unknown => ('faults' in converted ? converted.faults : undefined);

const transfer = (changes: Readonly<Record<string, string>> = {}): string => {
  const { currency = 'GBP', amount = '10.50', account, agent, name = 'Ashford Timber' } = changes;
  return `<CdtTrfTxInf>
  <PmtId><InstrId>I-1</InstrId><EndToEndId>E-1</EndToEndId></PmtId>
  <Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt>
  ${agent ?? '<CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>200000</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>'}
  <Cdtr><Nm>${name}</Nm></Cdtr>
  <CdtrAcct><Id>${account ?? '<Othr><Id>10000001</Id></Othr>'}</Id></CdtrAcct>
  <RmtInf><Ustrd>INV-1</Ustrd></RmtInf>
</CdtTrfTxInf>`;
};
const pain = (transfers: readonly string[], header = `<NbOfTxs>${transfers.length}</NbOfTxs>`): string =>
  `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.08"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>M</MsgId>${header}</GrpHdr>
<PmtInf>
${transfers.join('\n')}
</PmtInf></CstmrCdtTrfInitn></Document>`;

describe('pain.001.001.08', () => {
  it('becomes a file: accounts by sort code and by IBAN, amounts with pence, ids and references', () => {
    const iban = transfer({ account: '<IBAN>GB33BUKB20201555555555</IBAN>', agent: '', amount: '3' });
    const converted = convertFile(pain([transfer(), iban], '<NbOfTxs>2</NbOfTxs><CtrlSum>13.5</CtrlSum>'));
    expect(itemsOf(converted)).toMatchObject([
      {
        InstructionIdentification: 'I-1',
        EndToEndIdentification: 'E-1',
        InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
        CreditorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000010000001' },
        RemittanceInformation: { Reference: 'INV-1' },
      },
      {
        InstructedAmount: { Amount: '3.00' },
        CreditorAccount: { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB33BUKB20201555555555' },
      },
    ]);
    expect(converted).toMatchObject({ file: { numberOfTransactions: '2', controlSum: '13.50' }, lines: [5, 13] });
  });

  it('names each fault with its line', () => {
    const bad = transfer({ currency: 'EUR', amount: '0.001', account: '<Othr><Id>7</Id></Othr>', name: '' });
    expect(faultsOf(convertFile(pain([transfer(), bad])))).toEqual([
      { line: 13, message: 'Cdtr/Nm is missing.' },
      { line: 15, message: expect.stringContaining('must be in GBP, not "EUR"') },
      { line: 15, message: expect.stringContaining('pounds and pence') },
      { line: 18, message: expect.stringContaining('account number of eight digits') },
    ]);
  });

  it.each([
    ['a number that is another', pain([transfer()], '<NbOfTxs>2</NbOfTxs>'), 3, 'there is 1 transfer'],
    ['no number', pain([transfer()], ''), 3, 'NbOfTxs is missing'],
    ['another number of a batch', pain([`<NbOfTxs>2</NbOfTxs>${transfer()}`]), 5, 'PmtInf/NbOfTxs is "2"'],
    ['another sum of a batch', pain([`<CtrlSum>9</CtrlSum>${transfer()}`]), 5, 'PmtInf/CtrlSum is 9'],
    ['a cheque', pain([`<PmtMtd>CHK</PmtMtd>${transfer()}`]), 5, 'must be TRF, a transfer, not "CHK"'],
    ['what is not in UTF-8', pain([transfer({ name: 'Ash\uFFFD' })]), 9, 'neither in UTF-8'],
    ['an entity of a file', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><d>&x;</d>', 1, 'document type'],
    ['a sum that is another', pain([transfer()], '<NbOfTxs>1</NbOfTxs><CtrlSum>9</CtrlSum>'), 3, 'add up to 10.50'],
    ['no XML', '<Document>\n<a></b></Document>', 2, 'not XML'],
    ['another message', '<Document xmlns="urn:other"/>', 1, 'pain.001.001.08'],
    ['a document type', '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "b">]><Document/>', 2, 'document type'],
    ['too many transfers', pain(Array.from({ length: 151 }, () => transfer())), 1205, 'at most 150'],
  ])('refuses %s', (_what, text, line, message) => {
    expect(faultsOf(convertFile(text))).toEqual([{ line, message: expect.stringContaining(message) }]);
  });
});

const record = ({
  code = '99',
  pence = '00000001050',
  sortCode = '200000',
  account = '10000001',
  payer = '12345678',
  free = '',
  name = 'ASHFORD TIMBER',
} = {}): string =>
  `${sortCode}${account}0${code}200000${payer}${free.padEnd(4)}${pence}${'OUR NAME'.padEnd(18)}${'INV-1'.padEnd(18)}${name.padEnd(18)}`;
const trailer = (pence: number, count: number): string =>
  `UTL1${'0'.repeat(13)}${String(pence).padStart(13, '0')}${'0'.repeat(7)}${String(count).padStart(7, '0')}`.padEnd(80);

describe('Standard 18', () => {
  it('becomes a file of BACS payments: the credits, without labels and contra', () => {
    const file = ['VOL1', 'HDR1', 'HDR2', 'UHL1', record(), record({ pence: '00000000300' })];
    const converted = convertFile(
      [...file, record({ code: '17', account: '12345678', pence: '00000001350' }), trailer(1350, 2)].join('\r\n'),
    );
    expect(itemsOf(converted)).toMatchObject([
      {
        LocalInstrument: 'UK.OBIE.BACS',
        InstructedAmount: { Amount: '10.50' },
        CreditorAccount: { Identification: '20000010000001', Name: 'ASHFORD TIMBER' },
        RemittanceInformation: { Reference: 'INV-1' },
      },
      { InstructedAmount: { Amount: '3.00' } },
    ]);
    expect(converted).toMatchObject({ file: { numberOfTransactions: '2', controlSum: '13.50' }, lines: [5, 6] });
  });

  it('names the days, the payer and the free text, which are not carried', () => {
    const lines = [`${'UHL1 26335999999'.padEnd(20)}00`, record({ free: '/ABC' }), record(), trailer(2100, 2)];
    expect(convertFile(lines.join('\n'))).toMatchObject({
      warnings: [
        { line: 1, message: expect.stringMatching(/^The processing day 26335 is not carried: .*consent/) },
        { line: 2, message: expect.stringContaining('characters 32 to 35 is not carried') },
        { line: 2, message: expect.stringMatching(/^The payer .* is not carried: the customer chooses/) },
      ],
    });
  });

  it.each([
    ['a debit', [record(), record({ code: '01' })], 2, 'must be 99 or 17, not "01"'],
    ['a Direct Debit', [record(), record({ code: '17' })], 2, 'is a Direct Debit, not a payment'],
    ['the contra of Direct Debits', [record(), record({ account: '12345678' })], 2, 'is a Direct Debit, not a payment'],
    ['a second payer', [record(), record({ payer: '12345679' })], 2, 'name a second payer: a file has one'],
    ['a second day', [`${record()} 26335`, `${record()} 26340`], 2, 'name a second day: a file has one'],
    ['another currency', [`${'UHL1 26335999999'.padEnd(20)}01`, record(), trailer(1050, 1)], 1, 'must be 00, sterling'],
    ['a sort code with letters', [record(), record({ sortCode: '20000X' })], 2, 'Characters 1 to 6'],
    ['nothing to pay', [record(), record({ pence: '00000000000' })], 2, 'more than zero'],
    ['a payee without a name', [record(), record({ name: '' })], 2, 'name, are empty'],
    ['a short record', [record(), '2000001000'], 2, '100 or 106 characters'],
    [
      'a contra of another sum',
      [record(), record({ code: '17', account: '12345678', pence: '00000000001' })],
      2,
      'credits add up to 10.50',
    ],
    ['a trailer of another sum', [record(), trailer(1, 1)], 2, 'they add up to 10.50'],
    ['a trailer of another number', [record(), trailer(1050, 3)], 2, 'there are 1'],
    ['labels alone', ['VOL1', 'UHL1', trailer(0, 0)], 1, 'no credit'],
    ['a file that was cut off', ['VOL1', 'UHL1', record()], 3, 'UTL1 is missing'],
    ['a trailer without digits', [record(), 'UTL1'], 2, 'The trailer needs digits'],
    ['a credit after the trailer', [record(), trailer(1050, 1), record()], 3, 'Nothing may follow'],
    ['lines that are one', [`${'VOL1'.padEnd(80)}${record()}`, trailer(0, 0)], 1, 'its own line'],
  ])('refuses %s', (_what, lines, line, message) => {
    expect(faultsOf(convertFile(lines.join('\n')))).toEqual([{ line, message: expect.stringContaining(message) }]);
  });
});

it('refuses JSON, and names the command for a payment file', () => {
  expect(faultsOf(convertFile('\n{"File":{}}'))).toEqual([{ line: 1, message: expect.stringContaining('check-file') }]);
});

const csvOf = (name: string, reference = 'INV-1'): string =>
  `Name,Sort code,Account number,Amount,Reference\nGood,20-00-00,10000001,1.00,x\n${name},20-00-00,10000001,10.50,${reference}`;

const batch = (content: string): string => `<PmtInf>${content}${transfer()}</PmtInf>`;
const dated = (day: string): string => batch(`<ReqdExctnDt><Dt>${day}</Dt></ReqdExctnDt>`);
const paidBy = (account: string): string => batch(`<DbtrAcct><Id><Othr><Id>${account}</Id></Othr></Id></DbtrAcct>`);
const twoBatches = (one: string, other: string): string =>
  pain([])
    .replace(/<NbOfTxs>.*<\/NbOfTxs>/, '<NbOfTxs>2</NbOfTxs>')
    .replace(/<PmtInf>\s*<\/PmtInf>/, one + other);
const inTransfer = (before: string, added: string): string => pain([transfer().replace(before, `${added}${before}`)]);

describe('what a pain.001 says beside its payments', () => {
  it('is carried where a file can: the day', () => {
    const text = twoBatches(dated('2027-01-04'), dated('2027-01-04'));
    expect(itemsOf(convertFile(text))[1]).toMatchObject({ RequestedExecutionDateTime: '2027-01-04T00:00:00+00:00' });
    expect(convertFile(text, '4.0')).toMatchObject({
      warnings: [
        { message: expect.stringContaining('MsgId') },
        { message: expect.stringMatching(/2027-01-04.*consent/) },
      ],
    });
  });

  it('is named once, with its line, where a file cannot', () => {
    const added = `<Purp><Cd>SUPP</Cd></Purp>
  <RmtInf><Ustrd>INV-1</Ustrd><Ustrd>INV-2</Ustrd><Ustrd>INV-3</Ustrd>
  <Strd><RfrdDocInf><Nb>77</Nb></RfrdDocInf></Strd></RmtInf>`;
    const bank = '<CdtrAgt><FinInstnId><BICFI>BARCGB22</BICFI><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId>';
    const text = pain([transfer({ agent: `${bank}<MmbId>200000</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>` })])
      .replace('<RmtInf><Ustrd>INV-1</Ustrd></RmtInf>', added)
      .replace('</Nm>', '</Nm><PstlAdr><Ctry>GB</Ctry></PstlAdr>')
      .replace('<PmtInf>', '<PmtInf><Dbtr><Nm>Us</Nm></Dbtr>');
    const converted = convertFile(text);
    if ('faults' in converted) throw new Error(JSON.stringify(converted.faults));
    expect(converted.warnings.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '3: GrpHdr/MsgId is not carried.',
      '4: Dbtr is not carried: the customer chooses the account to pay from.',
      '8: CdtrAgt/FinInstnId/BICFI is not carried.',
      '9: Cdtr/PstlAdr is not carried.',
      '11: Purp is not carried.',
      '12: A further RmtInf/Ustrd is not carried.',
      '13: RmtInf/Strd/RfrdDocInf is not carried.',
    ]);
  });

  it.each([
    [
      'an urgent payment',
      inTransfer('<Amt>', '<PmtTpInf><SvcLvl><Cd>URGP</Cd></SvcLvl></PmtTpInf>'),
      'PmtTpInf/SvcLvl',
    ],
    [
      'a foreign clearing system',
      pain([transfer().replace('<MmbId>', '<ClrSysId><Cd>AUBSB</Cd></ClrSysId><MmbId>')]),
      'GBDSC',
    ],
    ['a foreign bank', inTransfer('<ClrSysMmbId>', '<BICFI>DEUTDEFF</BICFI>'), 'BICFI must be of a bank in the UK'],
    ['two amounts', inTransfer('</Amt>', '<InstdAmt Ccy="GBP">99.00</InstdAmt>'), 'Amt/InstdAmt must not be repeated'],
    ['IBAN beside Othr', inTransfer('<Othr>', '<IBAN>GB33BUKB20201555555555</IBAN>'), 'both IBAN and Othr'],
    ['a cheque', inTransfer('<CdtrAgt>', '<ChqInstr><ChqTp>CCHQ</ChqTp></ChqInstr>'), 'no cheques'],
    ['an account in euros', inTransfer('</CdtrAcct>', '<Ccy>EUR</Ccy>'), 'CdtrAcct/Ccy must be GBP'],
    ['a second payer', twoBatches(paidBy('1'), paidBy('2')), 'names a second payer: a file has one'],
    ['a second day', twoBatches(dated('2027-01-04'), dated('2027-01-05')), 'names a second day: a file has one'],
  ])('is refused where it would change who, when, how or in which currency: %s', (_what, text, message) => {
    expect(faultsOf(convertFile(text))).toEqual([
      { line: expect.any(Number), message: expect.stringContaining(message) },
    ]);
  });
});

describe('the texts of a payment', () => {
  it.each([
    ['a name that was not UTF-8', csvOf('Ash\uFFFD'), 3, 'is not in UTF-8'],
    ['a control character', csvOf('Ash\u0007ford'), 3, 'The name of the payee must not contain U+0007: '],
    ['a zero width space', csvOf('Ash\u200bford'), 3, 'The name of the payee must not contain U+200B: '],
    ['a name of 71 characters', csvOf('n'.repeat(71)), 3, 'more than 70'],
    ['a reference of 36 characters', csvOf('Ashford', 'r'.repeat(36)), 3, 'more than 35'],
    ['an id of 36 characters in pain.001', pain([transfer().replace('E-1', 'e'.repeat(36))]), 5, 'more than 35'],
  ])('are refused by line: %s', (_what, text, line, message) => {
    expect(faultsOf(convertFile(text))).toEqual([{ line, message: expect.stringContaining(message) }]);
  });

  it('may be as long as the bank takes them', () => {
    expect(itemsOf(convertFile(csvOf('n'.repeat(70), 'r'.repeat(35))))).toHaveLength(2);
  });

  it('are those of 4.0 where that is named: longer names, and the reference in its place', () => {
    const name = 'n'.repeat(350);
    expect(itemsOf(convertFile(csvOf(name), '4.0'))[1]).toMatchObject({
      CreditorAccount: { Name: name },
      RemittanceInformation: { Structured: [{ CreditorReferenceInformation: { Reference: 'INV-1' } }] },
    });
    expect(faultsOf(convertFile(csvOf(`${name}n`), '4.0'))).toHaveLength(1);
  });
});

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

describe('the bytes of a file', () => {
  const [first, second] = [csvOf('Ashford Özel'), pain([transfer({ name: 'Ashford Özel' })])];

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${first}`), 2],
    ['UTF-16, little end first', utf16(first), 2],
    ['UTF-16, big end first', utf16(first).swap16(), 2],
    ['UTF-8 with a byte order mark, XML', Buffer.from(`\uFEFF${second}`), 1],
    ['UTF-16, XML', utf16(second.replace('version="1.0"', 'version="1.0" encoding="UTF-16"')), 1],
    ['a mark before Standard 18', Buffer.from(`\uFEFFVOL1\n${record()}\n${trailer(1050, 1)}`), 1],
    ['lines that end in CR', Buffer.from(first.replaceAll('\n', '\r')), 2],
  ])('may be %s', (_what, bytes, count) => {
    expect(itemsOf(convertBytes(bytes))).toHaveLength(count);
  });

  it.each([
    ['UTF-16 without a mark', Buffer.from(first, 'utf16le'), 'looks like UTF-16'],
    ['more than 2 MB', Buffer.alloc(2_097_153, 'a'), 'longer than 2 MB'],
    ['200,000 open elements', Buffer.from('<a>'.repeat(200_000)), 'not XML'],
  ])('are refused: %s', (_what, bytes, message) => {
    const [fault] = faultsOf(convertBytes(bytes)) as { line: number; message: string }[];
    expect(fault).toEqual({ line: 1, message: expect.stringContaining(message) });
    expect(fault?.message.length).toBeLessThan(200);
  });
});

it('what is neither is CSV', () => {
  const csv = 'Name;Sort code;Account number;Amount;Reference\nAshford Timber;20-00-00;10000001;10.50;INV-1';
  expect(itemsOf(convertFile(csv))).toMatchObject([{ InstructedAmount: { Amount: '10.50' } }]);
});
