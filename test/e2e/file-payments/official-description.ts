import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiVersion } from '../../support/a-payment-file.js';
import type { TestResponse } from '../../support/https-request.js';
import { type Corrections, correctionsOf, statusesOfHttp } from './official-corrections.js';

type Json = Record<string, unknown>;

/**
 * The official descriptions (of 3.1.11, and of v4.0 Update 4) are not part of this repository: `OBIE_ACCOUNTS_31` and
 * so on say where they are.
 */
export type OfficialArea = 'FILE_PAYMENTS' | 'DOMESTIC_PAYMENTS' | 'ACCOUNTS' | 'FUNDS';

const known = new Map<string, OfficialDescription | undefined>();

interface Description {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, { readonly $ref: string }> }>>;
  readonly components: {
    readonly schemas: Record<string, Json>;
    readonly responses: Record<
      string,
      { readonly content?: Record<string, { readonly schema: { readonly $ref: string } }> }
    >;
  };
}

/** The official description of a version, with its corrections. */
export class OfficialDescription {
  readonly #addedResponses: Corrections['addedResponses'];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  private constructor(
    private readonly description: Description,
    { ofSchemas, addedResponses }: Corrections,
  ) {
    this.#addedResponses = addedResponses;
    const { schemas } = description.components;
    for (const { of, correct } of ofSchemas) if (schemas[of] !== undefined) schemas[of] = correct(schemas[of]);
    addFormats.default(this.#ajv);
    this.#ajv.addFormat('int32', true);
    this.#ajv.addSchema({ ...description, $id: 'https://official/' });
  }

  /** @returns undefined if its place is not given */
  static of(version: ApiVersion, area: OfficialArea): OfficialDescription | undefined {
    const variable = `OBIE_${area}_${version.replace('.', '')}`;
    if (!known.has(variable)) known.set(variable, OfficialDescription.#read(variable, correctionsOf[version]));
    return known.get(variable);
  }

  static #read(variable: string, corrections: Corrections): OfficialDescription | undefined {
    const path = process.env[variable];
    if (path !== undefined) return new OfficialDescription(JSON.parse(readFileSync(path, 'utf8')), corrections);
    console.log(`${variable} is not set: answers are not held against the official description.`);
    return undefined;
  }

  /**
   * Fails for an answer whose status or body is not one of the operation.
   * @param address path below `/open-banking/v4.0/pisp`, or that of the other version
   */
  check(method: string, address: string, response: TestResponse): void {
    const operation = this.#find(address)?.[method.toLowerCase()];
    // There is no operation for another method or an unknown path.
    if (operation === undefined || statusesOfHttp.includes(response.status)) return;
    const status = String(response.status);
    const name = operation.responses[status]?.$ref.split('/').at(-1) ?? this.#addedResponses[status];
    const described = this.description.components.responses[name ?? ''];
    if (name === undefined || described === undefined) throw new Error(`${method} ${address} has no ${status}.`);
    const [content] = Object.values(described.content ?? {});
    const faults = content === undefined ? faultsOfNothing(response) : this.#faultsOf(content.schema.$ref, response);
    if (faults !== undefined) throw new Error(`${method} ${address} ${status}: ${faults}\n${response.text}`);
  }

  #find(address: string): Description['paths'][string] | undefined {
    const { paths } = this.description;
    const found = Object.keys(paths).find((template) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address),
    );
    return paths[found ?? ''];
  }

  #faultsOf($ref: string, response: TestResponse): string | undefined {
    const validate = this.#validators.get($ref) ?? this.#ajv.compile({ $ref: `https://official/${$ref}` });
    this.#validators.set($ref, validate);
    return validate(response.json()) ? undefined : JSON.stringify(validate.errors);
  }
}

function faultsOfNothing({ text }: TestResponse): string | undefined {
  return text === '' ? undefined : 'there should be no body';
}
