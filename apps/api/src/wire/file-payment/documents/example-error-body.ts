import { exampleAddresses, exampleNames } from '#libs/api-description';
import { createObErrorBody, type ErrorBodyWriter, type ObError } from '#libs/error-envelope';

const Id = '0f6c2b1e-5d4a-4c8b-9e7f-2a3b4c5d6e7f';
const names = { baseUrl: exampleAddresses.baseUrl, bank: { errorNamespace: exampleNames.errorNamespace } };

/** @returns the body of a refusal, with a fixed Id */
export function exampleErrorBody(error: ObError, errorBody: ErrorBodyWriter = createObErrorBody) {
  return { ...errorBody(error, names), Id };
}
