import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { OlderAudiences } from './older-audiences.service.js';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 21) + seconds * 1_000);

afterEach(() => {
  jest.restoreAllMocks();
});

describe('uses of older audiences in client assertions (RFC 10070)', () => {
  it('are reported for each client at the first one and then hourly, with their count', () => {
    const reports: unknown[] = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => void reports.push(message));
    const audiences = new OlderAudiences();
    for (const [client, seconds] of [
      ['a', 0],
      ['a', 1],
      ['b', 2],
      ['a', 3_599],
      ['a', 3_600],
      ['a', 3_601],
    ] as const) {
      audiences.count(client, at(seconds));
    }
    const message = 'client assertion with an older audience';
    expect(reports).toEqual([
      { message, clientId: 'a', uses: 1 },
      { message, clientId: 'b', uses: 1 },
      { message, clientId: 'a', uses: 3 },
    ]);
  });
});
