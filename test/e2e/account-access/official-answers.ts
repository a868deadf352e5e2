import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TestResponse } from '../../support/https-request.js';
import type { Version } from './access-client.js';

/**
 * Paths of the official descriptions (`account-info-openapi.json` of 3.1.11 and of 4.0); they are not part of this
 * repository.
 */
const paths: Readonly<Record<Version, string | undefined>> = {
  '3.1': process.env['OBIE_ACCOUNTS_31'],
  '4.0': process.env['OBIE_ACCOUNTS_40'],
};

const validators = new Map<Version, Ajv2020>();
for (const [version, path] of Object.entries(paths) as [Version, string | undefined][]) {
  if (path === undefined) {
    console.log(
      `OBIE_ACCOUNTS_${version.replace(/\D.*/, '')}… is not set: answers are not held against the description.`,
    );
    continue;
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('int32', true);
  ajv.addSchema({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), $id: 'https://description/accounts' });
  validators.set(version, ajv);
}

/** @returns the answer, after validation against the official description of the version, if that is available */
export function assertOfficial(response: TestResponse, version: Version, schema: string): TestResponse {
  const name = response.status === 200 ? schema : 'OBErrorResponse1';
  const validate = validators
    .get(version)
    ?.compile({ $ref: `https://description/accounts#/components/schemas/${name}` });
  if (validate === undefined || response.text === '' || validate(response.json())) return response;
  throw new Error(`${name} ${response.status}: ${JSON.stringify(validate.errors)}\n${response.text}`);
}
