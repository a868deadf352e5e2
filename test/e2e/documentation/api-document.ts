import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from '@jest/globals';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TestResponse } from '../../support/https-request.js';

/** A JSON object of a document. */
export type Json = { [name: string]: unknown };

/** One operation of a document. */
export interface Operation {
  /** unique in all documents: with the version if an older one has the same operation */
  id: string;
  /** operationId of its document */
  name: string;
  area: string;
  method: string;
  path: string;
  /** address in the committed document */
  server: string;
  item: Json & { responses: Record<string, Json>; parameters?: Json[]; requestBody?: Json; security?: Json[] };
}

/** The same operations as file-payments has, in v4.0. */
export const filePaymentsIn40 = 'file-payments-4.0';
export const areas = [
  'authorisation',
  'file-payments',
  filePaymentsIn40,
  'domestic-payments',
  'domestic-payments-4.0',
  'discovery-and-registration',
] as const;
/** The areas of consents to access, in both versions: they have drivers of their own. */
const areasOfAccess = ['accounts', 'accounts-4.0', 'funds-confirmation', 'funds-confirmation-4.0'] as const;
export const root = resolve(import.meta.dirname, '../../..');

/** @returns the committed document of an area */
export function readDocument(area: string): Json {
  return JSON.parse(readFileSync(join(root, 'apps/openapi/documents', `${area}.json`), 'utf8')) as Json;
}

/** @returns all operations of a document */
export function operationsOf(area: string, document: Json = readDocument(area)): Operation[] {
  return Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => typeof operation === 'object' && operation !== null && 'responses' in operation)
      .map(([method, operation]) => ({
        ...namesOf(area, String((operation as Json)['operationId'])),
        area,
        method: method.toUpperCase(),
        path,
        server: String((item['servers'] as Json[])[0]?.['url']),
        item: operation as Operation['item'],
      })),
  );
}

function namesOf(area: string, name: string): Pick<Operation, 'id' | 'name'> {
  const [, version] = /-(\d+\.\d+)$/.exec(area) ?? [];
  return { name, id: version === undefined ? name : `${name} ${version}` };
}

/** The properties of a schema, each also under the second name that answers have for it. */
function withSecondNames(properties: unknown): Json {
  const entries = Object.entries(properties as Record<string, Json>);
  return Object.fromEntries(
    entries.flatMap(([name, schema]) => [name, schema['x-also-as'] ?? []].flat().map((each) => [each, schema])),
  ) as Json;
}

/**
 * The document with every object closed, as a generated client reads it: a member of an answer that the document lacks
 * is a fault of the document, unless it leaves the object open; where that is for second names of members, only these may
 * occur.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => closed(entry));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, closed(entry)]));
  const isObject = copy['type'] === 'object' && 'properties' in copy;
  if (!isObject) return copy;
  const isOpen = copy['additionalProperties'] === true;
  const named = copy['properties'] as Json;
  const properties = isOpen ? withSecondNames(named) : named;
  const isTwiceNamed = Object.keys(properties).length > Object.keys(named).length;
  return { ...copy, properties, additionalProperties: isOpen && !isTwiceNamed };
}

/** @returns a JSON Schema validator that knows the documents by the names of their areas */
export function createValidator(options: { isClosed: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const area of [...areas, ...areasOfAccess]) {
    const document = readDocument(area);
    ajv.addSchema({ ...((options.isClosed ? closed(document) : document) as Json), $id: `https://document/${area}` });
  }
  return ajv;
}

/** @returns the JSON pointer of a place in a document */
export function pointer(...names: string[]): string {
  return names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

/**
 * @returns a function that fails for a 5xx, and for an answer whose status, headers or body the document of the area
 * does not have
 */
export function documentedIn(
  area: string,
  check = new DocumentCheck(),
): (name: string, response: TestResponse) => void {
  const operations = operationsOf(area);
  return (name, response) => {
    if (response.status >= 500) throw new Error(`${response.status}: ${response.text}`);
    const operation = operations.find((each) => each.name === name);
    if (operation === undefined) throw new Error(`The document of ${area} has no ${name}.`);
    check.check(operation, response);
  };
}

/** Validates answers against the documents, and records which operations and statuses occurred. */
export class DocumentCheck {
  readonly seen = new Set<string>();
  readonly #ajv = createValidator({ isClosed: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  /** Fails when status, headers or body are not those of the document. */
  check(operation: Operation, response: TestResponse): void {
    const where = `${operation.id} ${response.status}`;
    const described = operation.item.responses[String(response.status)];
    if (described === undefined) throw new Error(`${where} is not in the document: ${response.text.slice(0, 500)}`);
    this.seen.add(where);
    this.#checkHeaders(where, described, response);
    this.#checkBody(operation, where, described, response);
  }

  #checkHeaders(where: string, described: Json, response: TestResponse): void {
    for (const [name, header] of Object.entries((described['headers'] ?? {}) as Record<string, Json>)) {
      const values = [response.headers[name] ?? []].flat();
      if (values.length === 0 && header['required'] !== true) continue;
      const validate = this.#compile(`${where} ${name}`, header['schema'] as Json);
      const isGood = values.length > 0 && values.every((value) => validate(value));
      expect({ where, name, values, isGood }).toEqual({ where, name, values, isGood: true });
    }
  }

  #checkBody(operation: Operation, where: string, described: Json, response: TestResponse): void {
    const content = described['content'] as Record<string, Json> | undefined;
    // OpenAPI cannot express an optional body: 503 may be sent before a body can be written.
    const isBodiless = content === undefined || (response.status === 503 && response.text === '');
    if (isBodiless) {
      expect({ where, text: response.text }).toEqual({ where, text: '' });
      return;
    }
    const mediaType = (response.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    expect({ where, mediaType, documented: Object.keys(content).includes(mediaType) }).toMatchObject({
      documented: true,
    });
    const { status } = response;
    const place = ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(status), 'content'];
    const $ref = `https://document/${operation.area}#${pointer(...place, mediaType, 'schema')}`;
    const validate = this.#compile($ref, { $ref });
    const body: unknown = mediaType === 'application/json' ? response.json() : response.text;
    validate(body);
    expect({ where, faults: validate.errors ?? [] }).toEqual({ where, faults: [] });
  }

  #compile(key: string, schema: Json): ValidateFunction {
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const validate = this.#ajv.compile(schema);
    this.#compiled.set(key, validate);
    return validate;
  }
}
