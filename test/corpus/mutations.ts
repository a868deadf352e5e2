import { isLosslessNumber } from 'lossless-json';

/** A document that differs from a valid one in one place. */
export interface Mutation {
  readonly name: string;
  readonly document: unknown;
}

type Key = string | number;

/** Removes a member. */
const absent = Symbol('absent');

/**
 * Invalidates one member of a document after the other: absent, null, of another type, empty, and at and over its
 * length.
 * @param document a valid one, with every member
 * @param lengths greatest number of characters by the member's name, for texts that have one
 */
export function mutationsOf(document: unknown, lengths: Readonly<Record<string, number>>): Mutation[] {
  return membersOf(document).flatMap(({ keys, value }) => {
    const path = pathOf(keys);
    const longest = lengths[String(keys.at(-1))];
    return [...replacementsOf(value, longest)].map(([name, replacement]) => ({
      name: `${path} ${name}`,
      document: replaced(document, keys, replacement),
    }));
  });
}

/** @returns a copy of the document with another value at the place, or without it */
export function replaced(document: unknown, [key, ...rest]: readonly Key[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(document) ? [...(document as unknown[])] : { ...(document as object) }) as Record<
    Key,
    unknown
  >;
  if (rest.length === 0 && value === absent) delete copy[key];
  else copy[key] = replaced(copy[key], rest, value);
  return copy;
}

function replacementsOf(value: unknown, longest: number | undefined): Map<string, unknown> {
  const replacements = new Map<string, unknown>([
    ['absent', absent],
    ['null', null],
  ]);
  if (isObject(value) || Array.isArray(value)) {
    return replacements.set('a text', 'x').set('an array', []).set('an empty object', {});
  }
  replacements.set('empty', '').set('another type', typeof value === 'string' ? 7 : '7');
  if (longest === undefined) return replacements;
  return replacements
    .set(`of ${longest} characters`, 'x'.repeat(longest))
    .set(`of ${longest + 1} characters`, 'x'.repeat(longest + 1));
}

function membersOf(value: unknown, keys: readonly Key[] = []): { keys: readonly Key[]; value: unknown }[] {
  const entries: [Key, unknown][] = Array.isArray(value)
    ? (value as unknown[]).map((entry, index) => [index, entry])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, member]) => [
    { keys: [...keys, key], value: member },
    ...membersOf(member, [...keys, key]),
  ]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isLosslessNumber(value) && !Array.isArray(value);
}

function pathOf(keys: readonly Key[]): string {
  return keys.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}
