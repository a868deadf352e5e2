import { describe, expect, it } from '@jest/globals';
import { createCsrfToken, isCsrfToken } from './csrf-token.js';
import { createNextSessionValue } from './next-session-value.js';
import { createSessionCookie, dropOldSessionCookies, parseSessionCookies } from './session-cookie.js';

const id = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const value = 'v'.repeat(43);

describe('the session cookie', () => {
  it('is read back as set', () => {
    const header = createSessionCookie({ sessionId: id(1), value }, 60).split(';')[0];
    expect(parseSessionCookies(`other=1; ${header}; x=y`)).toEqual([{ sessionId: id(1), value }]);
  });

  it.each([
    undefined,
    '',
    `__Host-authorization-${id(1)}=short`,
    `__Host-authorization-${id(1)}=${'v'.repeat(44)}`,
    `__Host-authorization-x=${value}`,
    `authorization-${id(1)}=${value}`,
    `__Host-authorization-${id(1).toUpperCase().replace('0189', 'ABCD')}=${value}`,
  ])('is ignored if it is not a session of this service: %s', (header) => {
    expect(parseSessionCookies(header)).toEqual([]);
  });

  it('makes room for one more session by dropping the oldest', () => {
    const header = [9, 3, 5, 1, 8, 2, 7, 4].map((n) => `__Host-authorization-${id(n)}=${value}`).join('; ');
    const held = parseSessionCookies(header);
    expect(dropOldSessionCookies(held)).toEqual([expect.stringContaining(`${id(1)}=; Path=/; Max-Age=0;`)]);
    expect(dropOldSessionCookies(held.slice(1))).toEqual([]);
  });
});

describe('the token of the forms', () => {
  it('belongs to one value of one session', () => {
    expect(isCsrfToken(createCsrfToken(value), value)).toBe(true);
    for (const token of [undefined, '', 'x', createCsrfToken('w'.repeat(43)), `${createCsrfToken(value)}x`]) {
      expect(isCsrfToken(token, value)).toBe(false);
    }
  });
});

describe('the next value of a session', () => {
  it('is the same for two clicks and cannot be computed without the key', () => {
    const secret = Buffer.alloc(32, 1);
    const next = createNextSessionValue({ secret, value });
    expect(next).toMatch(/^[\w-]{43}$/);
    expect(createNextSessionValue({ secret, value })).toBe(next);
    expect(createNextSessionValue({ secret: Buffer.alloc(32, 2), value })).not.toBe(next);
    expect(createNextSessionValue({ secret, value: next })).not.toBe(next);
    const byCodes = ['123456', '123457'].map((oneTimeCode) => createNextSessionValue({ secret, value, oneTimeCode }));
    expect(new Set([next, ...byCodes]).size).toBe(3);
  });
});
