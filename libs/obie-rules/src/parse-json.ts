import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { LosslessNumber } from 'lossless-json';

const deepestNesting = 32;
/** Members and entries of one document: a file of 150 payments with every member there can be has a third of it. */
const mostValues = 20_000;
const longestNumber = 1_000;
const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Why octets are no JSON that this service reads; the message may be sent. */
export class JsonFormatError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JsonFormatError';
  }
}

/**
 * Parses JSON in UTF-8. Numbers keep their decimal text; a member given twice is refused, and so are nesting deeper than
 * 32 levels and more than 20,000 values. Whatever the octets are, the work is bounded by a few passes over them.
 * @throws JsonFormatError
 */
export function parseJson(octets: Buffer): unknown {
  if (octets.length === 0) throw new JsonFormatError('The body is empty.');
  if (!isUtf8(octets)) throw new JsonFormatError('The body is not in UTF-8.');
  const { memberCount, numbers } = scan(octets);
  const text = numbers.length === 0 ? octets.toString('utf8') : withNumbersAsStrings(octets, numbers);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new JsonFormatError('The body is not JSON.', { cause: error });
  }
  const found = { memberCount: 0 };
  const document = restore(parsed, numbers.length > 0, found);
  // The engine takes a member given twice without a word, but then there are fewer members than colons.
  if (found.memberCount !== memberCount) throw new JsonFormatError('The body has a member twice.');
  return document;
}

/**
 * Looks at everything outside strings once: bounds the nesting, and with it the recursion of whatever walks the
 * document, and the number of values; counts the members by their colons; notes where numbers begin and end.
 */
function scan(octets: Buffer): { memberCount: number; numbers: number[] } {
  const { length } = octets;
  let depth = 0;
  let memberCount = 0;
  let valueCount = 0;
  const numbers: number[] = [];
  for (let index = 0; index < length; index += 1) {
    const octet = octets[index] ?? 0;
    if (octet === 0x22) index = endOfString(octets, index, length);
    else if (octet === 0x3a) memberCount += 1;
    else if (octet === 0x2c) {
      valueCount += 1;
      if (valueCount > mostValues) throw new JsonFormatError(`The body has more than ${mostValues} values.`);
    } else if (octet === 0x7b || octet === 0x5b) {
      depth += 1;
      valueCount += 1;
      if (depth > deepestNesting) throw new JsonFormatError(`The body is nested deeper than ${deepestNesting} levels.`);
    } else if (octet === 0x7d || octet === 0x5d) depth -= 1;
    else if (octet === 0x2d || (octet >= 0x30 && octet <= 0x39)) {
      const end = endOfNumber(octets, index);
      numbers.push(index, end);
      index = end - 1;
    }
  }
  return { memberCount, numbers };
}

/** @returns the index of the quotation mark that ends the string; the end of the body if none does */
function endOfString(octets: Buffer, start: number, length: number): number {
  let index = start + 1;
  for (let octet = octets[index]; index < length && octet !== 0x22; octet = octets[index]) {
    index += octet === 0x5c ? 2 : 1;
  }
  return index;
}

/** @returns the index behind the number */
function endOfNumber(octets: Buffer, start: number): number {
  let end = start + 1;
  while (isOfNumber(octets[end])) end += 1;
  if (end - start > longestNumber || !numberForm.test(octets.toString('latin1', start, end))) {
    throw new JsonFormatError('The body is not JSON: it has a number that is none.');
  }
  return end;
}

/** Digits, sign, point and exponent. */
function isOfNumber(octet: number | undefined): boolean {
  if (octet === undefined) return false;
  return (
    (octet >= 0x30 && octet <= 0x39) || octet === 0x2e || octet === 0x2b || octet === 0x2d || (octet | 0x20) === 0x65
  );
}

/** Nobody outside can write it: a string that begins with it is a number of the document. */
const numberMark = `number ${randomUUID()} `;

/** The engine's parser would round numbers, so it is given strings in their place. */
function withNumbersAsStrings(octets: Buffer, numbers: readonly number[]): string {
  const parts: string[] = [];
  let at = 0;
  for (let index = 0; index < numbers.length; index += 2) {
    const [start = 0, end = 0] = [numbers[index], numbers[index + 1]];
    parts.push(octets.toString('utf8', at, start), `"${numberMark}${octets.toString('latin1', start, end)}"`);
    at = end;
  }
  parts.push(octets.toString('utf8', at));
  return parts.join('');
}

/** Counts the members below a value, and puts numbers with their decimal text where they were. */
function restore(value: unknown, hasNumbers: boolean, found: { memberCount: number }): unknown {
  if (typeof value === 'string') {
    return hasNumbers && value.startsWith(numberMark) ? new LosslessNumber(value.slice(numberMark.length)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value);
  if (!Array.isArray(value)) found.memberCount += names.length;
  const members = value as Record<string, unknown>;
  for (const name of names) {
    if (hasNumbers && name.startsWith(numberMark)) throw new JsonFormatError('The body is not JSON.');
    const member = members[name];
    if (typeof member === 'object' || hasNumbers) members[name] = restore(member, hasNumbers, found);
  }
  return value;
}
