import { formatDecimal, normaliseSchemeName } from '#libs/obie-rules';

/**
 * Writes an amount as people in the UK read it: £1,234.50; EUR 1,234.50.
 * @param decimal decimal text, may be negative
 * @param currency ISO 4217
 */
export function formatMoney(decimal: string, currency: string): string {
  const isNegative = decimal.startsWith('-');
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const grouped = whole.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+$)/g, ',');
  const symbol = currency === 'GBP' ? '£' : `${currency} `;
  return `${isNegative ? '−' : ''}${symbol}${grouped}.${fraction.padEnd(2, '0')}`;
}

/** @param units of 0.00001, as amounts are counted here */
export function formatUnits(units: bigint, currency: string): string {
  return formatMoney(formatDecimal(units), currency);
}

/** Writes an account as it stands on statements; of a card number only the last digits. */
export function formatAccount(schemeName: string, identification: string): string {
  switch (normaliseSchemeName(schemeName)) {
    case 'UK.OBIE.SortCodeAccountNumber':
      return identification.replace(/^(\d{2})(\d{2})(\d{2})(\d{8})$/, '$1-$2-$3 $4');
    case 'UK.OBIE.IBAN':
      return identification.replace(/(.{4})(?=.)/g, '$1 ');
    case 'UK.OBIE.PAN':
      return `card ending ${identification.slice(-4)}`;
    default:
      return identification;
  }
}

const day = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** @returns e.g. 24 November 2026, the day in London */
export function formatDay(date: Date): string {
  return day.format(date);
}

const paymentTypes: Readonly<Record<string, string>> = {
  'UK.OBIE.FPS': 'Faster Payments',
  'UK.OBIE.BACS': 'Bacs',
  'UK.OBIE.CHAPS': 'CHAPS',
  'UK.OBIE.BalanceTransfer': 'Balance transfers',
};

/** @param localInstrument OBExternalLocalInstrument1Code */
export function formatPaymentType(localInstrument: string): string {
  return paymentTypes[localInstrument] ?? localInstrument;
}
