import { describe, expect, it } from '@jest/globals';
import { BodilessError, ObError } from '#libs/error-envelope';
import { aFastifyRequest, contextOf } from '../../../test/support/a-fastify-request.js';
import { FapiHeadersGuard } from './fapi-headers.guard.js';
import { IdempotencyKeyGuard } from './idempotency-key.guard.js';
import { MediaTypeGuard } from './media-type.guard.js';

const request = (headers: Record<string, string | string[]>, method = 'POST') => aFastifyRequest({ method, headers });

const refusal = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    if (error instanceof BodilessError) return error.status;
    if (error instanceof ObError) return error.faults.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  return 'accepted';
};

describe('x-idempotency-key (Read/Write API 3.1.2, Idempotency)', () => {
  const guard = new IdempotencyKeyGuard();
  const check = (value?: string | string[]) =>
    refusal(() => guard.canActivate(contextOf(request(value === undefined ? {} : { 'x-idempotency-key': value }))));

  it.each(['k', 'x'.repeat(40), 'with space inside', 'a.b/c:d'])('accepts %j', (key) => {
    expect(check(key)).toBe('accepted');
  });

  it.each([undefined, ''])('demands a key where there is %j (FP-136)', (key) => {
    expect(check(key)).toEqual(['Header.Missing x-idempotency-key']);
  });

  it.each([['x'.repeat(41)], [' leading'], ['trailing '], ['a\tb'], [['once', 'twice']]])(
    'refuses %j (FP-137, FP-138)',
    (key) => {
      expect(check(key)).toEqual(['Header.Invalid x-idempotency-key']);
    },
  );
});

describe('FAPI headers (FAPI 1.0 Baseline s6.2.2)', () => {
  const guard = new FapiHeadersGuard();
  const check = (name: string, value: string | string[]) =>
    refusal(() => guard.canActivate(contextOf(request({ [name]: value }))));

  it.each([
    ['x-fapi-auth-date', 'Sun, 10 Sep 2017 19:43:31 GMT'],
    ['x-fapi-auth-date', 'Sun, 10 Sep 2017 19:43:31 UTC'],
    ['x-fapi-customer-ip-address', '198.51.100.119'],
    ['x-fapi-customer-ip-address', '2001:DB8::1893:25c8:1946'],
    ['x-fapi-interaction-id', '93bac548-D2de-4546-b106-880a5018460d'],
    ['x-fapi-financial-id', 'anything'],
  ])('accepts %s: %s (FP-163 to FP-165)', (name, value) => {
    expect(check(name, value)).toBe('accepted');
  });

  it.each<[string, string | string[]]>([
    ['x-fapi-auth-date', '2017-09-10'],
    ['x-fapi-auth-date', ''],
    ['x-fapi-customer-ip-address', '300.1.1.1'],
    ['x-fapi-interaction-id', 'not-a-uuid'],
    ['x-fapi-interaction-id', ['93bac548-d2de-4546-b106-880a5018460d', '93bac548-d2de-4546-b106-880a5018460e']],
  ])('refuses %s: %j', (name, value) => {
    expect(check(name, value)).toEqual([`Header.Invalid ${name}`]);
  });
});

describe('Accept and Content-Type (Read/Write API 3.1.2, Headers)', () => {
  const guard = new MediaTypeGuard();
  const check = (headers: Record<string, string | string[]>, method?: string) =>
    refusal(() => guard.canActivate(contextOf(request(headers, method))));

  it.each<Record<string, string>>([
    {},
    { accept: '' },
    { accept: '*/*' },
    { accept: 'application/*' },
    { accept: 'application/json' },
    { accept: 'application/json;charset=UTF-8' },
    { accept: 'application/json; charset=utf-8' },
    { accept: 'text/html, application/json;q=0.1' },
    { accept: 'application/json, application/*+json, */*' },
  ])('answers %j (FP-166)', (headers) => {
    expect(check(headers, 'GET')).toBe('accepted');
  });

  it('does not read an Accept of thousands of characters', () => {
    expect(check({ accept: 'application/json'.padEnd(4_096, ',') }, 'GET')).toBe('accepted');
    expect(check({ accept: 'application/json'.padEnd(4_097, ',') }, 'GET')).toBe(406);
  });

  it.each([{ accept: 'application/xml' }, { accept: 'application/json;q=0' }, { accept: 'application/jose+jwe' }])(
    '406 for %j',
    (headers) => {
      expect(check(headers, 'GET')).toBe(406);
    },
  );

  it.each<Record<string, string>>([
    { 'content-type': 'application/json' },
    { 'content-type': 'Application/JSON; charset=UTF-8' },
    { 'content-type': 'application/json; profile=x' },
    { 'content-type': 'application/json', 'content-encoding': 'identity' },
    { 'content-type': 'application/json', 'content-encoding': '' },
  ])('reads %j (FP-167)', (headers) => {
    expect(check(headers)).toBe('accepted');
  });

  it.each<Record<string, string | string[]>>([
    {},
    { 'content-type': ['application/json', 'application/json'] },
    { 'content-type': 'text/plain' },
    { 'content-type': 'text/xml' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ])('415 for %j', (headers) => {
    expect(check(headers)).toBe(415);
  });
});
