import { describe, expect, it } from '@jest/globals';
import { createApprovalCookie, parseApprovalCookie } from './approval-cookie.js';

const value = 'v'.repeat(43);

describe('the cookie of the approvals (RFC 6265bis)', () => {
  it('is read back as it was set, among others', () => {
    const [pair = ''] = createApprovalCookie(value, 600).split(';');
    expect(parseApprovalCookie(`other=1; ${pair}; last=2`)).toBe(value);
  });

  it('stays with this host, away from scripts and from other sites', () => {
    expect(createApprovalCookie(value, 600)).toMatch(
      /^__Host-approvals=.+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it.each([
    undefined,
    '',
    'x',
    '__Host-approvals=short',
    `__Host-approvals=${'v'.repeat(44)}`,
    `__Host-approvals=${'<'.repeat(43)}`,
  ])('is not %j', (header) => {
    expect(parseApprovalCookie(header)).toBeUndefined();
  });
});
