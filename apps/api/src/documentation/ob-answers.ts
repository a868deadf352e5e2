import { type BankErrorCode, bankErrorCode, errorPageUrl, type ObErrorCode } from '#libs/error-catalogue';
import {
  type Answer,
  bodiless,
  commonAnswers,
  exampleAddresses,
  exampleNames,
  jsonAnswer,
} from '#libs/api-description';
import { OBErrorResponse1 } from '../obie-models/ob-error.dto.js';

const codes = { 400: '400 BadRequest', 403: '403 Forbidden', 500: '500 InternalServerError' } as const;
const exampleId = '0f6c2b1e-5d4a-4c8b-9e7f-2a3b4c5d6e7f';

/** One error of an example. */
export interface ExampleError {
  readonly code: ObErrorCode | BankErrorCode;
  readonly message: string;
  readonly path?: string;
}

/** An OBErrorResponse1 as it is answered. */
export function exampleErrorBody(status: keyof typeof codes, message: string, errors: readonly ExampleError[]) {
  return {
    Code: codes[status],
    Id: exampleId,
    Message: message,
    Errors: errors.map(({ code, message: text, path }) => {
      const ErrorCode = code.startsWith('UK.')
        ? code
        : bankErrorCode(exampleNames.errorNamespace, code as BankErrorCode);
      const Url = errorPageUrl(exampleAddresses.baseUrl, ErrorCode);
      return { ErrorCode, Message: text, ...(path === undefined ? {} : { Path: path }), Url };
    }),
  };
}

/** A 400, 403 or 500 with an OBErrorResponse1: one example for each code, under its name. */
function obErrorAnswer(
  status: keyof typeof codes,
  description: string,
  message: string,
  errors: readonly ExampleError[],
  headers: Answer['headers'] = [],
): Answer {
  const examples = Object.fromEntries(
    errors.map((error) => [error.code, { summary: error.code, value: exampleErrorBody(status, message, [error]) }]),
  );
  return jsonAnswer(OBErrorResponse1, { description, examples, headers });
}

const signed = ['x-jws-signature'] as const;

/** Answers that all file payment operations share. */
export const pispAnswers: Readonly<Record<number, Answer>> = {
  ...commonAnswers,
  401: bodiless('No verified client certificate, or no access token that is good over it.', ['www-authenticate']),
  403: obErrorAnswer(
    403,
    'The token is good, but does not allow this.',
    'The access token does not allow this operation.',
    [
      {
        code: 'Token.InsufficientScope',
        message: 'This operation needs an access token with the scope payments.',
        path: 'Authorization',
      },
      {
        code: 'Token.WrongGrant',
        message: 'This operation needs an access token of the grant client_credentials.',
        path: 'Authorization',
      },
      { code: 'Resource.Forbidden', message: 'The consent belongs to another client.', path: 'ConsentId' },
    ],
    signed,
  ),
  406: bodiless('Accept admits no application/json.'),
  500: obErrorAnswer(
    500,
    'Unexpected; Id names the fault to the bank.',
    'The request could not be processed. Try again later; if it happens again, tell the bank this Id.',
    [{ code: 'UK.OBIE.UnexpectedError', message: 'The request could not be processed.' }],
    signed,
  ),
};

const headerFault: ExampleError = {
  code: 'UK.OBIE.Header.Invalid',
  message: 'The header x-fapi-interaction-id must be a UUID (RFC 4122).',
  path: 'x-fapi-interaction-id',
};

/** 400 of an operation that reads. */
export function readRefused(path: 'ConsentId' | 'FilePaymentId'): Answer {
  const unknown: ExampleError = { code: 'UK.OBIE.Resource.NotFound', message: 'There is no such resource.', path };
  return obErrorAnswer(
    400,
    'A header is malformed, or the id is unknown.',
    'The request was refused.',
    [unknown, headerFault],
    signed,
  );
}

/** 400 of an operation that writes: the faults of headers and signature, and those of its own. */
export function writeRefused(own: readonly ExampleError[]): Answer {
  return obErrorAnswer(
    400,
    'Malformed, or against a rule; ids that are unknown, too. All faults of a body are listed at once.',
    'The request was refused.',
    [
      ...own,
      headerFault,
      {
        code: 'UK.OBIE.Header.Missing',
        message: 'The header x-idempotency-key is required.',
        path: 'x-idempotency-key',
      },
      { code: 'UK.OBIE.Resource.InvalidFormat', message: 'The body must be a JSON object.' },
      {
        code: 'UK.OBIE.Rules.ResourceAlreadyExists',
        message: 'The idempotency key was used for another request.',
        path: 'x-idempotency-key',
      },
      {
        code: 'UK.OBIE.Signature.Missing',
        message: 'The header x-jws-signature is required: a detached JWS of the body.',
        path: 'x-jws-signature',
      },
      { code: 'UK.OBIE.Signature.Invalid', message: 'The signature does not verify.', path: 'x-jws-signature' },
    ],
    signed,
  );
}
