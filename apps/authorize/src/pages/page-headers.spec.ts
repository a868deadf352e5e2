import { describe, expect, it } from '@jest/globals';
import { pageHeaders } from './page-headers.js';

describe('the headers of a page', () => {
  it.each([
    ['https://tpp.example.com/cb?x=1', "form-action 'self' https://tpp.example.com"],
    ['https://tpp.example.com:8443/cb', "form-action 'self' https://tpp.example.com:8443"],
    ['http://localhost:8447/callback', "form-action 'self' http://localhost:8447"],
    ['https://tpp.example.com;script-src/', "form-action 'self' https:"],
    ['com.example.tpp:/cb', "form-action 'self' com.example.tpp:"],
  ])('let a form lead only to the TPP at %s', (redirectUri, expected) => {
    const policy = pageHeaders(redirectUri)['content-security-policy'] ?? '';
    expect(policy.slice(policy.indexOf('form-action'))).toBe(expected);
  });

  it('let a form without a request lead nowhere', () => {
    expect(pageHeaders()['content-security-policy']).toMatch(/form-action 'self'$/);
  });
});
