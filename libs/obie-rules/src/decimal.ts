/**
 * Amounts are counted in units of 0.00001: the finest the standard can express (OBActiveCurrencyAndAmount_SimpleType).
 */
const decimals = 5;
const amountForm = /^\d{1,13}(?:\.\d{1,5})?$/;
/** With up to so many digits before the point, the units are a safe integer: 15 digits in all. */
const safeWholeDigits = 10;
/**
 * Powers of ten up to the number of decimals: the engine's power function takes as long as all other steps for an
 * amount.
 */
const powersOfTen = [1, 10, 100, 1_000, 10_000, 100_000];
const numberForm = /^(-?)(\d{1,20})(?:\.(\d{1,20}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Parses OBActiveCurrencyAndAmount_SimpleType: `^\d{1,13}$|^\d{1,13}\.\d{1,5}$`.
 * @returns units of 0.00001, or undefined if it is not such a string
 */
export function parseAmount(text: string): bigint | undefined {
  if (!amountForm.test(text)) return undefined;
  const point = text.indexOf('.');
  const wholeDigits = point === -1 ? text.length : point;
  const digits = point === -1 ? text : text.slice(0, point) + text.slice(point + 1);
  const power = decimals + wholeDigits - digits.length;
  // Whole numbers of few digits are exact, and much faster.
  return wholeDigits <= safeWholeDigits
    ? BigInt(Number(digits) * (powersOfTen[power] ?? Number.NaN))
    : BigInt(digits) * 10n ** BigInt(power);
}

/** @returns whether the amount is a whole number of pence */
export function isWholePence(units: bigint): boolean {
  return units % 1_000n === 0n;
}

/**
 * Parses the decimal text of a JSON number by value: `3459.30`, `3459.3` and `3.4593e3` are equal.
 * @returns units of 0.00001; undefined if it is negative, finer than that or beyond all amounts
 */
export function parseDecimalNumber(text: string): bigint | undefined {
  const match = numberForm.exec(text);
  if (match === null || match[1] === '-') return undefined;
  const [, , whole = '', fraction = '', exponent = '0'] = match;
  const shift = decimals - fraction.length + Number(exponent);
  const digits = BigInt(`${whole}${fraction}`);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return digits % divisor === 0n ? digits / divisor : undefined;
}

/** @returns the shortest decimal with at least two places, e.g. `200.00`, `0.12345` */
export function formatDecimal(units: bigint): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -decimals)}.${fraction}`;
}

/**
 * One text for all JSON numbers of the same value, however long and however small or great: `-1.50`, `-1.5` and
 * `-15e-1` are equal.
 * @param text a JSON number
 * @returns its significant digits and their power of ten, e.g. `-15e-1`; `0` for every zero
 */
export function canonicalNumber(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const digits = `${whole}${fraction}`;
  let start = 0;
  while (digits[start] === '0') start += 1;
  let end = digits.length;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  return `${sign}${digits.slice(start, end)}e${BigInt(exponent) + BigInt(digits.length - end - fraction.length)}`;
}
