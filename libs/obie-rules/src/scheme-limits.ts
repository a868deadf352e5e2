import { type AccountFault, type AccountIdentification, normaliseSchemeName } from './account.js';
import { parseAmount } from './decimal.js';
import type { LocalInstrument } from './local-instrument.js';

/** The highest amount of one payment of each type, in units of 0.00001; a type that is not named has no limit. */
export type PaymentLimits = Readonly<Partial<Record<LocalInstrument, bigint>>>;

/** @param text entries separated by commas, as `FPS=1000000.00`, of a setting that was checked */
export function parsePaymentLimits(text: string): PaymentLimits {
  const entries = text.split(',').filter((entry) => entry !== '');
  return Object.fromEntries(
    entries.map((entry) => {
      const [scheme = '', amount = ''] = entry.split('=');
      return [`UK.OBIE.${scheme}`, parseAmount(amount)];
    }),
  );
}

/** The limits of the schemes; a bank may set others. */
export const limitsOfSchemes: PaymentLimits = parsePaymentLimits('FPS=1000000.00,BACS=20000000.00');

/**
 * FPS and BACS reach only accounts in the United Kingdom (including Jersey, Guernsey and the Isle of Man): by sort
 * code, or by an IBAN of GB. A BBAN names no country. Only the bank knows where a wallet is.
 * @param payee whose identification fits its scheme
 */
export function findReachFault(
  payee: AccountIdentification,
  localInstrument: LocalInstrument | undefined,
): AccountFault | undefined {
  if (localInstrument !== 'UK.OBIE.FPS' && localInstrument !== 'UK.OBIE.BACS') return undefined;
  const schemeName = normaliseSchemeName(payee.SchemeName);
  const isForeign = schemeName === 'UK.OBIE.IBAN' && !payee.Identification.startsWith('GB');
  if (!isForeign && schemeName !== 'UK.OBIE.BBAN') return undefined;
  return {
    member: isForeign ? 'Identification' : 'SchemeName',
    rule: `must be an account in the United Kingdom, by sort code or IBAN: ${localInstrument} reaches no other`,
  };
}
