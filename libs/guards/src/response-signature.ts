import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, type Config, serviceSigningKey } from '#libs/config';
import { createFault } from '#libs/error-catalogue';
import { type ErrorBodyWriter, ObError } from '#libs/error-envelope';
import { isBelow, reportRefusal } from '#libs/http-server';
import { createDetachedJws, type DetachedJwsForm } from '#libs/jws';
import './api-request.js';

const retryAfterSeconds = '5';
const logger = new Logger('addResponseSignature');

/**
 * Signs every answer with a body below the given path, errors included, over the exact bytes that are sent (Read/Write
 * profile, message signing). A POST is answered in the form that the request used, a GET in the configured one. If
 * signing fails, the only answer sent without a signature is 503.
 * @param pathPrefix path below which answers are signed
 * @param form the only form below this path, if there is only one
 * @param errorBody how the version writes a refusal
 */
export function addResponseSignature(
  fastify: FastifyInstance,
  {
    config,
    clock,
    pathPrefix,
    form,
    errorBody,
  }: {
    config: Config;
    clock: Clock;
    pathPrefix: string;
    form?: DetachedJwsForm | undefined;
    errorBody: ErrorBodyWriter;
  },
): void {
  const { signing } = config;
  const key = serviceSigningKey(config);
  fastify.addHook('onSend', async (request, reply, payload) => {
    if (!isBelow(request, pathPrefix) || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return payload;
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (body.length === 0) return payload;
    try {
      const detachedJws = await createDetachedJws({
        body,
        key,
        issuer: signing.organisationId,
        trustAnchor: signing.trustAnchor,
        form: form ?? request.detachedJwsForm ?? signing.responseForm,
        now: clock.now(),
      });
      void reply.header('x-jws-signature', detachedJws);
      return body;
    } catch (cause) {
      return JSON.stringify(errorBody(refuseUnsigned(request, reply, cause), config));
    }
  });
}

/** The request has taken effect: a repeat with its idempotency key gets the missing answer. */
function refuseUnsigned(request: FastifyRequest, reply: FastifyReply, cause: unknown): ObError {
  const error = noSignature(cause);
  logger.error({ message: 'An answer could not be signed.', interactionId: request.interactionId, error: cause });
  reportRefusal({ request, status: error.status, error });
  void reply
    .removeHeader('location')
    .status(error.status)
    .type('application/json; charset=utf-8')
    .header('retry-after', retryAfterSeconds);
  return error;
}

/** The answer in place of one that cannot be signed. */
export function noSignature(cause?: unknown): ObError {
  const message =
    'The service cannot answer at the moment. Send the request again, a POST with the same x-idempotency-key.';
  return new ObError(503, message, [createFault('UnexpectedError', 'There is no answer at the moment.')], { cause });
}
