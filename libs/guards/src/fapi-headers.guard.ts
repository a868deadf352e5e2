import { isIP } from 'node:net';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Fault, headerInvalid } from '#libs/error-catalogue';
import { ObError } from '#libs/error-envelope';
import { interactionIdHeader, isInteractionId } from '#libs/http-server';
import { singleHeader } from './api-request.js';

/** HTTP date of RFC 9110 s5.6.7; the standard's own samples end in UTC, so both zone words are accepted. */
const authDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC)$/;

const rules: readonly { name: string; isValid: (value: string) => boolean; rule: string }[] = [
  { name: interactionIdHeader, isValid: isInteractionId, rule: 'must be a UUID (RFC 4122)' },
  {
    name: 'x-fapi-auth-date',
    isValid: (value) => authDate.test(value),
    rule: 'must be a date of the form "Sun, 10 Sep 2017 19:43:31 GMT"',
  },
  {
    name: 'x-fapi-customer-ip-address',
    isValid: (value) => isIP(value) !== 0,
    rule: 'must be an IPv4 or IPv6 address',
  },
];

/** Form of the optional FAPI headers (Read/Write profile, HTTP request headers). All faults are listed at once. */
@Injectable()
export class FapiHeadersGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const items: Fault[] = [];
    for (const { name, isValid, rule } of rules) {
      const { value, isRepeated } = singleHeader(request, name);
      if (isRepeated) items.push(headerInvalid(name, 'may be sent only once'));
      else if (value !== undefined && !isValid(value)) items.push(headerInvalid(name, rule));
    }
    if (items.length > 0) throw new ObError(400, 'A request header is not valid.', items);
    return true;
  }
}
