import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { repositoryRoot } from '#libs/command-line';

interface Described {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** with parameters in braces */
  readonly path: string;
  /** no file is paid without it */
  readonly isMinimum: boolean;
  /** a bank that lacks it answers 404 */
  readonly isOptional: boolean;
  readonly requestBody?: Described;
  readonly responses: Readonly<Record<string, Described>>;
}

/** The bank's API as deploy/bank-openapi.yaml describes it. */
export class BankApi {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly #validators = new Map<object, ValidateFunction>();
  readonly #ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));

  private constructor(private readonly document: { paths: Record<string, Record<string, never>>; components: object }) {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Operation => ({
        ...(operation as Operation),
        id: operation['operationId'],
        method: method.toUpperCase() as Operation['method'],
        path,
        isMinimum: operation['x-minimum'] === true,
        isOptional: operation['x-optional'] === true,
      })),
    );
    this.operations = new Map(described.map((operation) => [operation.id, operation]));
  }

  static async read(): Promise<BankApi> {
    return new BankApi(load(await readFile(join(repositoryRoot(), 'deploy/bank-openapi.yaml'), 'utf8')) as never);
  }

  get(id: string): Operation {
    const found = this.operations.get(id);
    if (found === undefined) throw new TypeError(`There is no operation ${id}.`);
    return found;
  }

  /** @returns how a request differs from its description; undefined if it does not */
  findRequestFault(operation: Operation, body: object | undefined): string | undefined {
    return this.#findFault(operation.requestBody, body);
  }

  /** @returns how an answer differs from its description; undefined if it does not */
  findAnswerFault(operation: Operation, status: number, body: unknown): string | undefined {
    const described = operation.responses[String(status)];
    return described === undefined
      ? `status ${status} is not described for ${operation.id}`
      : this.#findFault(described, body);
  }

  #findFault(described: Described | undefined, body: unknown): string | undefined {
    const content = described?.$ref === undefined ? described : this.#resolve(described.$ref);
    const schema = content?.content?.['application/json']?.schema;
    if (schema === undefined) return undefined;
    const validate =
      this.#validators.get(schema) ?? this.#ajv.compile({ ...schema, components: this.document.components });
    this.#validators.set(schema, validate);
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors, { dataVar: 'body' });
  }

  #resolve(reference: string): Described {
    const names = reference.replace('#/', '').split('/');
    return names.reduce<unknown>((value, name) => Reflect.get(Object(value), name), this.document) as Described;
  }
}
