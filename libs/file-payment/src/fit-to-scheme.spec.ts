import { describe, expect, it } from '@jest/globals';
import type { LocalInstrument } from '#libs/obie-rules';
import { fitToScheme } from './fit-to-scheme.js';

const texts = { creditorName: 'n'.repeat(70), endToEndIdentification: 'e'.repeat(35), reference: 'r'.repeat(35) };

describe('texts at hand-over to a scheme', () => {
  it.each<[LocalInstrument, number, number, number]>([
    ['UK.OBIE.FPS', 40, 31, 18],
    ['UK.OBIE.BACS', 18, 35, 18],
    ['UK.OBIE.CHAPS', 35, 35, 16],
    ['UK.OBIE.BalanceTransfer', 70, 35, 35],
  ])('%s carries %d, %d and %d characters', (localInstrument, name, endToEnd, reference) => {
    const fitted = fitToScheme({ localInstrument, texts });
    expect(fitted.creditorName).toHaveLength(name);
    expect(fitted.endToEndIdentification).toHaveLength(endToEnd);
    expect(fitted.reference).toHaveLength(reference);
  });

  it('puts a roll number in the place of the reference for FPS and BACS', () => {
    const secondaryIdentification = 'ROLL-1';
    expect(fitToScheme({ localInstrument: 'UK.OBIE.FPS', texts, secondaryIdentification }).reference).toBe('ROLL-1');
    expect(fitToScheme({ localInstrument: 'UK.OBIE.CHAPS', texts, secondaryIdentification }).reference).toBe(
      'r'.repeat(16),
    );
  });

  it('leaves out what the payment does not have, and never cuts a character in half', () => {
    const fitted = fitToScheme({ localInstrument: 'UK.OBIE.BACS', texts: { creditorName: '😀'.repeat(20) } });
    expect(fitted).toEqual({ creditorName: '😀'.repeat(18) });
  });
});
