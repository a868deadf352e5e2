import { isLosslessNumber } from 'lossless-json';
import { canonicalNumber, parseDecimalNumber } from '#libs/obie-rules';

/**
 * The same text for all equivalent JSON documents: members sorted, numbers by value, no white space. A retry may be
 * serialised differently.
 */
export function canonicalJson(value: unknown): string {
  // Plain digits for possible amounts, an `e` for all other numbers; no two values share a text.
  if (isLosslessNumber(value)) return parseDecimalNumber(value.value)?.toString() ?? canonicalNumber(value.value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
