import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { headerInvalid, headerMissing } from '#libs/error-catalogue';
import { ObError } from '#libs/error-envelope';
import { singleHeader } from './api-request.js';

const name = 'x-idempotency-key';

/** Form of x-idempotency-key (Read/Write profile, idempotency): 1 to 40 characters, no white space at the ends. */
@Injectable()
export class IdempotencyKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { value, isRepeated } = singleHeader(request, name);
    if (value === undefined || value === '') {
      throw new ObError(400, 'The request has no idempotency key.', [headerMissing(name)]);
    }
    if (isRepeated || value.length > 40 || !/^(?!\s)[^\p{Cc}]*\S$/u.test(value)) {
      throw new ObError(400, 'The idempotency key is not valid.', [
        headerInvalid(name, 'must be sent once and have 1 to 40 characters without white space at either end'),
      ]);
    }
    request.idempotencyKey = value;
    return true;
  }
}
