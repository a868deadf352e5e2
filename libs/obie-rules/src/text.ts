/**
 * An invisible or misleading character, by its Unicode properties: controls, characters without a glyph (joiners, tags,
 * fillers, variation selectors), bidirectional and line-breaking controls, and the blank Braille pattern.
 */
export const hiddenCharacter = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800]/u;

/** UTF-16 units that few texts contain: those of hidden characters and their neighbours, and surrogates. */
const unusual =
  /[^ -~\u00a0-\u00ac\u00ae-\u034e\u0350-\u05ff\u0620-\u06dc\u06de-\u070e\u0710-\u088f\u0900-\u115e\u1161-\u17b3\u17b6-\u180a\u1810-\u200a\u2010-\u2027\u202f-\u205f\u2070-\u27ff\u2801-\u3163\u3165-\ud7ff\ue000-\ufdff\ufe10-\ufefe\uff00-\uff9f\uffa1-\uffef]/;

/** A variation selector chooses the form of the character before it, which names in Han and Mongolian script need. */
const neededSelectors =
  /(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]/gu;

/**
 * Max35Text and its like: 1 to `longest` characters (Unicode code points), not only spaces, without control characters
 * (no payment scheme can carry them), hidden characters and unpaired surrogates.
 */
export function isText(value: unknown, longest: number): value is string {
  // A code point has one or two UTF-16 units, so a text with more than twice as many is too long.
  if (typeof value !== 'string' || value === '' || value.length > longest * 2) return false;
  if (isBlank(value)) return false;
  // Few texts contain any, and a regular expression finds that out twice as fast as a loop.
  if (!unusual.test(value)) return value.length <= longest;
  if (findHiddenCharacter(value) !== undefined) return false;
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

/** Nearly every text begins with a character that is seen, and that is much faster to find than any in it. */
function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && !/\S/.test(text);
}

/** @returns what is wrong with a value for which {@link isText} is false */
export function describeTextFault(value: unknown, longest: number): string {
  // A text that is much too long is not searched.
  const isShort = typeof value === 'string' && value.length <= longest * 2;
  if (isShort && value !== '' && isBlank(value)) return 'must not be blank';
  return (isShort ? describeHiddenCharacter(value) : undefined) ?? `must be a string of 1 to ${longest} characters`;
}

/** @returns which hidden character the text must not contain; undefined if it has none */
export function describeHiddenCharacter(text: string): string | undefined {
  const character = findHiddenCharacter(text);
  return (
    character && `must not contain ${nameCharacter(character)}: people who read the text would not see it as it is`
  );
}

/** @returns e.g. `U+0009` */
export function nameCharacter(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** @returns the first hidden character */
export function findHiddenCharacter(text: string): string | undefined {
  if (!hiddenCharacter.test(text)) return undefined;
  return hiddenCharacter.exec(text.replace(neededSelectors, ''))?.[0];
}
