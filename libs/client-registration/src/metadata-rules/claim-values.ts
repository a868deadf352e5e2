import { nameCharacter } from '#libs/obie-rules';

/** Visible ASCII and spaces. */
const printableAscii = /^[\x20-\x7e]+$/;

/** @returns whether the value is printable ASCII of 1 to so many characters */
export function isPrintableText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && printableAscii.test(value);
}

/** @returns what is wrong with a value for which {@link isPrintableText} is false */
export function describePrintableFault(value: unknown, maxLength: number): string {
  const [character] = typeof value === 'string' && value.length <= maxLength ? (/[^\x20-\x7e]/u.exec(value) ?? []) : [];
  return character === undefined
    ? `must be a string of 1 to ${maxLength} printable ASCII characters`
    : `must not contain ${nameCharacter(character)}: only printable ASCII characters are permitted`;
}

/** @returns the texts of an array without repetitions; undefined if the value is not an array of up to 100 texts */
export function parseTextSet(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length > 100) return undefined;
  return value.every((entry) => typeof entry === 'string') ? [...new Set<string>(value)] : undefined;
}

/**
 * Seconds since 1970 as a JSON integer, or as a string of digits, as the published description has it.
 * @returns undefined for anything else, milliseconds included
 */
export function parseNumericDate(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,11}$/.test(value) ? Number(value) : value;
  const isSeconds = typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds <= 1e11;
  return isSeconds ? seconds : undefined;
}

/** @returns whether the list holds the value; narrows it to the list's members */
export function isOneOf<Member extends string>(list: readonly Member[], value: unknown): value is Member {
  return list.some((member) => member === value);
}
