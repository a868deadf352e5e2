import { type Fault, isBankErrorCode } from '#libs/error-catalogue';
import type { ObErrorStatus } from '#libs/error-envelope';
import { type Answer, bodiless, commonAnswers, jsonAnswer } from '#libs/api-description';
import type { AreaText, PaymentText } from './document-text.js';
import type { PaymentWire } from '../../wire.js';
import { exampleErrorBody } from './example-error-body.js';

/** An OBErrorResponse1: an example for each fault, under the name of its code. */
export function obErrorAnswer(
  { errorBody, classes, signature }: AreaText,
  status: ObErrorStatus,
  description: string,
  message: string,
  faults: readonly Fault[],
): Answer {
  const examples = Object.fromEntries(
    faults.map((fault, index) => {
      const name = isBankErrorCode(fault.code) ? fault.code : `UK.OBIE.${fault.code}`;
      const isFirst = faults.findIndex(({ code }) => code === fault.code) === index;
      return [
        isFirst ? name : `${name} (${fault.path})`,
        { summary: name, value: exampleErrorBody(status, message, [fault], errorBody) },
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
      403,
      'The token is valid but does not allow this operation.',
      'The access token does not allow this operation.',
      [
        {
          code: 'Token.InsufficientScope',
          detail: `This operation needs an access token with the scope ${text.scope}.`,
          path: 'Authorization',
        },
        {
          code: 'Token.WrongGrant',
          detail: `This operation needs an access token of the grant ${text.grantType ?? 'client_credentials'}.`,
          path: 'Authorization',
        },
        { code: 'Resource.Forbidden', detail: 'The consent belongs to another client.', path: 'ConsentId' },
      ],
    ),
    406: bodiless('The Accept header does not allow application/json.'),
    500: obErrorAnswer(
      text,
      500,
      'An unexpected error. Quote Id when you report it to the bank.',
      'The request could not be processed. Try again later; if it happens again, tell the bank this Id.',
      [{ code: 'UnexpectedError', detail: 'The request could not be processed.' }],
    ),
    ...(text.signature !== undefined && { 503: unsigned(text) }),
  };
}

/** Without a body under overload; with an unsigned body if the answer cannot be signed. */
function unsigned(text: AreaText): Answer {
  return obErrorAnswer(
    text,
    503,
    'The service is overloaded, not fully available, or cannot sign the answer; only in the last case is there a ' +
      'body. Repeat the request later.',
    'The service cannot answer at the moment. Send the request again, a POST with the same x-idempotency-key.',
    [{ code: 'UnexpectedError', detail: 'There is no answer at the moment.' }],
  );
}

export const headerFault: Fault = {
  code: 'Header.Invalid',
  detail: 'The header x-fapi-interaction-id must be a UUID (RFC 4122).',
  path: 'x-fapi-interaction-id',
};

export const reusedKey: Fault = {
  code: 'Rules.ResourceAlreadyExists',
  detail: 'The idempotency key was used for another request.',
  path: 'x-idempotency-key',
};

/** 400 of an operation that reads. */
export function readRefused(text: AreaText, path: 'ConsentId' | PaymentWire['paymentId']): Answer {
  const unknown: Fault = { code: 'Resource.NotFound', detail: 'There is no such resource.', path };
  return obErrorAnswer(text, 400, 'A header is malformed, or the id is unknown.', 'The request was refused.', [
    unknown,
    headerFault,
  ]);
}

/** 400 of an operation that writes: faults of headers and signature, and its own. */
export function writeRefused(text: PaymentText, own: readonly Fault[]): Answer {
  return obErrorAnswer(
    text,
    400,
    'The request is malformed or breaks a rule, or the id is unknown. The answer lists all faults of a body.',
    'The request was refused.',
    [
      ...own,
      headerFault,
      {
        code: 'Header.Missing',
        detail: 'The header x-idempotency-key is required.',
        path: 'x-idempotency-key',
      },
      { code: 'Resource.InvalidFormat', detail: 'The body must be a JSON object.' },
      ...(text.isReusedKeyMalformed ? [reusedKey] : []),
      {
        code: 'Signature.Missing',
        detail: 'The header x-jws-signature is required: a detached JWS of the body.',
        path: 'x-jws-signature',
      },
      { code: 'Signature.Invalid', detail: 'The signature does not verify.', path: 'x-jws-signature' },
    ],
  );
}
