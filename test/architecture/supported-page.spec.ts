import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { fitToScheme } from '#libs/payment-order';
import { localInstruments, mostPayments } from '#libs/obie-rules';
import { filePaymentWire31, filePaymentWire40 } from '../support/apps/wires.js';
import { officialCorrections } from '../e2e/file-payments/official-corrections.js';

const page = readFileSync('docs/reference/what-is-supported.md', 'utf8');
const long = 'x'.repeat(200);
/** The longest of each text that the standard has. */
const ofStandard = { creditorName: 70, endToEndIdentification: 35, reference: 35, unstructured: 140 };

describe('the page on what is supported', () => {
  it.each(localInstruments)('has the lengths to which texts of %s are cut', (localInstrument) => {
    const creditorAccount = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB33BUKB20201555555555', Name: long };
    const texts = { creditorAccount, endToEndIdentification: long, reference: long, unstructured: long };
    const fitted = fitToScheme(texts, localInstrument);
    const lengths = (Object.keys(ofStandard) as (keyof typeof ofStandard)[]).map((name) =>
      Math.min(fitted[name]?.length ?? 0, ofStandard[name]),
    );
    const row = page.split('\n').find((line) => line.startsWith(`| \`${localInstrument}\` `));
    expect(row?.split('|').slice(2, -1).map(Number)).toEqual(lengths);
  });

  it('has the file types, and how many payments a file may have', () => {
    for (const { fileType } of [filePaymentWire31, filePaymentWire40]) expect(page).toContain(`\`${fileType}\``);
    expect(page).toContain(`1 to ${mostPayments}, `);
  });

  it.each(['3.1', '4.0'] as const)('lists the corrections of the official description of %s', (version) => {
    const [, section = ''] = page.split('### Corrections to the official descriptions\n');
    const rows = (section.split('\n#', 1)[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
    const listed = cells.filter(([, versions = '']) => ['both', version].includes(versions));
    const of = listed.flatMap(([, , names = '', says]) => names.split(', ').map((name) => `${name} ${says}`));
    const corrections = officialCorrections(version).map(({ of, says }) => `\`${of}\` ${says}`);
    expect(of.toSorted()).toEqual(corrections.toSorted());
  });
});
