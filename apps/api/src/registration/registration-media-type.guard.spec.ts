import { describe, expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { BodilessError } from '#libs/error-envelope';
import { aFastifyRequest, contextOf } from '../../../../test/support/a-fastify-request.js';
import { RegistrationMediaTypeGuard } from './registration-media-type.guard.js';

const guard = new RegistrationMediaTypeGuard({ registration: { unsupportedMediaTypeStatus: 415 } } as Config);

function statusOf(headers: Record<string, string | string[]>, method = 'POST'): number | undefined {
  try {
    guard.canActivate(contextOf(aFastifyRequest({ method, headers })));
    return undefined;
  } catch (error) {
    if (error instanceof BodilessError) return error.status;
    throw error;
  }
}

describe('the media type of a registration request (RFC 7515 s9.2, RFC 7519 s10.3)', () => {
  it.each(['application/jose', 'application/jwt', 'Application/JOSE; charset=utf-8'])('accepts %j', (type) => {
    expect(statusOf({ 'content-type': type })).toBeUndefined();
  });

  it('is required only with a body', () => {
    expect(statusOf({}, 'GET')).toBeUndefined();
  });

  it.each<Record<string, string | string[]>>([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': ['application/jose', 'application/json'] },
    { 'content-type': 'application/jose', 'content-encoding': 'gzip' },
  ])('415 for %j', (headers) => {
    expect(statusOf(headers)).toBe(415);
  });
});
