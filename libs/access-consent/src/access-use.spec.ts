import { describe, expect, it } from '@jest/globals';
import type { StatementRunner } from '#libs/persistence';
import { noteAccessUse } from './access-use.js';

/** @returns the parameters of the statements that a use sends */
async function sentBy(now: string, lastUsedAt?: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  const runner = { query: async (...statement: unknown[]) => sent.push(statement[2]) } as unknown as StatementRunner;
  const use = { consentId: 'c', lastUsedAt: lastUsedAt === undefined ? undefined : new Date(lastUsedAt) };
  await noteAccessUse(runner, { ...use, now: new Date(now) });
  return sent;
}

describe('a use of access', () => {
  it.each<[string, string, string | undefined, string]>([
    ['is the first', '2030-01-31T10:00:00Z', undefined, '2030-01-31T00:00:00Z'],
    ['is the first of its day', '2030-01-31T00:00:00Z', '2030-01-30T23:59:59Z', '2030-01-31T00:00:00Z'],
    ['is the first of its day in London', '2030-06-30T23:30:00Z', '2030-06-30T22:59:59Z', '2030-06-30T23:00:00Z'],
  ])('is written if it %s', async (_which, now, lastUsedAt, midnight) => {
    expect(await sentBy(now, lastUsedAt)).toEqual([['c', new Date(now), new Date(midnight)]]);
  });

  it.each([
    ['2030-01-31T23:59:59Z', '2030-01-31T00:00:00Z'],
    ['2030-06-30T22:30:00Z', '2030-06-29T23:00:00Z'],
    // Another process's clock is ahead.
    ['2030-01-31T10:00:00Z', '2030-02-01T00:00:01Z'],
  ])('at %s sends nothing after one at %s', async (now, lastUsedAt) => {
    expect(await sentBy(now, lastUsedAt)).toEqual([]);
  });
});
