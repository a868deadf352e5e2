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
    ['semicolons', `${header.replaceAll(',', ';')}\n${good.replaceAll(',', ';')}`],
    ['tabs', `${header.replaceAll(',', '\t')}\n${good.replaceAll(',', '\t')}`],
    ['Windows line ends and a byte order mark', `\uFEFF${header}\r\n${good}\r\n`],
    [
      'columns in another order',
      'REFERENCE,amount,account_number,sort-code,name\nINV-1,1250.5,12345678,200000,Ashford Timber',
    ],
  ])('reads %s', (_name, text) => {
    expect(converted(text).payments).toEqual([
      { name: 'Ashford Timber', sortCode: '200000', accountNumber: '12345678', amount: '1250.50', reference: 'INV-1' },
    ]);
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
    ['too many octets', `${header}\n${'é'.repeat(65_536)}`, '1: The CSV is longer than 128 KB.'],
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
