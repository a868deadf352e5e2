import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ConvertedFile } from './converted-file.js';
import { convertSupplierCsv } from './supplier-csv.js';

const header = 'Name,Sort code,Account number,Amount,Reference';
const good = 'Ashford Timber,20-00-00,12345678,1250.5,INV-1';

function converted(text: string): ConvertedFile {
  const outcome = convertSupplierCsv(text, '3.1');
  if ('faults' in outcome) throw new Error(JSON.stringify(outcome.faults));
  return outcome;
}

function faultsOf(text: string): string[] {
  const outcome = convertSupplierCsv(text, '3.1');
  return 'faults' in outcome ? outcome.faults.map(({ line, message }) => `${line}: ${message}`) : [];
}

describe('convertSupplierCsv', () => {
  it('makes a payment of each line, and sums them exactly', () => {
    const { file, lines } = converted(`${header}\n${good}\n\n"O'Hara, Sons & ""Co""",200000,87654321,0.10,\n`);
    const document = JSON.parse(file.body.toString()) as { File: { Data: { DomesticPayments: object[] } } };
    expect(document.File.Data.DomesticPayments).toMatchObject([
      {
        InstructedAmount: { Amount: '1250.50', Currency: 'GBP' },
        CreditorAccount: { Identification: '20000012345678', Name: 'Ashford Timber' },
        RemittanceInformation: { Reference: 'INV-1' },
      },
      { InstructedAmount: { Amount: '0.10' }, CreditorAccount: { Name: `O'Hara, Sons & "Co"` } },
    ]);
    expect(document.File.Data.DomesticPayments[1]).not.toHaveProperty('RemittanceInformation');
    expect(file).toMatchObject({ numberOfTransactions: '2', controlSum: '1250.60' });
    expect(file.fileHash).toBe(createHash('sha256').update(file.body).digest('base64'));
    expect(lines).toEqual([2, 4]);
  });

  it.each([
    ['the separator that Excel names', `sep=|\n${header.replaceAll(',', '|')}\n${good.replaceAll(',', '|')}`],
    ['empty columns at the end, as Excel writes them', `${header},,\n${good},,\n,,,,,,\n`],
    ['more commas than the header has', `${header}\n${good},,,`],
    ['semicolons', `${header.replaceAll(',', ';')}\n${good.replaceAll(',', ';')}`],
    ['tabs', `${header.replaceAll(',', '\t')}\n${good.replaceAll(',', '\t')}`],
    ['Windows line ends and a byte order mark', `\uFEFF${header}\r\n${good}\r\n`],
    [
      'columns in another order',
      'REFERENCE,amount,account_number,sort-code,name\nINV-1,1250.5,12345678,200000,Ashford Timber',
    ],
  ])('reads %s', (_name, text) => {
    expect(converted(text).payments).toEqual([
      {
        name: 'Ashford Timber',
        sortCode: '200000',
        accountNumber: '12345678',
        amount: '1250.50',
        reference: 'INV-1',
        rollNumber: '',
      },
    ]);
  });

  it('counts the line of the separator', () => {
    expect(converted(`sep=;\r\n${header.replaceAll(',', ';')}\r\n${good.replaceAll(',', ';')}`).lines).toEqual([3]);
  });

  it('names each column that is not carried once, and carries currency, type, day and roll number', () => {
    const text = `${header},Currency,Type,Date,Roll number,Invoice number,Address,Payer,,Empty,
${good},GBP,FPS,2027-01-04,R/123,,"1 High St",Us,,,
${good},,,2027-01-04,,77,,Us,x,,
${good},,,2027-01-04,,78,,Us,,,`;
    const { warnings, file } = converted(text);
    expect(warnings).toEqual([
      { line: 2, message: 'Column "Address" is not carried.' },
      { line: 2, message: 'Column "Payer" is not carried: the customer chooses the account to pay from.' },
      { line: 3, message: 'Column "Invoice number" is not carried.' },
      { line: 3, message: 'Column 13 is not carried.' },
    ]);
    const [item] = (JSON.parse(file.body.toString()) as { File: { Data: { DomesticPayments: object[] } } }).File.Data
      .DomesticPayments;
    expect(item).toMatchObject({
      RequestedExecutionDateTime: '2027-01-04T00:00:00+00:00',
      CreditorAccount: { SecondaryIdentification: 'R/123' },
    });
  });

  it('names every fault with its line, lines within quotes counted', () => {
    const long = 'r'.repeat(36);
    const lines = [',200000,1234,1.234,', 'C,200000,12345678,0.00,', 'D,1', 'E', `F,200000,12345678,1.00,${long}`];
    const text = [header, '"A\nB",2000,12345678,1.00,x', ...lines];
    expect(faultsOf(text.join('\n'))).toEqual([
      '2: The sort code must have six digits, such as 20-00-00.',
      expect.stringMatching(/^2: The name of the payee must not contain U\+000A: /),
      '4: The name is empty.',
      '4: The account number must have eight digits.',
      '4: The amount must be pounds and pence in plain digits, such as 1250.00.',
      '5: The amount must be more than zero.',
      '6: 2 fields, where the header has 5.',
      '7: 1 field, where the header has 5.',
      '8: The reference has more than 35 characters.',
    ]);
  });

  it.each([
    ['nothing', '', '1: The CSV is empty.'],
    ['blank lines alone', '\n\n', '1: The CSV is empty.'],
    ['a header alone', header, '1: There are no payments below the header.'],
    [
      'an open quotation mark',
      `${header}\n"Ashford,200000`,
      '2: A quotation mark is not closed, or is inside a field.',
    ],
    [
      'a quotation mark in a field',
      `${header}\nA"b,1,2,3,4`,
      '2: A quotation mark is not closed, or is inside a field.',
    ],
    ['more fields than columns', `${header}\n${good},x`, '2: 6 fields, where the header has 5.'],
    ['euros', `${header},Currency\n${good},EUR`, '2: Column "Currency" must be GBP, not "EUR".'],
    ['another type', `${header},Payment type\n${good},CHAPS`, '2: Column "Payment type" must be FPS, not "CHAPS".'],
    [
      'two days',
      `${header},Date\n${good},2026-12-01\n${good},2026-12-02`,
      '3: Column "Date" names a second day: a file has one.',
    ],
    [
      'a day in the spelling of two countries',
      `${header},Payment date\n${good},03/04/2027`,
      '2: Column "Payment date" must be written as 2026-12-31, not "03/04/2027".',
    ],
    [
      'a second payer',
      `${header},Payer account\n${good},1\n${good},2`,
      '3: Column "Payer account" names a second payer: a file has one.',
    ],
    ['an IBAN beside the sort code', `${header},IBAN\n${good},DE8937`, '2: Column "IBAN" must be empty, not "DE8937".'],
    ['a foreign bank', `${header},BIC\n${good},DEUTDEFF`, '2: Column "BIC" is of another country: "DEUTDEFF".'],
    ['a column twice', `${header},Amount\n${good},1`, '1: The header names amount twice.'],
    [
      'too few columns',
      'Name;Amount\nA;1',
      '1: The header must name the columns name, sort code, account number, amount, reference; it lacks sort code, account number, reference.',
    ],
    [
      '151 payments',
      `${header}\n${`${good}\n`.repeat(151)}`,
      '152: A file holds at most 150 payments; this CSV has 151.',
    ],
    ['too many bytes', `${header}\n${'é'.repeat(65_536)}`, '1: The CSV is longer than 128 KB.'],
  ])('refuses %s', (_name, text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it('takes 150 payments, and lists at most a hundred faults', () => {
    expect(converted(`${header}\n${`${good}\n`.repeat(150)}`).lines).toHaveLength(150);
    expect(faultsOf(`${header}\n${`A,1,2,3,4\n`.repeat(150)}`)).toHaveLength(100);
  });

  it('takes no longer for quotation marks without end', () => {
    const startedAt = performance.now();
    expect(faultsOf(`${header}\n${'"",'.repeat(40_000)}"`)).toHaveLength(1);
    expect(faultsOf(`${header}\n${'"'.repeat(120_001)}`)).toHaveLength(1);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
