/**
 * An invisible or misleading character, by its Unicode properties: all of the category Other (controls, format and
 * bidirectional characters, private use, unassigned code points and noncharacters, unpaired surrogates), characters
 * without a glyph (joiners, tags, fillers, variation selectors), line-breaking controls, and the blank Braille pattern.
 * A private or unassigned character is whatever the font of the reader makes of it.
 */
export const hiddenCharacter = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Not of the Latin script as most texts are, which a regular expression finds out fastest. */
const beyondLatin = /[^ -~\u00a0-\u00ac\u00ae-\u034e]/;

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
  if (!beyondLatin.test(value)) return value.length <= longest;
  return findHiddenCharacter(value) === undefined && (value.length <= longest || countCharacters(value) <= longest);
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
  return firstHidden(text) && firstHidden(text.replace(neededSelectors, ''));
}

function firstHidden(text: string): string | undefined {
  for (let index = 0; index < text.length; index += 1) {
    const codePoint = text.codePointAt(index)!;
    if (isHidden(codePoint)) return String.fromCodePoint(codePoint);
    if (codePoint > 0xffff) index += 1;
  }
  return undefined;
}

function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.codePointAt(index)! > 0xffff) index += 1;
    count += 1;
  }
  return count;
}

/**
 * For each 256 code points, once a text has one of them: which are hidden. The properties of a character outside the
 * basic plane cost ten times as much as this, and a file may consist of such.
 */
const blocks: (Uint8Array | undefined)[] = [];

function isHidden(codePoint: number): boolean {
  const number = codePoint >> 8;
  const block = (blocks[number] ??= readBlock(number));
  return block[codePoint & 255] === 1;
}

function readBlock(number: number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, low) => {
    return hiddenCharacter.test(String.fromCodePoint(number * 256 + low)) ? 1 : 0;
  });
}
