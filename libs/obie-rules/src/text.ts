/**
 * An invisible or misleading character, by its Unicode properties: all of the category Other (controls, format and
 * bidirectional characters, private use, unassigned code points and noncharacters, unpaired surrogates), characters
 * without a glyph (joiners, tags, fillers, variation selectors), line-breaking controls, and the blank Braille pattern.
 * A private or unassigned character looks different in each font.
 */
export const hiddenCharacter = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A character beyond the Latin script. Most texts have none, and this is the fastest test. */
const beyondLatin = /[^ -~\u00a0-\u00ac\u00ae-\u034e]/;

/** A variation selector chooses the form of the character before it, which names in Han and Mongolian script need. */
const neededSelectors =
  /(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]/gu;

/**
 * Max35Text and its like: 1 to `longest` characters (Unicode code points), not only spaces, without hidden characters:
 * no payment scheme can carry controls, and nobody can read the others.
 */
export function isText(value: unknown, longest: number): value is string {
  // A code point has one or two UTF-16 units.
  if (typeof value !== 'string' || value === '' || value.length > longest * 2) return false;
  if (isBlank(value)) return false;
  if (!beyondLatin.test(value)) return value.length <= longest;
  const count = countVisible(value);
  if (count !== undefined) return count <= longest;
  const isReadable = countVisible(withoutNeededSelectors(value)) !== undefined;
  return isReadable && Array.from(value).length <= longest;
}

/** Nearly every text begins with a visible character, so checking the first one is fastest. */
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
  return firstHidden(text) && firstHidden(withoutNeededSelectors(text));
}

function firstHidden(text: string): string | undefined {
  for (const character of text) if (isHidden(character.codePointAt(0)!)) return character;
  return undefined;
}

function withoutNeededSelectors(text: string): string {
  return text.replace(neededSelectors, '');
}

/** @returns how many characters the text has; undefined if one of them is hidden */
function countVisible(text: string): number | undefined {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const codePoint = text.codePointAt(index)!;
    if (isHidden(codePoint)) return undefined;
    if (codePoint > 0xffff) {
      index += 1;
      count -= 1;
    }
  }
  return count;
}

const hidden = 1;
const visible = 2;
/**
 * By code point, 0 until a text has had it. Looking up the properties of a character outside the basic plane takes ten
 * times as long, and a file may consist of such characters.
 */
const known = new Uint8Array(0x110000);

function isHidden(codePoint: number): boolean {
  return (known[codePoint] || learn(codePoint)) === hidden;
}

function learn(codePoint: number): number {
  return (known[codePoint] = hiddenCharacter.test(String.fromCodePoint(codePoint)) ? hidden : visible);
}
