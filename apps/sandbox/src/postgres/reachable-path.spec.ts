import { describe, expect, it } from '@jest/globals';
import { isPermitted } from './reachable-path.js';

const nobody = { uid: 65_534, gid: 65_534 };

describe('whether another account may use a folder', () => {
  it.each([
    [{ uid: 0, gid: 0, mode: 0o40755 }, 0o5, true],
    [{ uid: 0, gid: 0, mode: 0o40711 }, 0o1, true],
    [{ uid: 0, gid: 0, mode: 0o40711 }, 0o4, false],
    [{ uid: 0, gid: 0, mode: 0o40700 }, 0o1, false],
    [{ uid: 65_534, gid: 0, mode: 0o40700 }, 0o7, true],
    [{ uid: 0, gid: 65_534, mode: 0o40750 }, 0o5, true],
    // The first class that applies decides, even if a later one permits more.
    [{ uid: 65_534, gid: 0, mode: 0o40077 }, 0o1, false],
  ])('owner and mode %j, bits %s: %s', (ownership, bits, expected) => {
    expect(isPermitted(ownership, nobody, bits)).toBe(expected);
  });
});
