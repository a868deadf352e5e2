import { describe, expect, it } from '@jest/globals';
import { AccessDeniedError } from '../errors/protocol-errors.js';
import { createAuthorizationResponse, createErrorResponse } from './create-authorization-response.js';

const issuer = 'https://bank.example/open-banking/v3.0';
const baseUrl = 'https://bank.example';
const errorUri = encodeURIComponent('https://bank.example/docs/errors/access_denied');
const iss = encodeURIComponent(issuer);

describe('authorization response', () => {
  it('carries code, id_token, state and iss in the fragment for the hybrid flow (OIDC Core s3.3.2.5, RFC 9207)', () => {
    const target = {
      redirectUri: 'https://tpp.example/cb?dummy1=lorem&dummy2=ipsum',
      responseMode: 'fragment',
      state: 'a+b &=~',
    } as const;
    expect(createAuthorizationResponse({ target, issuer, code: 'c', idToken: 'h.p.s' })).toBe(
      `https://tpp.example/cb?dummy1=lorem&dummy2=ipsum#code=c&id_token=h.p.s&state=a%2Bb%20%26%3D~&iss=${iss}`,
    );
  });

  it.each([
    ['https://tpp.example/cb', 'https://tpp.example/cb?'],
    ['https://tpp.example/cb?a=%20b', 'https://tpp.example/cb?a=%20b&'],
    ['https://tpp.example/cb?', 'https://tpp.example/cb?'],
  ])('keeps the query of %s in the code flow (RFC 6749 s3.1.2)', (redirectUri, start) => {
    const location = createAuthorizationResponse({ target: { redirectUri, responseMode: 'query' }, issuer, code: 'c' });
    expect(location).toBe(`${start}code=c&iss=${iss}`);
  });

  it('returns no state if there was none', () => {
    const target = { redirectUri: 'https://tpp.example/cb', responseMode: 'fragment' } as const;
    expect(createAuthorizationResponse({ target, issuer, code: 'c' })).not.toContain('state');
  });

  it('carries errors the same way (RFC 6749 s4.1.2.1)', () => {
    const target = { redirectUri: 'https://tpp.example/cb?a=b', responseMode: 'fragment', state: 's' } as const;
    const location = createErrorResponse({
      target,
      issuer,
      baseUrl,
      error: new AccessDeniedError('customer said "no"'),
    });
    expect(location).toBe(
      `https://tpp.example/cb?a=b#error=access_denied&error_description=customer%20said%20%3Fno%3F&error_uri=${errorUri}&state=s&iss=${iss}`,
    );
  });
});
