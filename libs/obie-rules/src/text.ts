/** UTF-16 units of control characters, and of characters that take two. */
const unusual = /[^ -~\u00a0-\ud7ff\ue000-\uffff]/;

/**
 * Max35Text and its like: 1 to `longest` characters (Unicode code points), no control characters, which no payment
 * scheme can carry, and no half of a surrogate pair, which is no character at all.
 */
export function isText(value: unknown, longest: number): value is string {
  // A code point has one or two UTF-16 units, so that a text of more is too long whatever it is.
  if (typeof value !== 'string' || value === '' || value.length > longest * 2) return false;
  // Hardly a text has any of them, and a pattern sees that twice as fast as steps do.
  if (!unusual.test(value)) return value.length <= longest;
  let characters = 0;
  for (let index = 0; index < value.length; index += 1) {
    const unit = value.charCodeAt(index);
    if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return false;
    if (unit >= 0xd800 && unit < 0xe000) {
      const next = value.charCodeAt(index + 1);
      const isPair = unit < 0xdc00 && next >= 0xdc00 && next < 0xe000;
      if (!isPair) return false;
      index += 1;
    }
    characters += 1;
  }
  return characters <= longest;
}
