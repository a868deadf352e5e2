import { describe, expect, it } from '@jest/globals';
import type { LocalInstrument } from '#libs/obie-rules';
import { fitToScheme } from './fit-to-scheme.js';

const creditorAccount = {
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: '20000112345678',
  Name: 'n'.repeat(70),
};
const long = {
  creditorAccount,
  endToEndIdentification: 'e'.repeat(35),
  reference: 'r'.repeat(35),
  unstructured: 'u'.repeat(140),
};

describe('texts as a scheme carries them', () => {
  it.each<[LocalInstrument, number, number, number, number]>([
    ['UK.OBIE.FPS', 40, 31, 18, 140],
    ['UK.OBIE.BACS', 18, 35, 18, 140],
    ['UK.OBIE.CHAPS', 35, 35, 16, 70],
    ['UK.OBIE.BalanceTransfer', 70, 35, 35, 140],
  ])('%s carries %d, %d, %d and %d characters', (localInstrument, name, endToEnd, reference, unstructured) => {
    const fitted = fitToScheme(long, localInstrument);
    expect(fitted.creditorName).toHaveLength(name);
    expect(fitted.endToEndIdentification).toHaveLength(endToEnd);
    expect(fitted.reference).toHaveLength(reference);
    expect(fitted.unstructured).toHaveLength(unstructured);
  });

  it.each<LocalInstrument>(['UK.OBIE.FPS', 'UK.OBIE.BACS', 'UK.OBIE.BalanceTransfer'])(
    '%s carries 140 characters of the lines of a 4.0 file',
    (localInstrument) => {
      const lines = { ...long, unstructured: 'u'.repeat(141) };
      const { unstructured, shortened } = fitToScheme(lines, localInstrument);
      expect(unstructured).toHaveLength(140);
      expect(shortened).toContain('remittanceText');
    },
  );

  it('are distinguished from those that were longer', () => {
    expect(fitToScheme(long, 'UK.OBIE.CHAPS').shortened).toEqual(['payeeName', 'reference', 'remittanceText']);
    expect(fitToScheme(long, 'UK.OBIE.BalanceTransfer').shortened).toBeUndefined();
  });

  it('have a roll number in the place of the reference for FPS and BACS', () => {
    const payment = { ...long, creditorAccount: { ...creditorAccount, SecondaryIdentification: 'ROLL-1' } };
    expect(fitToScheme(payment, 'UK.OBIE.FPS')).toMatchObject({ reference: 'ROLL-1', isReferenceRollNumber: true });
    expect(fitToScheme(payment, 'UK.OBIE.BACS')).toMatchObject({ reference: 'ROLL-1', isReferenceRollNumber: true });
    const chaps = fitToScheme(payment, 'UK.OBIE.CHAPS');
    expect(chaps.reference).toBe('r'.repeat(16));
    expect(chaps.isReferenceRollNumber).toBeUndefined();
  });

  it('lose leading blanks before anything else: no payee and no reference is blank', () => {
    const Name = `${' '.repeat(45)}Example Ltd`;
    const fitted = fitToScheme(
      { creditorAccount: { ...creditorAccount, Name }, reference: ' '.repeat(34) + 'R' },
      'UK.OBIE.FPS',
    );
    expect(fitted).toMatchObject({
      creditorName: 'Example Ltd',
      reference: 'R',
      shortened: ['payeeName', 'reference'],
    });
    const short = { creditorAccount: { ...creditorAccount, Name: ' Example Ltd' } };
    expect(fitToScheme(short, 'UK.OBIE.FPS')).toEqual({ creditorName: ' Example Ltd' });
  });

  it('leave out what the payment does not have, and never cut a character in half', () => {
    const fitted = fitToScheme({ creditorAccount: { ...creditorAccount, Name: '😀'.repeat(20) } }, 'UK.OBIE.BACS');
    expect(fitted).toEqual({ creditorName: '😀'.repeat(18), shortened: ['payeeName'] });
  });
});
