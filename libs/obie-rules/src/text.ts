/**
 * Max35Text and its like: 1 to `longest` characters (Unicode code points), no control characters, which no payment
 * scheme can carry.
 */
export function isText(value: unknown, longest: number): value is string {
  if (typeof value !== 'string' || value === '' || /\p{Cc}/u.test(value)) return false;
  return value.length <= longest || (value.length <= longest * 2 && Array.from(value).length <= longest);
}
