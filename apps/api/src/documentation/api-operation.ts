import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiHeader,
  ApiInternalServerErrorResponse,
  ApiOkResponse,
  ApiResponse,
  ApiSecurity,
} from '@nestjs/swagger';
import { OBErrorResponse1 } from '../obie-models/ob-error.dto.js';

/** Answers without a body that every operation shares (brief section 7). */
const bodiless: readonly [number, string][] = [
  [401, 'No client certificate, or no access token that is good over it.'],
  [404, 'The path is not defined.'],
  [405, 'The path does not take this method; see Allow.'],
  [406, 'The answer is application/json only.'],
  [429, 'Too many requests; see Retry-After.'],
];

/** Headers, credentials and errors that all file payment operations share (brief section 4.1). */
export function ApiPispOperation(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiBearerAuth(),
    ApiSecurity('mutualTls'),
    ApiHeader({ name: 'x-fapi-interaction-id', required: false, description: 'UUID, played back on the answer' }),
    ApiHeader({
      name: 'x-fapi-auth-date',
      required: false,
      description: 'When the customer last signed in with the TPP',
    }),
    ApiHeader({ name: 'x-fapi-customer-ip-address', required: false, description: 'Set when the customer is present' }),
    ApiBadRequestResponse({ type: OBErrorResponse1, description: 'Malformed, or against a rule; unknown ids too.' }),
    ApiForbiddenResponse({ type: OBErrorResponse1, description: 'The token or the client may not do this.' }),
    ApiInternalServerErrorResponse({ type: OBErrorResponse1, description: 'Unexpected; Id names the fault.' }),
    ...bodiless.map(([status, description]) => ApiResponse({ status, description })),
  );
}

/** What the three POST operations have beside that: a body, its signature, an idempotency key. */
export function ApiPispPost(options: { body?: Type; created?: Type; ok?: string }): MethodDecorator {
  const { body, created, ok } = options;
  return applyDecorators(
    ApiHeader({ name: 'x-idempotency-key', required: true, description: '1 to 40 characters; counts for 24 hours' }),
    ApiHeader({ name: 'x-jws-signature', required: true, description: 'Detached JWS over the octets of the body' }),
    ApiBody(body === undefined ? { schema: { type: 'object' }, description: 'The payment file' } : { type: body }),
    ApiResponse({ status: 415, description: 'The body must be application/json.' }),
    ...(created === undefined ? [] : [ApiCreatedResponse({ type: created })]),
    ...(ok === undefined ? [] : [ApiOkResponse({ description: ok })]),
  );
}
