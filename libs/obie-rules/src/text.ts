/**
 * UTF-16 units of control characters, of characters that nobody sees or that turn the direction of a text (U+200B to U+200F, U+202A to U+202E,
 * U+2060 to U+2069, U+FEFF), and of characters that take two.
 */
const unusual = /[^ -~\u00a0-\u200a\u2010-\u2029\u202f-\u205f\u206a-\ud7ff\ue000-\ufefe\uff00-\uffff]/;
const hidden = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/**
 * Max35Text and its like: 1 to `longest` characters (Unicode code points), no control characters, which no payment
 * scheme can carry, none that people do not see as it is, and no half of a surrogate pair, which is no character at all.
 */
export function isText(value: unknown, longest: number): value is string {
  // A code point has one or two UTF-16 units, so that a text of more is too long whatever it is.
  if (typeof value !== 'string' || value === '' || value.length > longest * 2) return false;
  // Hardly a text has any of them, and a pattern sees that twice as fast as steps do.
  if (!unusual.test(value)) return value.length <= longest;
  if (hidden.test(value)) return false;
  let characters = 0;
  for (let index = 0; index < value.length; index += 1) {
    const unit = value.charCodeAt(index);
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

/** @returns what is wrong with a value that is no such text */
export function describeTextFault(value: unknown, longest: number): string {
  // A text that is much too long is not searched.
  const isShort = typeof value === 'string' && value.length <= longest * 2;
  const character = isShort ? hidden.exec(value)?.[0] : undefined;
  if (character === undefined) return `must be a string of 1 to ${longest} characters`;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `must not contain U+${code}: people who read the text would not see it as it is`;
}
