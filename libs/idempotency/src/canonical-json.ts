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
    const members = value as Readonly<Record<string, unknown>>;
    const names = Object.keys(members).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
