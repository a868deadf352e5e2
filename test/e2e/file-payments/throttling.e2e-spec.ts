import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { expectBodiless } from '../../support/expectations.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { consents, unknownId } from './world.js';

const limit = 30;

describe('requests beyond fair usage', () => {
  let sandbox: TestSandbox | undefined;
  let tpps: TestTpp[] = [];

  beforeAll(async () => {
    const environment = { RATE_LIMIT_PER_CLIENT: String(limit), RATE_LIMIT_WINDOW_SECONDS: '60' };
    sandbox = await startTestSandbox({ environment });
    tpps = [await aTpp(sandbox), await aTpp(sandbox, { index: 1 })];
  });

  afterAll(async () => {
    for (const tpp of tpps) tpp.close();
    await sandbox?.stop();
  });

  it('FP-176 are answered with 429, the seconds to wait and no body; another client is not affected', async () => {
    const [tpp, otherTpp] = tpps;
    if (!tpp || !otherTpp) throw new Error('The TPPs are missing.');
    const path = `${consents}/${unknownId}`;
    const responses = await Promise.all(Array.from({ length: limit + 10 }, () => tpp.get(path)));
    const excess = responses.filter(({ status }) => status === 429);
    expect(excess.length).toBeGreaterThanOrEqual(10);
    for (const response of excess) {
      expectBodiless(response, 429);
      expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    expect((await otherTpp.get(path)).status).toBe(400);
  });
});
