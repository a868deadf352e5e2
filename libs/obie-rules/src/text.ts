/**
 * An invisible or misleading character, by its Unicode properties: all of the category Other (controls, format and
 * bidirectional characters, private use, unassigned code points and noncharacters, unpaired surrogates), characters
 * without a glyph (joiners, tags, fillers, variation selectors), line-breaking controls, and the blank Braille pattern.
 * A private or unassigned character is whatever the font of the reader makes of it.
 */
export const hiddenCharacter = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** UTF-16 units other than those that most texts consist of: blocks of the common scripts without a hidden character. */
const unusual =
  /[^ -~\u00a0-\u00ac\u00ae-\u034e\u0350-\u0377\u0384-\u038a\u038e-\u03a1\u03a3-\u052f\u05d0-\u05ea\u0620-\u06dc\u0900-\u0983\u0e01-\u0e3a\u1e00-\u1f15\u2010-\u2027\u202f-\u205f\u20a0-\u20bf\u2100-\u218b\u2190-\u2426\u2460-\u27ff\u3000-\u303f\u3041-\u3096\u3099-\u30ff\u3220-\ua48c\uac00-\ud7a3\uf900-\ufa6d\uff01-\uff9f]/;

/** A variation selector chooses the form of the character before it, which names in Han and Mongolian script need. */
const neededSelectors =
  /(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]/gu;

/**
 * Max35Text and its like: 1 to `longest` characters (Unicode code points), not only spaces, without hidden characters:
 * no payment scheme can carry controls, and nobody can read the others.
 */
export function isText(value: unknown, longest: number): value is string {
  // A code point has one or two UTF-16 units, so a text with more than twice as many is too long.
  if (typeof value !== 'string' || value === '' || value.length > longest * 2) return false;
  if (isBlank(value)) return false;
  // Most texts have none, which this finds out much faster than the Unicode properties.
  if (!unusual.test(value)) return value.length <= longest;
  return findHiddenCharacter(value) === undefined && [...value].length <= longest;
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
