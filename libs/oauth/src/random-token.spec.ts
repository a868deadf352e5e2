import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createRandomToken, hashToken } from './random-token.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('random tokens', () => {
  it('have 29 random bytes behind the time', () => {
    const tokens = Array.from({ length: 1_000 }, createRandomToken);
    expect(new Set(tokens.map((token) => token.slice(4))).size).toBe(1_000);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
    const time = Buffer.from(tokens[999]!, 'base64url').readUIntBE(0, 3);
    const now = Math.floor(Date.now() / 65_536) % 2 ** 24;
    expect([now - 1, now]).toContain(time);
  });

  it('are stored as SHA-256 behind the time', () => {
    expect(hashToken('AAECabc').toString('hex')).toBe(`000102${sha256('AAECabc').slice(6)}`);
  });

  it.each(['', 'é', '+/', 'A', 'AAEC\0'])('look up whatever is presented instead: %j', (presented) => {
    expect(hashToken(presented).toString('hex').slice(6)).toBe(sha256(presented).slice(6));
  });
});
