import { describe, expect, it } from '@jest/globals';
import { Readiness } from './readiness.js';

describe('readiness', () => {
  it('is not given before anything was checked', async () => {
    expect(await new Readiness().report()).toEqual({ isReady: false, checks: {} });
  });

  it('names each check that does not hold, with its reason', async () => {
    const readiness = new Readiness();
    readiness.add('keys', () => undefined);
    const remove = readiness.add('database', () => Promise.reject(new Error('connect ECONNREFUSED')));
    expect(await readiness.report()).toEqual({
      isReady: false,
      checks: { keys: 'ok', database: 'connect ECONNREFUSED' },
    });
    remove();
    expect(await readiness.report()).toEqual({ isReady: true, checks: { keys: 'ok' } });
  });

  it('runs its checks once for all who ask at the same time', async () => {
    const readiness = new Readiness();
    let runs = 0;
    readiness.add('count', async () => {
      runs += 1;
    });
    await Promise.all([readiness.report(), readiness.report(), readiness.report()]);
    expect(runs).toBe(1);
  });

  it('does not wait for ever', async () => {
    const readiness = new Readiness();
    readiness.add('database', () => new Promise(() => undefined));
    expect((await readiness.report()).checks['database']).toMatch(/no answer within \d+ ms/);
  });
});
