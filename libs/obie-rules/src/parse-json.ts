import { isAscii, isUtf8, transcode } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { LosslessNumber } from 'lossless-json';

const deepestNesting = 32;
/** Maximum members and entries of a document whose kind is not known. */
const mostValues = 6_500;
/**
 * Maximum different names of members in a document; formats have about a hundred. A name that occurs only once costs
 * the engine a hundred times as much as its bytes.
 */
export const mostNames = 3_250;
/** A file has none outside SupplementaryData, a consent one. Each is rebuilt to keep its decimal text. */
export const mostNumbers = 1_000;
const longestNumber = 1_000;
const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The bytes are not JSON that this service reads; the message may be sent. */
export class JsonFormatError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JsonFormatError';
  }
}

/** The body has more than this service reads. The rest was not checked. */
export class JsonTooLongError extends JsonFormatError {}

/**
 * Parses JSON in UTF-8. Numbers keep their decimal text; a member given twice is refused, and so are nesting deeper
 * than 32 levels, too many values, too many different names, and more than 1,000 numbers. Whatever the bytes are, the
 * work is bounded by a few passes over them.
 * @param values how many members and entries there may be
 * @throws JsonFormatError; of these JsonTooLongError for too many values, names or numbers
 */
export function parseJson(bytes: Buffer, values: number = mostValues): unknown {
  return parseWithin(bytes, { values, names: mostNames, numbers: mostNumbers });
}

/**
 * The same for a document that was accepted when it was sent, perhaps by a release with wider bounds.
 * @throws JsonFormatError
 */
export function parseStoredJson(bytes: Buffer): unknown {
  return parseWithin(bytes, { values: Infinity, names: Infinity, numbers: Infinity });
}

/** The maximum of each. */
interface Bounds {
  readonly values: number;
  readonly names: number;
  readonly numbers: number;
}

function parseWithin(bytes: Buffer, bounds: Bounds): unknown {
  if (bytes.length === 0) throw new JsonFormatError('The body is empty.');
  const text = decodeUtf8(bytes);
  const { memberCount, numbers } = scan(text, bounds);
  const hasNumbers = numbers.length > 0;
  const document = parse(hasNumbers ? withNumbersAsStrings(text, numbers) : text);
  // The engine accepts a member given twice, but then there are fewer members than colons.
  if (countMembers(document) !== memberCount) throw new JsonFormatError('The body has a member twice.');
  return hasNumbers ? restoreNumbers(document) : document;
}

/** Three to five times faster than Buffer.toString('utf8'). */
function decodeUtf8(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw new JsonFormatError('The body is not in UTF-8.');
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonFormatError('The body is not JSON.', { cause: error });
  }
}

/**
 * Looks at everything outside strings once: bounds the nesting, and with it the recursion of whatever walks the
 * document, and the number of values and names; counts the members by their colons; notes where numbers begin and
 * end.
 */
function scan(text: string, bounds: Bounds): { memberCount: number; numbers: number[] } {
  const { length } = text;
  let depth = 0;
  let memberCount = 0;
  let valueCount = 0;
  let stringCount = 0;
  let stringStart = 0;
  let stringEnd = 0;
  let names: NameCount | undefined;
  const numbers: number[] = [];
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === quotationMark) {
      stringStart = index;
      index = endOfString(text, index);
      stringEnd = index;
      stringCount += 1;
      // A value has at most two strings, itself and its name, and a comma or bracket that was counted.
      if (stringCount > 2 * bounds.values) throw new JsonFormatError('The body is not JSON.');
    } else if (unit === 0x3a) {
      memberCount += 1;
      // Up to this many members cannot have too many names. Hardly any document has more, so names are rarely counted.
      if (memberCount <= bounds.names) continue;
      names ??= new NameCount();
      if (names.count(text, stringStart, stringEnd) > bounds.names)
        throw new JsonTooLongError(`The body has more than ${bounds.names} different names of members.`);
    } else if (unit === 0x2c) {
      valueCount += 1;
      if (valueCount > bounds.values) throw new JsonTooLongError(`The body has more than ${bounds.values} values.`);
    } else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      valueCount += 1;
      if (depth > deepestNesting) throw new JsonFormatError(`The body is nested deeper than ${deepestNesting} levels.`);
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
    else if (unit === space) index = endOfSpaces(text, index) - 1;
    else if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) {
      const end = endOfNumber(text, index);
      if (numbers.length === 2 * bounds.numbers)
        throw new JsonTooLongError(`The body has more than ${bounds.numbers} numbers.`);
      numbers.push(index, end);
      index = end - 1;
    }
  }
  return { memberCount, numbers };
}

// @cryptography random bytes of the system | drawn at each start, 4 bytes | the seed by which names in JSON are counted
/** Because of it, no caller can choose names that count as one. */
const nameSeed = randomBytes(4).readInt32LE();

/** Counts different names by a hash of each. Among some thousands, a few in a hundred share a hash with another. */
class NameCount {
  readonly #seen = new Uint8Array(0x10000);
  #count = 0;

  /** @returns the number of different names so far, including the one between the indexes */
  count(text: string, start: number, end: number): number {
    let mixed = nameSeed;
    // FNV-1a, by UTF-16 units
    for (let index = start + 1; index < end; index += 1) mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01000193);
    const slot = (mixed ^ (mixed >>> 16)) & 0xffff;
    if (this.#seen[slot] === 0) {
      this.#seen[slot] = 1;
      this.#count += 1;
    }
    return this.#count;
  }
}

const quotationMark = 0x22;
const backslash = 0x5c;

const space = 0x20;
/** Up to this many spaces are skipped one by one. */
const longestIndent = 64;
const spaces = / */y;

/** @returns the index after the spaces: if there are many, a pattern is five times faster than single steps */
function endOfSpaces(text: string, start: number): number {
  const indent = start + longestIndent;
  let end = start + 1;
  while (end < indent && text.charCodeAt(end) === space) end += 1;
  if (end < indent) return end;
  spaces.lastIndex = end;
  spaces.test(text);
  return spaces.lastIndex;
}

/** @returns the index of the quotation mark that ends the string; at or after the end of the body if none does */
function endOfString(text: string, start: number): number {
  // The engine looks for the mark many characters at a time, and the first one nearly always ends the string.
  const first = text.indexOf('"', start + 1);
  if (first === -1) return text.length;
  if (text.charCodeAt(first - 1) !== backslash) return first;
  // With escapes, step by step: a string of nothing but escaped marks would take one search for each.
  let index = start + 1;
  for (
    let unit = text.charCodeAt(index);
    index < text.length && unit !== quotationMark;
    unit = text.charCodeAt(index)
  ) {
    index += unit === backslash ? 2 : 1;
  }
  return index;
}

/** @returns the index after the number */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isOfNumber(text.charCodeAt(end))) end += 1;
  if (end - start > longestNumber || !numberForm.test(text.slice(start, end))) {
    throw new JsonFormatError('The body is not JSON: it has an invalid number.');
  }
  return end;
}

/** Digits, sign, point and exponent. */
function isOfNumber(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2e || unit === 0x2b || unit === 0x2d || (unit | 0x20) === 0x65;
}

// @cryptography random bytes of the system | drawn at each start, 9 bytes | a mark in numbers while JSON is parsed
/**
 * No caller can guess it, so a string that begins with it is a number of the document. It is short because there may be
 * thousands.
 */
const numberMark = randomBytes(9).toString('base64url');

/** The engine's parser would round numbers, so it gets strings in their place. */
function withNumbersAsStrings(text: string, numbers: readonly number[]): string {
  let marked = '';
  let at = 0;
  for (let index = 0; index < numbers.length; index += 2) {
    const [start = 0, end = 0] = [numbers[index], numbers[index + 1]];
    marked += `${text.slice(at, start)}"${numberMark}${text.slice(start, end)}"`;
    at = end;
  }
  return marked + text.slice(at);
}

/** Counts the members of the value and of everything in it. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const entry of value) count += countMembers(entry);
    return count;
  }
  const members = value as Record<string, unknown>;
  // Parsed objects inherit nothing enumerable, and this loop makes no list of names.
  for (const name in members) {
    const member = members[name];
    count += typeof member === 'object' ? 1 + countMembers(member) : 1;
  }
  return count;
}

/** Puts the numbers, with their decimal text, back in place. */
function restoreNumbers(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith(numberMark) ? new LosslessNumber(value.slice(numberMark.length)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = restoreNumbers(value[index]);
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(value)) {
    if (name.startsWith(numberMark)) throw new JsonFormatError('The body is not JSON.');
    members[name] = restoreNumbers(members[name]);
  }
  return value;
}
