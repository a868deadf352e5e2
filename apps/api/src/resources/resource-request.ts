import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ActiveAccessToken } from '#libs/guards';
import type { IdempotentRequest } from '#libs/idempotency';
import type { PaymentWire } from '../wire/wire.js';

/** @returns the access token accepted by the guard */
export function acceptedToken(request: FastifyRequest): ActiveAccessToken {
  if (request.accessToken === undefined) throw new TypeError('The bearer token guard must run before the handler.');
  return request.accessToken;
}

/**
 * @param wire version of the request
 * @param operation method and path template with its parameters filled in
 * @param requestHash SHA-256 that identifies a body: of the bytes of a file, or of the canonical text of a document
 */
export function idempotentRequest(
  { keySpace }: Pick<PaymentWire, 'keySpace'>,
  request: FastifyRequest,
  operation: string,
  requestHash: Buffer,
): IdempotentRequest {
  if (request.idempotencyKey === undefined)
    throw new TypeError('The idempotency key guard must run before the handler.');
  return {
    clientId: acceptedToken(request).clientId,
    operation: `${keySpace}${operation}`,
    idempotencyKey: request.idempotencyKey,
    requestHash,
  };
}

/** @returns the SHA-256 of a text in UTF-8, or of bytes */
export function sha256(content: string | Buffer): Buffer {
  // @cryptography SHA-256 | none | comparing the requests and files of an idempotency key
  return createHash('sha256').update(content).digest();
}
