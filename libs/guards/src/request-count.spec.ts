import { expect, it } from '@jest/globals';
import { RequestCount } from './request-count.js';

it('names one second if less than one is left of the window, however long the test is kept waiting', async () => {
  const { resetSeconds } = await new RequestCount({ points: 1, windowSeconds: 1 }).take('caller');
  expect(resetSeconds).toBe(1);
});
