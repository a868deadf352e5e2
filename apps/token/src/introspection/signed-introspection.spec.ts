import { describe, expect, it } from '@jest/globals';
import { maxAcceptLength } from '#libs/guards';
import { prefersSigned, signedIntrospectionType } from './signed-introspection.js';

describe('the media type of an introspection (RFC 9701 s4)', () => {
  it.each([
    [signedIntrospectionType, true],
    [`application/json;q=0.5, ${signedIntrospectionType}`, true],
    [`application/json, ${signedIntrospectionType}`, false],
    [`${signedIntrospectionType};q=0`, false],
    ['application/json', false],
    ['*/*', false],
    [undefined, false],
  ])('Accept %j: signed is %s', (accept, expected) => {
    expect(prefersSigned(accept)).toBe(expected);
  });

  it('is JSON if Accept is longer than a header should be', () => {
    expect(prefersSigned(signedIntrospectionType.padEnd(maxAcceptLength, ','))).toBe(true);
    expect(prefersSigned(signedIntrospectionType.padEnd(maxAcceptLength + 1, ','))).toBe(false);
  });
});
