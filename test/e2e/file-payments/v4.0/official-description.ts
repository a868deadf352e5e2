import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Differences, TestTpp } from '../../../support/a-tpp.js';
import type { TestResponse } from '../../../support/https-request.js';

type Json = Record<string, unknown>;

/** Path of the official description of v4.0 (`file-payment-initiation-openapi.json`, Update 4); it is not part of this repository. */
const path = process.env['OBIE_FILE_PAYMENTS_40'];

const lei = '^[A-Z0-9]{18,18}[0-9]{2,2}$';

/** What 4.0.1 corrects of Update 4, by its changelog: schema, and what of it is another. */
const corrections: readonly [string, (schema: Json) => Json][] = [
  ['LEI', (schema) => ({ ...schema, pattern: lei })],
  ['OBRemittanceInformationStructured', (schema) => withProperty(schema, 'ReferredDocumentAmount', { type: 'string' })],
];

function withProperty(schema: Json, name: string, property: Json): Json {
  return { ...schema, properties: { ...(schema['properties'] as Json), [name]: property } };
}

/** By operation and status class, the schema of the answer; undefined: it says nothing of use (the file and the report are of any form). */
const answers: readonly [RegExp, string][] = [
  [/^(POST \/file-payment-consents|GET \/file-payment-consents\/[^/]+)$/, 'OBWriteFileConsentResponse4'],
  [/^(POST \/file-payments|GET \/file-payments\/[^/]+)$/, 'OBWriteFileResponse3'],
  [/^GET \/file-payments\/[^/]+\/payment-details$/, 'OBWritePaymentDetailsResponse1'],
];

function readValidators(): Map<string, ValidateFunction> {
  if (path === undefined) return new Map();
  const document = JSON.parse(readFileSync(path, 'utf8')) as { components: { schemas: Record<string, Json> } };
  const { schemas } = document.components;
  for (const [name, correct] of corrections) schemas[name] = correct(schemas[name] ?? {});
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('int32', true);
  ajv.addSchema({ ...document, $id: 'https://description/file-payments' });
  const names = [...answers.map(([, name]) => name), 'OBErrorResponse1'];
  return new Map(
    names.map((name) => [name, ajv.compile({ $ref: `https://description/file-payments#/components/schemas/${name}` })]),
  );
}

const validators = readValidators();

/** A TPP of v4.0 that holds every answer against the official description, where that is given. */
export class OfficialTpp extends TestTpp {
  override async get(path: string, differences: Differences = {}): Promise<TestResponse> {
    return this.#checked(`${differences.method ?? 'GET'} ${path}`, await super.get(path, differences));
  }

  override async post(path: string, body: string | Buffer, differences: Differences = {}): Promise<TestResponse> {
    return this.#checked(`${differences.method ?? 'POST'} ${path}`, await super.post(path, body, differences));
  }

  #checked(operation: string, response: TestResponse): TestResponse {
    const isError = [400, 403, 409, 422, 500].includes(response.status);
    const name = isError ? 'OBErrorResponse1' : answers.find(([form]) => form.test(operation))?.[1];
    const validate = validators.get(name ?? '');
    if (validate === undefined || (!isError && response.status >= 300) || validate(response.json())) return response;
    throw new Error(`${operation} ${response.status}: ${JSON.stringify(validate.errors)}\n${response.text}`);
  }
}

if (path === undefined)
  console.log('OBIE_FILE_PAYMENTS_40 is not set: answers are not held against the official description.');
