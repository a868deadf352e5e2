import { type Fault, fieldInvalid, fieldInvalidDate, fieldMissing, fieldUnexpected } from '#libs/error-catalogue';
import { describeTextFault, isJsonObject, isText, parseAmount, parseDateTime } from '#libs/obie-rules';
import type { FaultList } from './fault-list.js';
import type { MemberNames } from './member-names.js';

/**
 * Checks members of one JSON object and notes every fault with its path, e.g.
 * `File.Data.DomesticPayments[12].CreditorAccount.Name`. Paths are built only for faults. A file has thousands of
 * members: callers pass each value with its name, because V8 reads a property much faster by a fixed name than by a
 * variable one.
 */
export class MemberReader {
  /**
   * @param name of the object or of its array: the path, or the name within the parent
   * @param index of the object in that array
   * @param parent reader of the object around this one
   */
  constructor(
    private readonly faults: FaultList,
    private readonly name: string,
    private readonly index?: number,
    private readonly parent?: MemberReader,
  ) {}

  /**
   * @param index of the object in the array of that name
   * @returns the reader of an object within this one
   */
  in(name: string, index?: number): MemberReader {
    return new MemberReader(this.faults, name, index, this);
  }

  /**
   * Notes a fault of a member.
   * @param describe makes the fault, given the member's path
   */
  fault(name: string, describe: (path: string) => Fault): void {
    this.faults.note(() => describe(this.#pathOf(name)));
  }

  get #path(): string {
    const own = this.parent === undefined ? this.name : this.parent.#pathOf(this.name);
    return this.index === undefined ? own : `${own}[${this.index}]`;
  }

  #pathOf(name: string): string {
    return `${this.#path}.${name}`;
  }

  /** A string of 1 to `longest` characters, none of them hidden. */
  optionalText(name: string, value: unknown, longest: number): string | undefined {
    return value === undefined || isText(value, longest) ? value : this.#faultyText(name, value, longest);
  }

  requiredText(name: string, value: unknown, longest: number): string | undefined {
    if (isText(value, longest)) return value;
    return value === undefined ? this.#missing(name) : this.#faultyText(name, value, longest);
  }

  /** A string of the given form. */
  optionalMatch(name: string, value: unknown, form: RegExp, rule: string): string | undefined {
    if (value === undefined || (typeof value === 'string' && form.test(value))) return value;
    return this.#invalid(name, rule);
  }

  /** One of a list of words; returns the list's value for it. */
  optionalWord<Word>(name: string, value: unknown, words: ReadonlyMap<string, Word>, rule: string): Word | undefined {
    if (value === undefined) return undefined;
    return (typeof value === 'string' ? words.get(value) : undefined) ?? this.#invalid(name, rule);
  }

  requiredMatch(name: string, value: unknown, form: RegExp, rule: string): string | undefined {
    return value === undefined ? this.#missing(name) : this.optionalMatch(name, value, form, rule);
  }

  /** A decimal amount (OBActiveCurrencyAndAmount_SimpleType); read in units of 0.00001. */
  requiredAmount(name: string, value: unknown): bigint | undefined {
    const amount = typeof value === 'string' ? parseAmount(value) : undefined;
    if (amount !== undefined) return amount;
    return value === undefined
      ? this.#missing(name)
      : this.#invalid(name, 'must be a string with a decimal amount such as "120.50"');
  }

  /** An ISO 8601 date-time. */
  optionalDateTime(name: string, value: unknown): Date | undefined {
    if (value === undefined) return undefined;
    const date = typeof value === 'string' ? parseDateTime(value) : undefined;
    return date ?? this.#notDateTime(name);
  }

  optionalObject(name: string, value: unknown): JsonObject | undefined {
    return value === undefined || isJsonObject(value) ? value : this.#invalid(name, 'must be an object');
  }

  requiredObject(name: string, value: unknown): JsonObject | undefined {
    return value === undefined ? this.#missing(name) : this.optionalObject(name, value);
  }

  /** An array of at most `most` strings of 1 to `longest` characters. */
  optionalTexts(name: string, value: unknown, most: number, longest: number): readonly string[] | undefined {
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.length > most)
      return this.#invalid(name, `must be an array of at most ${most} strings`);
    let isSound = true;
    for (let index = 0; index < value.length; index += 1) {
      if (isText(value[index], longest)) continue;
      isSound = false;
      this.#faultyText(`${name}[${index}]`, value[index], longest);
    }
    return isSound ? (value as string[]) : undefined;
  }

  /**
   * An array of at most `most` objects.
   * @param read reads an object of it
   */
  optionalObjects<Read>(
    name: string,
    value: unknown,
    most: number,
    read: (reader: MemberReader, object: JsonObject) => Read,
  ): Read[] | undefined {
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.length > most)
      return this.#invalid(name, `must be an array of at most ${most} objects`);
    const entries: Read[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const object: unknown = value[index];
      if (isJsonObject(object)) entries.push(read(this.in(name, index), object));
      // Only a fault needs the path of the entry.
      else this.requiredObject(`${name}[${index}]`, object);
    }
    return entries;
  }

  /**
   * Notes every member that an object may not have.
   * @param known names of those that it may have
   */
  onlyMembers(object: JsonObject, known: MemberNames): void {
    known.verify(object, this);
  }

  /**
   * Notes a member that the object may not have. A name that the TPP chose may have any length and any characters, so
   * it is quoted only if it looks like a name.
   */
  noteUnexpected(name: string): void {
    const isName = /^\w{1,100}$/.test(name);
    this.fault(isName ? name : '', (path) => {
      const where = isName ? path : path.slice(0, -1);
      const rule = isName ? 'is not part of this format' : 'has a member that is not part of this format';
      return fieldUnexpected(where, rule);
    });
  }

  // Each method below notes a fault and returns undefined. Closures in the methods above would slow down every call
  // without a fault.

  #missing(name: string): undefined {
    this.fault(name, fieldMissing);
  }

  #invalid(name: string, rule: string): undefined {
    this.fault(name, (path) => fieldInvalid(path, rule));
  }

  #notDateTime(name: string): undefined {
    const rule = 'must be an ISO 8601 date-time such as 2030-01-31T00:00:00+00:00';
    this.fault(name, (path) => fieldInvalidDate(path, rule));
  }

  #faultyText(name: string, value: unknown, longest: number): undefined {
    this.fault(name, (path) => fieldInvalid(path, describeTextFault(value, longest)));
  }
}

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;
