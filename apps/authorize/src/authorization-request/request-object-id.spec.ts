import { describe, expect, it } from '@jest/globals';
import { findRequestObjectId } from './request-object-id.js';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const aRequestObject = (claims: object): string => `${part({ alg: 'PS256' })}.${part({ exp: 60, ...claims })}.c2ln`;

describe('jti of a request object (RFC 7519 s4.1.7)', () => {
  it('is remembered whole until the request object expires', () => {
    const jti = 'é'.repeat(255);
    expect(findRequestObjectId(aRequestObject({ jti }))).toEqual({ jti, expiresAt: new Date(60_000) });
  });

  it('need not be there', () => {
    expect(findRequestObjectId(aRequestObject({}))).toBeUndefined();
    expect(findRequestObjectId(undefined)).toBeUndefined();
  });
});
