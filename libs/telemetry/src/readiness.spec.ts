import { describe, expect, it } from '@jest/globals';
import { Readiness } from './readiness.js';

describe('readiness', () => {
  it('does not exist before the first check', async () => {
    expect(await new Readiness().report()).toEqual({ isReady: false, isServing: false, checks: {} });
  });

  it('names each failed check, with its reason', async () => {
    const readiness = new Readiness();
    readiness.add('keys', () => undefined);
    const remove = readiness.add('database', () => Promise.reject(new Error('connect ECONNREFUSED')));
    expect(await readiness.report()).toEqual({
      isReady: false,
      isServing: false,
      checks: { keys: 'ok', database: 'connect ECONNREFUSED' },
    });
    remove();
    expect(await readiness.report()).toEqual({ isReady: true, isServing: true, checks: { keys: 'ok' } });
  });

  it('once reached, is not lost to a failure that all instances share', async () => {
    const readiness = new Readiness();
    const faults = new Set(['database']);
    const check = (name: string) => () => {
      if (faults.has(name)) throw new Error('away');
    };
    readiness.add('database', check('database'), { isShared: true });
    readiness.add('process', check('process'));
    const states = async () => {
      const { isReady, isServing } = await readiness.report();
      return { isReady, isServing };
    };
    // A process that starts without its database, or on an older schema, was never ready.
    expect(await states()).toEqual({ isReady: false, isServing: false });
    faults.clear();
    expect(await states()).toEqual({ isReady: true, isServing: true });
    faults.add('database');
    expect(await states()).toEqual({ isReady: false, isServing: true });
    // A failure of this instance alone ends its readiness: it stops, or its certificate has expired.
    faults.add('process');
    expect(await states()).toEqual({ isReady: false, isServing: false });
  });

  it('runs its checks once for all simultaneous callers', async () => {
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
