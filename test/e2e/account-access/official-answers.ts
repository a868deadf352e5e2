import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TestResponse } from '../../support/https-request.js';
import type { Version } from './access-client.js';

/**
 * The official descriptions (`account-info-openapi.json` and `confirmation-funds-openapi.json` of 3.1.11 and of 4.0)
 * are not part of this repository: `OBIE_ACCOUNTS_31` and so on say where they are.
 */
type Area = 'ACCOUNTS' | 'FUNDS';

const known = new Map<string, Ajv2020 | undefined>();

function readDescription(area: Area, version: Version): Ajv2020 | undefined {
  const variable = `OBIE_${area}_${version.replace('.', '')}`;
  if (known.has(variable)) return known.get(variable);
  const path = process.env[variable];
  if (path === undefined) {
    console.log(`${variable} is not set: answers are not held against the official description.`);
    known.set(variable, undefined);
    return undefined;
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('int32', true);
  ajv.addSchema({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), $id: 'https://description/' });
  known.set(variable, ajv);
  return ajv;
}

/**
 * Holds an answer against the official description of the version, where that is given.
 * @param schema of an answer that is no error
 * @returns the answer
 */
export function assertOfficial(response: TestResponse, area: Area, version: Version, schema: string): TestResponse {
  const name = response.status < 300 ? schema : 'OBErrorResponse1';
  const validate = readDescription(area, version)?.compile({
    $ref: `https://description/#/components/schemas/${name}`,
  });
  if (validate === undefined || response.text === '' || validate(response.json())) return response;
  throw new Error(`${name} ${response.status}: ${JSON.stringify(validate.errors)}\n${response.text}`);
}
