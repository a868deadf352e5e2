/** A check of a JSON value: all faults of it, each fault with its path. */
export type Shape = (value: unknown, path: string) => string[];

const fault = (path: string, what: string): string[] => [`${path || 'the document'} ${what}`];

/** A string of `shortest` to `longest` characters. */
export function text(longest: number, shortest = 1): Shape {
  return (value, path) => {
    const length = typeof value === 'string' ? Array.from(value).length : -1;
    return length >= shortest && length <= longest ? [] : fault(path, `is no text of ${shortest} to ${longest}`);
  };
}

/** A string of the given form. */
export function match(form: RegExp): Shape {
  return (value, path) => (typeof value === 'string' && form.test(value) ? [] : fault(path, `is not ${String(form)}`));
}

/** One of the given strings. */
export function oneOf(...values: readonly string[]): Shape {
  return (value, path) => (values.includes(value as string) ? [] : fault(path, `is none of ${values.join(', ')}`));
}

/** A JSON number. */
export const number: Shape = (value, path) => (typeof value === 'number' ? [] : fault(path, 'is no number'));

/** An object with members of any kind. */
export const anyObject: Shape = (value, path) => (isObject(value) ? [] : fault(path, 'is no object'));

/** An array with a shape for its entries. */
export function array(entry: Shape, fewest = 0, most = Infinity): Shape {
  return (value, path) => {
    if (!Array.isArray(value) || value.length < fewest || value.length > most) return fault(path, 'is no such array');
    return value.flatMap((each, index) => entry(each, `${path}[${index}]`));
  };
}

/** An object with these members and no other: what an answer has beyond its table is a fault. */
export function object(required: Members, optional: Members = {}): Shape {
  return objectOf(required, optional, (path) => fault(path, 'is no member of the schema'));
}

/** An object with these members and any others. */
export function openObject(required: Members, optional: Members = {}): Shape {
  return objectOf(required, optional, () => []);
}

type Members = Readonly<Record<string, Shape>>;

function objectOf(required: Members, optional: Members, unknown: (path: string) => string[]): Shape {
  return (value, path) => {
    if (!isObject(value)) return fault(path, 'is no object');
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    const shapes = new Map(Object.entries({ ...optional, ...required }));
    const missing = Object.keys(required).filter((name) => !Object.hasOwn(value, name));
    return [
      ...missing.flatMap((name) => fault(at(name), 'is missing')),
      ...Object.entries(value).flatMap(([name, member]) => {
        const shape = shapes.get(name);
        return shape === undefined ? unknown(at(name)) : shape(member, at(name));
      }),
    ];
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
