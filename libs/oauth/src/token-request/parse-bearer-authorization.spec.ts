import { describe, expect, it } from '@jest/globals';
import { parseBearerAuthorization } from './parse-bearer-authorization.js';

describe('the access token of an Authorization header (RFC 6750 s2.1)', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])('is accepted whatever the case of the scheme (%s)', (scheme) => {
    expect(parseBearerAuthorization(`${scheme} mF_9.B5f-4.1JqM~+/==`)).toBe('mF_9.B5f-4.1JqM~+/==');
  });

  it('may be any number of spaces away from the scheme', () => {
    expect(parseBearerAuthorization('Bearer   a')).toBe('a');
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer\ta',
    'Bearer a b',
    'Basic YTpi',
    'Bearer a,b',
    `Bearer ${'a'.repeat(513)}`,
  ])('is none in %j', (authorization) => {
    expect(parseBearerAuthorization(authorization)).toBeUndefined();
  });
});
