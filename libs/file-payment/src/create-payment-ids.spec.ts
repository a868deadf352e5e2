import { describe, expect, it } from '@jest/globals';
import { createPaymentIds } from './create-payment-ids.js';

describe('the ids of the payments of a file', () => {
  it('are different, and UUIDs of version 7 with their time in front (RFC 9562 s5.7)', () => {
    const ids = createPaymentIds(150, new Date('2026-11-22T04:00:00.123Z'));
    const time = Date.parse('2026-11-22T04:00:00.123Z').toString(16).padStart(12, '0');
    expect(new Set(ids).size).toBe(150);
    const others = createPaymentIds(5_000, new Date('2026-11-22T04:00:00.123Z'));
    expect(new Set([...ids, ...others]).size).toBe(5_150);
    for (const id of ids) expect(id).toMatch(new RegExp(`^${time}7[0-9a-f]{3}[89ab][0-9a-f]{15}$`));
  });
});
