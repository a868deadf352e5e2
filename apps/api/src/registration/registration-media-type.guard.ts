import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { createFault } from '#libs/error-catalogue';
import { BodilessError, ObError } from '#libs/error-envelope';
import { assertJsonAcceptable, hasContentCoding, mediaTypeOf } from '#libs/guards';

/** RFC 7515 s9.2 and RFC 7519 s10.3 each define a type for such a body; TPPs send either. */
const mediaTypes: ReadonlySet<string> = new Set(['application/jose', 'application/jwt']);

/** Accept and Content-Type of registration: 406 and 415 without a body. Parameters of the type are ignored. */
@Injectable()
export class RegistrationMediaTypeGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    assertJsonAcceptable(request);
    const hasBody = request.method === 'POST' || request.method === 'PUT';
    if (hasBody && !isJoseBody(request)) throw this.#refusal();
    return true;
  }

  /** The published description has no 415 for registration, so a bank may choose 400. */
  #refusal(): Error {
    const message = 'The body must be application/jose or application/jwt without a content coding.';
    if (this.config.registration.unsupportedMediaTypeStatus === 415) return new BodilessError(415, message);
    return new ObError(400, 'The registration request was refused.', [
      createFault('Header.Invalid', message, 'Content-Type'),
    ]);
  }
}

function isJoseBody(request: FastifyRequest): boolean {
  return mediaTypes.has(mediaTypeOf(request)?.type ?? '') && !hasContentCoding(request);
}
