import * as fc from 'fast-check';
import type { Json } from './api-document.js';

/** Finds schemas by reference. */
export type Resolve = (ref: string) => Json;

/** A value that breaks one rule of its schema. */
export interface Violation {
  /** dotted path of the member at fault */
  path: string;
  rule: string;
  value: unknown;
}

/** @returns the schema itself behind references */
function resolved(schema: Json, resolve: Resolve): Json {
  if (typeof schema['$ref'] === 'string') return resolved(resolve(schema['$ref']), resolve);
  const [first] = (schema['allOf'] as Json[] | undefined) ?? [];
  return first === undefined ? schema : resolved(first, resolve);
}

/** Texts with a meaning beyond their form: only the document's example is valid. */
const meaningful = new Set(['SchemeName', 'Identification', 'LocalInstrument', 'ConsentId', 'Country']);

/** @returns values of a schema: members left out or there, texts of any permitted length */
export function validValues(schema: Json, resolve: Resolve, name = ''): fc.Arbitrary<unknown> {
  const { type, properties, items, ...rules } = resolved(schema, resolve) as Json & {
    type?: string;
    properties?: Record<string, Json>;
    items?: Json;
  };
  if (Array.isArray(rules['enum'])) return fc.constantFrom(...(rules['enum'] as unknown[]));
  if (type === 'boolean') return fc.boolean();
  if (type === 'object' && properties !== undefined) {
    const required = (rules['required'] ?? []) as string[];
    const members = Object.entries(properties).map(([key, member]) => [key, validValues(member, resolve, key)]);
    return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: required });
  }
  if (type === 'array' && items !== undefined) {
    const maxLength = Math.min(Number(rules['maxItems'] ?? 3), 3);
    return fc.array(validValues(items, resolve), { minLength: Number(rules['minItems'] ?? 0), maxLength });
  }
  const isMeaningful = meaningful.has(name) && 'example' in rules;
  const isFree = type === 'string' && rules['maxLength'] !== undefined && !('pattern' in rules) && !isMeaningful;
  if (!isFree) return fc.constant(rules['example'] ?? exampleOf(rules));
  const text = fc.string({ minLength: Number(rules['minLength'] ?? 0), maxLength: Number(rules['maxLength']) });
  // A schema cannot exclude a text of spaces alone.
  return text.filter((value) => /\S/.test(value));
}

/** The forms that the documents use without an example. */
function exampleOf({ format, pattern }: Json): unknown {
  if (format === 'date-time') return '2035-01-31T00:00:00+00:00';
  return pattern === '^[A-Z]{2}$' ? 'GB' : {};
}

/**
 * @param value a valid value of the schema, with every member that it knows
 * @returns for each rule of the schema a copy of the value that breaks it. Where one class has several places in the
 *   value, its rules are broken in the first of them; in the others, each member is of another type
 */
export function violations(schema: Json, value: unknown, resolve: Resolve): Violation[] {
  const known = new Set<string>();
  return violationsOf(schema, value, resolve, { path: '', owner: '' }).filter(({ owner, rule }) => {
    const isNew = !known.has(`${owner} ${rule}`);
    known.add(`${owner} ${rule}`);
    return isNew || rule === 'type';
  });
}

/** A violation, and the member of a class that it is one of. */
type OwnedViolation = Violation & { owner: string };

interface Place {
  readonly path: string;
  readonly owner: string;
}

function violationsOf(schema: Json, value: unknown, resolve: Resolve, place: Place): OwnedViolation[] {
  const actual = resolved(schema, resolve);
  const own = ownViolations(actual, value).map(({ rule, value: bad }) => ({ ...place, rule, value: bad }));
  const owner = refOf(schema) ?? place.owner;
  const { path } = place;
  return [...own, ...ofMembers(actual, value, resolve, { path, owner }), ...ofItems(actual, value, resolve, place)];
}

function refOf({ $ref, allOf }: Json): string | undefined {
  const [first] = (allOf as Json[] | undefined) ?? [];
  return ($ref ?? first?.['$ref']) as string | undefined;
}

function ofMembers(schema: Json, value: unknown, resolve: Resolve, at: Place): OwnedViolation[] {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const object = value as Json;
  return Object.entries(properties).flatMap(([name, member]) => {
    if (object[name] === undefined) return [];
    const place = { path: at.path === '' ? name : `${at.path}.${name}`, owner: `${at.owner}.${name}` };
    const { [name]: _left, ...others } = object;
    const required = ((schema['required'] ?? []) as string[]).includes(name);
    return [
      ...(required ? [{ ...place, rule: 'required', value: others }] : []),
      ...violationsOf(member, object[name], resolve, place).map((found) => ({
        ...found,
        value: { ...object, [name]: found.value },
      })),
    ];
  });
}

function ofItems(schema: Json, value: unknown, resolve: Resolve, { path, owner }: Place): OwnedViolation[] {
  if (schema['type'] !== 'array' || !Array.isArray(value) || value.length === 0) return [];
  const place = { path: `${path}[0]`, owner: `${owner}[]` };
  return violationsOf(schema['items'] as Json, value[0], resolve, place).map((found) => ({
    ...found,
    value: [found.value, ...(value.slice(1) as unknown[])],
  }));
}

function ownViolations(schema: Json, value: unknown): { rule: string; value: unknown }[] {
  const { minLength, maxLength, minItems, maxItems } = schema as Record<string, number | undefined>;
  const { type } = schema;
  const found: { rule: string; value: unknown }[] = [
    { rule: 'type', value: type === 'string' ? 7 : 'seven' },
    { rule: 'null', value: null },
  ];
  if (typeof type !== 'string') return [];
  if (Number(minLength) > 0) found.push({ rule: 'minLength', value: '' });
  if (maxLength !== undefined) found.push({ rule: 'maxLength', value: 'x'.repeat(maxLength + 1) });
  if ('enum' in schema) found.push({ rule: 'enum', value: 'Nonsense' });
  if ('pattern' in schema) found.push({ rule: 'pattern', value: '!' });
  if (schema['format'] === 'date-time') found.push({ rule: 'date-time', value: 'yesterday' });
  if (Number(minItems) > 0) found.push({ rule: 'minItems', value: [] });
  if (maxItems !== undefined && Array.isArray(value)) {
    found.push({ rule: 'maxItems', value: Array.from({ length: maxItems + 1 }, () => value[0] as unknown) });
  }
  return found;
}
