import { afterEach, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from './config.module.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('the clock follows that of the database, and runs on between two reads', async () => {
  const clock = new Clock();
  const time = Date.parse('2031-01-01T00:00:00Z');
  await clock.follow(async () => new Date(time));
  const first = clock.now().getTime();
  expect(Math.abs(first - time)).toBeLessThan(1_000);
  await sleep(20);
  expect(clock.now().getTime()).toBeGreaterThan(first);
});

it('the clock uses the read that was answered fastest', async () => {
  const clock = new Clock();
  let reads = 0;
  await clock.follow(async () => {
    reads += 1;
    if (reads !== 2) await sleep(50);
    return new Date(reads * 1_000_000);
  });
  expect(Math.round(clock.now().getTime() / 1_000_000)).toBe(2);
});
