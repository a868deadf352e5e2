import {
  bodyNoObject,
  createFault,
  type Fault,
  grantWrong,
  headerInvalid,
  headerMissing,
  isBankErrorCode,
  scopeInsufficient,
} from '#libs/error-catalogue';
import {
  createObErrorBody,
  type ErrorBodyWriter,
  ObError,
  type ObErrorStatus,
  unexpectedError,
} from '#libs/error-envelope';
import { noSignature, signatureMissing, tokenRefused } from '#libs/guards';
import {
  type Answer,
  bodiless,
  commonAnswers,
  exampleAddresses,
  exampleNames,
  jsonAnswer,
} from '#libs/api-description';
import type { AreaText, PaymentText } from './document-text.js';
import type { PaymentWire } from '../../wire.js';

const Id = '0f6c2b1e-5d4a-4c8b-9e7f-2a3b4c5d6e7f';
const names = { baseUrl: exampleAddresses.baseUrl, bank: { errorNamespace: exampleNames.errorNamespace } };

/** @returns the body of a refusal, with a fixed Id */
export function exampleErrorBody(error: ObError, errorBody: ErrorBodyWriter = createObErrorBody) {
  return { ...errorBody(error, names), Id };
}

/** A refusal in the documents: all have the same message. */
export function refusalOf(faults: readonly Fault[], status: ObErrorStatus = 400): ObError {
  return new ObError(status, 'The request was refused.', faults);
}

/** An OBErrorResponse1: an example for each fault of an error, under the name of its code. */
export function obErrorAnswer(
  { errorBody, classes, signature }: AreaText,
  description: string,
  { status, message, faults }: ObError,
): Answer {
  const examples = Object.fromEntries(
    faults.map((fault, index) => {
      const name = isBankErrorCode(fault.code) ? fault.code : `UK.OBIE.${fault.code}`;
      const isFirst = faults.findIndex(({ code }) => code === fault.code) === index;
      return [
        isFirst ? name : `${name} (${fault.path})`,
        { summary: name, value: exampleErrorBody(new ObError(status, message, [fault]), errorBody) },
      ];
    }),
  );
  const isSigned = signature !== undefined && status !== 503;
  const headers = [
    ...(isSigned ? (['x-jws-signature'] as const) : []),
    ...(status === 503 ? (['retry-after'] as const) : []),
  ];
  return jsonAnswer(classes.error, { description, examples, headers });
}

/** @returns the answers shared by all operations of an area */
export function pispAnswers(text: AreaText): Readonly<Record<number, Answer>> {
  return {
    ...commonAnswers,
    401: bodiless('There is no verified client certificate, or no valid access token that is bound to it.', [
      'www-authenticate',
    ]),
    403: obErrorAnswer(
      text,
      'The token is valid but does not allow this operation.',
      tokenRefused(
        scopeInsufficient(text.scope),
        grantWrong(text.grantType ?? 'client_credentials'),
        createFault('Resource.Forbidden', 'The consent belongs to another client.', 'ConsentId'),
      ),
    ),
    406: bodiless('The Accept header does not allow application/json.'),
    500: obErrorAnswer(text, 'An unexpected error. Quote Id when you report it to the bank.', unexpectedError()),
    ...(text.signature !== undefined && { 503: unsigned(text) }),
  };
}

/** Without a body under overload; with an unsigned body if the answer cannot be signed. */
function unsigned(text: AreaText): Answer {
  return obErrorAnswer(
    text,
    'The service is overloaded, not fully available, or cannot sign the answer; only in the last case is there a ' +
      'body. Repeat the request later.',
    noSignature(),
  );
}

export const headerFault = headerInvalid('x-fapi-interaction-id', 'must be a UUID (RFC 4122)');

/** @param path where the request names what already exists */
export function alreadyThere(detail: string, path = 'x-idempotency-key'): Fault {
  return createFault('Rules.ResourceAlreadyExists', detail, path);
}

export const reusedKey = alreadyThere('The idempotency key was used for another request.');

export function wrongStatus(detail: string): Fault {
  return createFault('Resource.InvalidConsentStatus', detail, 'Data.Status');
}

/** 400 of an operation with an unsigned body. */
export function bodyRefused(text: AreaText, faults: readonly Fault[]): Answer {
  return obErrorAnswer(text, 'The answer lists all faults of a body.', refusalOf(faults));
}

/** 400 of an operation that reads. */
export function readRefused(text: AreaText, path: 'ConsentId' | PaymentWire['paymentId']): Answer {
  const unknown = createFault('Resource.NotFound', 'There is no such resource.', path);
  return obErrorAnswer(text, 'A header is malformed, or the id is unknown.', refusalOf([unknown, headerFault]));
}

/** 400 of an operation that writes: faults of headers and signature, and its own. */
export function writeRefused(text: PaymentText, own: readonly Fault[]): Answer {
  return obErrorAnswer(
    text,
    'The request is malformed or breaks a rule, or the id is unknown. The answer lists all faults of a body.',
    refusalOf([
      ...own,
      headerFault,
      headerMissing('x-idempotency-key'),
      bodyNoObject,
      ...(text.isReusedKeyMalformed ? [reusedKey] : []),
      signatureMissing,
      createFault('Signature.Invalid', 'The signature does not verify.', 'x-jws-signature'),
    ]),
  );
}
