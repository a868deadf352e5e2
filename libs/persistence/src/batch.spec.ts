import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Batch } from './batch.js';

function aBatch({ maxSize = 10, fail = () => false }: { maxSize?: number; fail?: (request: number) => boolean } = {}) {
  const runs: number[][] = [];
  const batch = new Batch<number, string>(
    async (requests) => {
      runs.push([...requests]);
      if (requests.some(fail)) throw new Error(`cannot do ${requests.join()}`);
      return requests.map((request) => `done ${request}`);
    },
    { maxSize },
  );
  return { batch, runs };
}

/** A batch that ends when it is told to, by the name of its first request. */
function aSlowBatch() {
  const runs: number[][] = [];
  const ended = new EventEmitter();
  const batch = new Batch<number, string>(
    async (requests) => {
      runs.push([...requests]);
      await once(ended, String(requests[0]));
      return requests.map((request) => `done ${request}`);
    },
    { maxSize: 10 },
  );
  return { batch, runs, end: (first: number) => ended.emit(String(first)) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('group commit', () => {
  it('hands over together what arrives within one turn, and answers each with its own result', async () => {
    const { batch, runs } = aBatch();
    await expect(Promise.all([1, 2, 3].map((each) => batch.add(each)))).resolves.toEqual([
      'done 1',
      'done 2',
      'done 3',
    ]);
    expect(runs).toEqual([[1, 2, 3]]);
  });

  it('starts again in the next turn', async () => {
    const { batch, runs } = aBatch();
    await batch.add(1);
    await batch.add(2);
    expect(runs).toEqual([[1], [2]]);
  });

  it('hands over together what arrives while a batch is under way, once that has ended', async () => {
    const { batch, runs, end } = aSlowBatch();
    const first = batch.add(1);
    await turn();
    const later = [batch.add(2)];
    await turn();
    later.push(batch.add(3));
    await turn();
    expect(runs).toEqual([[1]]);
    end(1);
    await first;
    await turn();
    await turn();
    expect(runs).toEqual([[1], [2, 3]]);
    end(2);
    await Promise.all(later);
  });

  it('lets nobody wait long for a batch that does not end', async () => {
    const { batch, runs, end } = aSlowBatch();
    const first = batch.add(1);
    await turn();
    const later = batch.add(2);
    while (runs.length < 2) await turn();
    end(2);
    await expect(later).resolves.toBe('done 2');
    expect(runs).toEqual([[1], [2]]);
    end(1);
    await first;
  });

  it('hands over no more than its limit at once', async () => {
    const { batch, runs } = aBatch({ maxSize: 2 });
    await Promise.all([1, 2, 3, 4, 5].map((each) => batch.add(each)));
    expect(runs).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('does not let the fault of one request become another’s', async () => {
    const { batch } = aBatch({ fail: (request) => request === 2 });
    const results = await Promise.allSettled([1, 2, 3].map((each) => batch.add(each)));
    expect(results).toEqual([
      { status: 'fulfilled', value: 'done 1' },
      { status: 'rejected', reason: new Error('cannot do 2') },
      { status: 'fulfilled', value: 'done 3' },
    ]);
  });

  it('does not let one row that somebody holds become the wait of the others', async () => {
    const locked = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
    const run = async (requests: readonly number[]): Promise<string[]> => {
      if (requests.includes(2)) throw locked;
      return requests.map((request) => `done ${request}`);
    };
    const batch = new Batch<number, string>(run, { maxSize: 10 });
    const results = await Promise.allSettled([1, 2, 3].map((each) => batch.add(each)));
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason))).toEqual([
      'done 1',
      locked,
      'done 3',
    ]);
  });

  it('asks only once if the database is away: the work may have been done', async () => {
    const runs: number[][] = [];
    const away = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const run = (requests: readonly number[]): Promise<never> => {
      runs.push([...requests]);
      return Promise.reject(away);
    };
    const batch = new Batch<number, string>(run, { maxSize: 10 });
    const results = await Promise.allSettled([1, 2, 3].map((each) => batch.add(each)));
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([away, away, away]);
    expect(runs).toEqual([[1, 2, 3]]);
  });
});
