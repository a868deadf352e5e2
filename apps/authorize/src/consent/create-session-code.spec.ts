import { describe, expect, it } from '@jest/globals';
import { createNextSessionValue } from '../psu-session/next-session-value.js';
import { createSessionCode } from './create-session-code.js';

const secret = Buffer.alloc(32, 1);
const value = 'k4jmiFod664CnHTBHdx7xz6PT4UywMft2fAUkC8Gx5s';

describe('createSessionCode', () => {
  it('creates the same code for every click of one session', () => {
    expect(createSessionCode({ secret, value })).toMatch(/^[\w-]{43}$/);
    expect(createSessionCode({ secret, value })).toBe(createSessionCode({ secret, value }));
  });

  it('creates another code for another session or secret, and never the value of a session', () => {
    const others = [
      createSessionCode({ secret, value: `${value.slice(0, -1)}t` }),
      createSessionCode({ secret: Buffer.alloc(32, 2), value }),
      createNextSessionValue({ secret, value }),
    ];
    expect(others).not.toContain(createSessionCode({ secret, value }));
    expect(new Set(others).size).toBe(others.length);
  });
});
