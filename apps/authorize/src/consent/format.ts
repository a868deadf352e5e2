import { formatDecimal, normaliseSchemeName } from '#libs/obie-rules';
import type { MessageKey } from '../wording/en.js';
import { element, fitsOnLine, foreignText, type Html, type Words } from '../wording/words.js';

/** @param units of 0.00001, as amounts are counted here */
export function formatUnits(words: Words, units: bigint, currency: string): string {
  return words.money(formatDecimal(units), currency);
}

/**
 * Formats an account as on statements: a card number by the digits that may be shown, an unknown scheme with its name,
 * so that no two accounts look alike.
 */
export function formatAccount(words: Words, schemeName: string, identification: string): string {
  const scheme = normaliseSchemeName(schemeName);
  switch (scheme) {
    case 'UK.OBIE.SortCodeAccountNumber':
      return identification.replace(/^(\d{2})(\d{2})(\d{2})(\d{8})$/, '$1-$2-$3 $4');
    case 'UK.OBIE.IBAN':
      return identification.replace(/(.{4})(?=.)/g, '$1 ');
    case 'UK.OBIE.PAN':
      return words.text('account.card', { first: identification.slice(0, 6), last: identification.slice(-4) });
    default:
      return `${scheme.replace('UK.OBIE.', '')} ${identification}`;
  }
}

/** @returns an account's name and number, because two accounts may have the same name */
export function nameAccount(words: Words, name: string, identification: string): Html {
  const number = fitsOnLine(identification) ? element('class="unbroken"', identification) : identification;
  return words.html('account.named', { name: foreignText(name), identification: number });
}

/** Formats an account so that its owner recognises it and nobody else learns it. */
export function maskAccount(words: Words, _schemeName: string, identification: string): string {
  return words.text('account.masked', { digits: identification.slice(-4) });
}

const paymentTypes: Readonly<Record<string, MessageKey>> = {
  'UK.OBIE.FPS': 'paymentType.FPS',
  'UK.OBIE.BACS': 'paymentType.BACS',
  'UK.OBIE.CHAPS': 'paymentType.CHAPS',
  'UK.OBIE.BalanceTransfer': 'paymentType.BalanceTransfer',
};

/** @param localInstrument OBExternalLocalInstrument1Code */
export function formatPaymentType(words: Words, localInstrument: string): string {
  const key = paymentTypes[localInstrument];
  return key === undefined ? localInstrument : words.text(key);
}
