import { fieldInvalid, fieldInvalidDate, fieldMissing, type ObErrorItem } from '#libs/error-envelope';
import { isText, parseDateTime } from '#libs/obie-rules';
import { isLosslessNumber } from 'lossless-json';
import type { FaultList } from './fault-list.js';

/**
 * Reads the members of one JSON object, noting every fault with its path instead of stopping at the first. A member
 * that is absent reads as undefined; `null` is a wrong type, because the standard knows no null.
 */
export class MemberReader {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #faults: FaultList;
  readonly #name: string;
  readonly #parent: MemberReader | undefined;

  /**
   * @param faults where faults are added
   * @param name path of the object in the body, or the name of the member of `parent` that it is
   */
  constructor(
    object: Readonly<Record<string, unknown>>,
    faults: FaultList,
    name: string,
    parent: MemberReader | undefined,
  ) {
    this.#object = object;
    this.#faults = faults;
    this.#name = name;
    this.#parent = parent;
  }

  /**
   * Notes a fault of a member.
   * @param describe puts it into words, given the member's path
   */
  fault(name: string, describe: (path: string) => ObErrorItem): void {
    this.#faults.note(() => describe(this.#pathOf(name)));
  }

  #pathOf(name: string): string {
    const own = this.#parent === undefined ? this.#name : this.#parent.#pathOf(this.#name);
    return `${own}.${name}`;
  }

  has(name: string): boolean {
    return this.#object[name] !== undefined;
  }

  /** A string of 1 to `longest` characters. */
  optionalText(name: string, longest: number): string | undefined {
    const value = this.#object[name];
    if (value === undefined || isText(value, longest)) return value;
    this.fault(name, (path) => fieldInvalid(path, `must be a string of 1 to ${longest} characters`));
    return undefined;
  }

  requiredText(name: string, longest: number): string | undefined {
    return this.#isPresent(name) ? this.optionalText(name, longest) : undefined;
  }

  /** A string of the given form. */
  optionalMatch(name: string, form: RegExp, rule: string): string | undefined {
    const value = this.#object[name];
    if (value === undefined || (typeof value === 'string' && form.test(value))) return value;
    this.fault(name, (path) => fieldInvalid(path, rule));
    return undefined;
  }

  requiredMatch(name: string, form: RegExp, rule: string): string | undefined {
    return this.#isPresent(name) ? this.optionalMatch(name, form, rule) : undefined;
  }

  /** An ISO 8601 date-time. */
  optionalDateTime(name: string): { text: string; date: Date } | undefined {
    const value = this.#object[name];
    if (value === undefined) return undefined;
    const date = typeof value === 'string' ? parseDateTime(value) : undefined;
    if (typeof value === 'string' && date !== undefined) return { text: value, date };
    this.fault(name, (path) =>
      fieldInvalidDate(path, 'must be an ISO 8601 date-time such as 2030-01-31T00:00:00+00:00'),
    );
    return undefined;
  }

  optionalObject(name: string): MemberReader | undefined {
    const value = this.#object[name];
    if (value === undefined) return undefined;
    if (isJsonObject(value)) return new MemberReader(value, this.#faults, name, this);
    this.fault(name, (path) => fieldInvalid(path, 'must be an object'));
    return undefined;
  }

  requiredObject(name: string): MemberReader | undefined {
    return this.#isPresent(name) ? this.optionalObject(name) : undefined;
  }

  /** @returns those of the named members that are there, as sent; checked by whoever asks for them */
  pick(names: readonly string[]): Record<string, unknown> {
    const picked: Record<string, unknown> = {};
    for (const name of names) if (this.has(name)) picked[name] = this.#object[name];
    return picked;
  }

  /** An array of at most `most` strings of 1 to `longest` characters. */
  optionalTexts(name: string, most: number, longest: number): void {
    const value = this.#object[name];
    if (value === undefined) return;
    if (!Array.isArray(value) || value.length > most) {
      this.fault(name, (path) => fieldInvalid(path, `must be an array of at most ${most} strings`));
      return;
    }
    for (const [index, entry] of value.entries()) {
      if (isText(entry, longest)) continue;
      this.fault(`${name}[${index}]`, (path) => fieldInvalid(path, `must be a string of 1 to ${longest} characters`));
    }
  }

  #isPresent(name: string): boolean {
    if (this.has(name)) return true;
    this.fault(name, fieldMissing);
    return false;
  }
}

/** A JSON object: no array, no null, no number that kept its text. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}
