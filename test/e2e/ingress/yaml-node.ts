import { bankHosts } from './bank-host.js';

/** A map of a YAML document. */
export type Node = Record<string, unknown>;

export const hosts = bankHosts;
export const ports = { authorize: 8441, token: 8442, api: 8443 } as const;
export const suites = ['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES128-GCM-SHA256'];
export const apps = Object.keys(hosts) as (keyof typeof hosts)[];

/** Every form with a password or a one-time code. */
export const formPaths = [
  ...['', '/approvals'].flatMap((area) =>
    ['sign-in', 'second-factor', 'second-factor/again', 'challenge', 'challenge/again'].map(
      (form) => `${area}/${form}`,
    ),
  ),
  // These have the bank send a message.
  '/consent',
  '/approvals/approve',
];

/** Places in a document that protect nothing, with the reason. */
export interface Exception {
  readonly path: RegExp;
  readonly because: string;
}

/** @returns the member at this place, which must be there */
export function at<Value = Node>(node: unknown, ...path: (string | number)[]): Value {
  let current: unknown = node;
  for (const step of path) {
    current = (current as Record<string | number, unknown> | undefined)?.[step];
    if (current === undefined) throw new Error(`There is no ${path.join('.')}.`);
  }
  return current as Value;
}

/** @returns every place in a document, as the steps to it; for a value referred to several times, the first place */
export function placesOf(
  node: unknown,
  path: readonly string[] = [],
  seen: Set<unknown> = new Set(),
): (readonly string[])[] {
  if (typeof node !== 'object' || node === null || seen.has(node)) return [];
  seen.add(node);
  return Object.entries(node).flatMap(([step, value]) => [[...path, step], ...placesOf(value, [...path, step], seen)]);
}

/** @returns a copy without the value at this place; a value referred to is removed everywhere */
export function without<Document>(document: Document, path: readonly string[]): Document {
  const copy = structuredClone(document);
  const parent = at<Node>(copy, ...path.slice(0, -1));
  const step = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent.splice(Number(step), 1);
  else Reflect.deleteProperty(parent, step);
  return copy;
}
