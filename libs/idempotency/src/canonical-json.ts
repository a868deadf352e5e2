import { isLosslessNumber } from 'lossless-json';
import { canonicalNumber, parseDecimalNumber } from '#libs/obie-rules';

/**
 * One text for all JSON documents that mean the same: members sorted, numbers by value, no white space. A retry that
 * was serialised anew is still the same request.
 */
export function canonicalJson(value: unknown): string {
  // Digits alone for whatever can be an amount, with an `e` for every other number: no two values share a text.
  if (isLosslessNumber(value)) return parseDecimalNumber(value.value)?.toString() ?? canonicalNumber(value.value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
