import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiHeader, ApiOperation, ApiParam, ApiSecurity } from '@nestjs/swagger';
import { type Answer, ApiAnswers, bodiless, bodyTooSlow, type BodyExample, schemaOf } from '#libs/api-description';
import type { AreaText, PaymentText } from './document-text.js';
import type { PaymentWire } from '../../wire.js';
import { pispAnswers } from './ob-answers.js';

const authDate =
  '^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} ' +
  '[0-9]{2}:[0-9]{2}:[0-9]{2} (GMT|UTC)$';

/** Documentation of an operation, without its answers. */
export interface OperationText {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** the ids in its path */
  readonly params?: readonly ('ConsentId' | PaymentWire['paymentId'])[];
}

/** An operation of the Read/Write API: credentials, common headers, answers. */
export function ApiPispOperation(
  text: AreaText,
  { params = [], ...operation }: OperationText,
  answers: Readonly<Record<number, Answer>>,
): MethodDecorator {
  return applyDecorators(
    ApiOperation(operation),
    ApiSecurity({ bearer: [], mutualTls: [] }),
    ...params.map((name) =>
      ApiParam({
        name,
        required: true,
        description: 'Id from the answer that created the resource.',
        schema: { type: 'string', minLength: 1, maxLength: 128 },
      }),
    ),
    ApiHeader({
      name: 'x-fapi-interaction-id',
      required: false,
      description: 'Id of the request. The answer repeats it.',
      schema: { type: 'string', format: 'uuid' },
    }),
    ApiHeader({
      name: 'x-fapi-auth-date',
      required: false,
      description: 'When the customer last signed in at the TPP.',
      schema: { type: 'string', pattern: authDate },
      example: 'Sun, 10 Sep 2017 19:43:31 GMT',
    }),
    ApiHeader({
      name: 'x-fapi-customer-ip-address',
      required: false,
      description: 'IPv4 or IPv6 address of the customer, if present.',
      schema: { type: 'string' },
    }),
    ApiHeader({
      name: 'x-customer-user-agent',
      required: false,
      description: "User agent of the customer's browser, if present. The service ignores it.",
      schema: { type: 'string' },
    }),
    ApiAnswers(withHeaders(text, { ...pispAnswers(text), ...answers })),
  );
}

/** Headers of every answer of this area: no caching. An identified client may get more headers from the version. */
function withHeaders(
  { headers }: AreaText,
  answers: Readonly<Record<number, Answer>>,
): Readonly<Record<number, Answer>> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { ...answer, headers: [...answer.headers, 'cache-control' as const, ...headers] },
    ]),
  );
}

/** What a POST operation that pays adds: a body, its signature, an idempotency key. */
export function ApiPispPost(
  text: PaymentText,
  bodies: readonly Type[],
  examples: Readonly<Record<string, BodyExample>>,
  there?: string,
): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'x-idempotency-key',
      required: true,
      description:
        'Makes the request take effect once: a repeated request with the same key and body gets the first resource ' +
        'again. Valid for 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 40, pattern: '^\\S(.*\\S)?$' },
    }),
    ApiHeader({
      name: 'x-jws-signature',
      required: true,
      description: text.signature,
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+\\.\\.[A-Za-z0-9_-]+$' },
    }),
    ApiJsonBody(text, bodies, examples, text.writeAnswers(there)),
  );
}

/** What every POST adds: a body. */
export function ApiJsonBody(
  text: AreaText,
  bodies: readonly Type[],
  examples: Readonly<Record<string, BodyExample>>,
  answers: Readonly<Record<number, Answer>> = {},
): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(...bodies),
    ApiConsumes('application/json'),
    ApiBody({ required: true, schema: schemaOf(bodies), examples }),
    ApiAnswers(
      withHeaders(text, {
        408: bodyTooSlow,
        415: bodiless('Content-Type is not application/json in UTF-8, or the body has a content coding.'),
        ...answers,
      }),
    ),
  );
}
