import { describe, expect, it } from '@jest/globals';
import { readLanding, signInAddress } from './landing.js';

const id = '0190aaaa-0000-7000-8000-000000000000';

describe('where a customer lands after the sign-in (RFC 9700 s4.11.2)', () => {
  it.each([
    '/approvals/access',
    '/approvals/decided',
    '/approvals/sessions',
    `/approvals/access/funds?consent=${id}`,
    `/approvals/access/end?grant=${id}`,
    `/approvals/access/end?grant=${'x'.repeat(43)}`,
    `/approvals/payment?file_payment=${id}`,
  ])('is %s', (page) => {
    expect(readLanding(page)).toBe(page);
    const address = new URL(signInAddress(page), 'https://bank.example');
    expect([address.pathname, address.searchParams.get('to')]).toEqual(['/approvals', page]);
  });

  it.each([
    undefined,
    '',
    '/approvals',
    '/approvals/sign-out',
    '/approvals/more-time',
    '/approvals/access/',
    '/approvals/access/../../elsewhere',
    '/approvals/access?grant=1',
    '/approvals/access\n',
    `/approvals/access/funds?consent=${id}&page=1`,
    `/approvals/payment?file_payment=${id}&advice=SuspectedFraud`,
    '//evil.example/approvals/access',
    'https://evil.example/approvals/access',
    '\\\\evil.example',
    'javascript:alert(1)',
  ])('is not %j', (page) => {
    expect(readLanding(page)).toBeUndefined();
  });
});
