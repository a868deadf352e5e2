import { expect, it } from '@jest/globals';
import { RequestCount } from './request-count.js';

it('names the seconds that are left of the window, begun ones included, and never none', async () => {
  for (const windowSeconds of [1, 60]) {
    const { resetSeconds } = await new RequestCount({ points: 1, windowSeconds }).take('caller');
    expect(resetSeconds).toBe(windowSeconds);
  }
});
