import { BankAnswerError } from './bank.errors.js';

/** One JSON object of an answer, whose members are read one at a time. */
export type AnswerObject = Readonly<Record<string, unknown>>;

/**
 * @param value a parsed JSON value
 * @param path of the value, for the message
 * @throws BankAnswerError if it is no object
 */
export function parseObject(value: unknown, path: string): AnswerObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusable(path);
  return value as AnswerObject;
}

/** Some texts are shown on pages, and the database takes no half of a character, which JSON can hold. */
const unusableCharacter = /[\p{Cc}\p{Cs}]/u;

/**
 * @returns the member's text: 1 to maxLength characters, all of them whole and none a control character
 * @throws BankAnswerError
 */
export function parseText(object: AnswerObject, member: string, maxLength: number): string {
  const value = object[member];
  if (typeof value !== 'string' || value === '' || value.length > maxLength || unusableCharacter.test(value)) {
    throw unusable(member);
  }
  return value;
}

/** As {@link parseText}, for an optional member. */
export function parseOptionalText(object: AnswerObject, member: string, maxLength: number): string | undefined {
  return object[member] === undefined ? undefined : parseText(object, member, maxLength);
}

/** @throws BankAnswerError if the member has another value */
export function parseWord<Word extends string>(object: AnswerObject, member: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === object[member]);
  if (found === undefined) throw unusable(member);
  return found;
}

/** @throws BankAnswerError if the member is neither true nor false */
export function parseTruth(object: AnswerObject, member: string): boolean {
  const value = object[member];
  if (typeof value !== 'boolean') throw unusable(member);
  return value;
}

/** @throws BankAnswerError if the member does not match */
export function parsePattern(object: AnswerObject, member: string, pattern: RegExp): string {
  const value = object[member];
  if (typeof value !== 'string' || !pattern.test(value)) throw unusable(member);
  return value;
}

/** @throws BankAnswerError if the member is no date-time with a time zone (ISO 8601) */
export function parseMoment(object: AnswerObject, member: string): Date {
  const text = parsePattern(object, member, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/);
  const value = new Date(text);
  if (Number.isNaN(value.getTime())) throw unusable(member);
  return value;
}

/** @throws BankAnswerError if the member is no whole number between the bounds */
export function parseWholeNumber(object: AnswerObject, member: string, minimum: number, maximum: number): number {
  const value = object[member];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum || value > maximum) {
    throw unusable(member);
  }
  return value;
}

/** @throws BankAnswerError if the member is no array, or has more or fewer items */
export function parseList(object: AnswerObject, member: string, maximum: number, minimum = 0): readonly unknown[] {
  const value = object[member];
  if (!Array.isArray(value) || value.length < minimum || value.length > maximum) throw unusable(member);
  return value;
}

// Only the name of the member: the value may be personal data.
function unusable(path: string): BankAnswerError {
  return new BankAnswerError(`The bank's answer has no usable ${path}.`);
}
