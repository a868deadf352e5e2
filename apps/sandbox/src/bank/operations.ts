import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HTTPMethods } from 'fastify';
import { load } from 'js-yaml';
import { repositoryRoot } from '#libs/command-line';

/** An operation of the bank's API as a route. */
export interface Operation {
  readonly method: HTTPMethods;
  readonly url: string;
  /** JSON schemas of its requests */
  readonly schema: Readonly<Partial<Record<'headers' | 'params' | 'body', object>>>;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: 'header' | 'path'; schema: object }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } };
}

/** @returns the operations of deploy/bank-openapi.yaml by their ids */
export function readOperations(): ReadonlyMap<string, Operation> {
  const document = load(readFileSync(join(repositoryRoot(), 'deploy/bank-openapi.yaml'), 'utf8')) as {
    paths: Record<string, Record<string, object>>;
  };
  return new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const described = resolve(operation, document) as Described;
        const body = described.requestBody?.content['application/json'].schema;
        const headers = schemaOf(described, 'header');
        const params = schemaOf(described, 'path');
        const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
        const schema = { headers, params, ...(body && { body }) };
        return [described.operationId, { method: method.toUpperCase(), url, schema }] as const;
      }),
    ),
  );
}

function schemaOf({ parameters = [] }: Described, place: 'header' | 'path'): object {
  const nameOf = (name: string): string => (place === 'header' ? name.toLowerCase() : name);
  const properties = parameters.filter((each) => each.in === place).map(({ name, schema }) => [nameOf(name), schema]);
  return { type: 'object', required: properties.map(([name]) => name), properties: Object.fromEntries(properties) };
}

/** Puts what the references lead to in their place. */
function resolve(value: unknown, document: object): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, document));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...others } = value as { $ref?: string };
  const members = Object.entries(others).map(([name, member]) => [name, resolve(member, document)]);
  if ($ref === undefined) return Object.fromEntries(members);
  const names = $ref.replace('#/', '').split('/');
  const target = names.reduce<unknown>((found, name) => Reflect.get(Object(found), name), document);
  return { ...(resolve(target, document) as object), ...Object.fromEntries(members) };
}
