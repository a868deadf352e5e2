import { isLosslessNumber } from 'lossless-json';
import { canonicalNumber, isJsonObject, normaliseSchemeName, parseDateTime } from '#libs/obie-rules';

/** Paths of requested days, and of the dates of documents and of reports to authorities. */
const dateTimes = /^Data\.Initiation\.(?!SupplementaryData\.)(?:.*\.)?(?:RequestedExecutionDateTime|RelatedDate|Date)$/;

/**
 * Compares Data.Initiation of a payment with that of its consent, member by member: numbers by value, date-times by
 * instant, account schemes by their full name, the rest (all texts of SupplementaryData too) exactly. Order and white
 * space do not matter.
 * @returns the path of the first member that differs, is missing or is surplus; undefined if there is none
 */
export function findInitiationMismatch(consent: object, payment: object): string | undefined {
  return findDifference(consent, payment, 'Data.Initiation');
}

/**
 * @param path of both objects
 * @returns as above
 */
export function findDifference(expected: unknown, actual: unknown, path: string): string | undefined {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    for (const name of names) {
      const member = `${path}.${name}`;
      // Own members only: every object inherits `__proto__`, and SupplementaryData may have a member of that name.
      if (!Object.hasOwn(expected, name) || !Object.hasOwn(actual, name)) return member;
      const difference = findDifference(expected[name], actual[name], member);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return path;
    for (const [index, entry] of expected.entries()) {
      const difference = findDifference(entry, actual[index], `${path}[${index}]`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return isSameValue(expected, actual, path) ? undefined : path;
}

function isSameValue(expected: unknown, actual: unknown, path: string): boolean {
  if (isLosslessNumber(expected) && isLosslessNumber(actual)) {
    return canonicalNumber(expected.value) === canonicalNumber(actual.value);
  }
  if (typeof expected !== 'string' || typeof actual !== 'string') return expected === actual;
  if (expected === actual) return true;
  if (dateTimes.test(path)) {
    return isSameDefined((text) => parseDateTime(text)?.getTime(), expected, actual);
  }
  const isScheme = path === 'Data.Initiation.DebtorAccount.SchemeName';
  return isScheme && normaliseSchemeName(expected) === normaliseSchemeName(actual);
}

function isSameDefined<Value>(read: (text: string) => Value | undefined, one: string, other: string): boolean {
  const value = read(one);
  return value !== undefined && value === read(other);
}
