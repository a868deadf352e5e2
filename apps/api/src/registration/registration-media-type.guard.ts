import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BodilessError } from '#libs/error-envelope';
import { assertJsonAcceptable } from '#libs/guards';

/** RFC 7515 s9.2 and RFC 7519 s10.3 both define a type for such a body: TPPs send either. */
const mediaTypes: ReadonlySet<string> = new Set(['application/jose', 'application/jwt']);

/** Accept and Content-Type of registration: 406 and 415 without a body. Parameters of the type are ignored. */
@Injectable()
export class RegistrationMediaTypeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    assertJsonAcceptable(request);
    if (request.method === 'POST' || request.method === 'PUT') assertJoseBody(request);
    return true;
  }
}

function assertJoseBody({ headers }: FastifyRequest): void {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1);
  const coding = headers['content-encoding'] ?? 'identity';
  if (!mediaTypes.has(mediaType.trim().toLowerCase()) || coding.toLowerCase() !== 'identity') {
    throw new BodilessError(415, 'the body must be application/jose or application/jwt without a content coding');
  }
}
