import { describe, expect, it } from '@jest/globals';
import { inTurn } from './idempotency-store.js';

const asks = (...names: readonly string[]) =>
  names.map((name) => {
    const [idempotencyKey = '', resource = ''] = name.split(' ');
    const request = { clientId: 'c', operation: 'o', idempotencyKey, requestHash: Buffer.alloc(32) };
    return { name, resource, request };
  });

/** Carries out what has a free key and a free resource, and notes what each statement was about. */
function aTable(used: readonly string[] = []) {
  const taken = new Set(used);
  const statements: string[][] = [];
  const work = async (asked: Readonly<ReturnType<typeof asks>>) => {
    statements.push(asked.map(({ name }) => name));
    return asked.map(({ name }) => {
      const own = name.split(' ');
      if (own.some((each) => taken.has(each))) return undefined;
      for (const each of own) taken.add(each);
      return name;
    });
  };
  return { statements, work };
}

const twins = Array.from({ length: 49 }, () => 'k1 r1');

describe('requests that arrive together', () => {
  it.each<[title: string, asked: string[], used: string[], results: (string | undefined)[], statements: string[][]]>([
    ['share a statement', ['k1 r1', 'k2 r2'], [], ['k1 r1', 'k2 r2'], [['k1 r1', 'k2 r2']]],
    ['are refused if they repeat a key that is used now', ['k1 r1', 'k1 r2'], [], ['k1 r1', undefined], [['k1 r1']]],
    ['are refused if they repeat what was changed now', ['k1 r1', 'k2 r1'], [], ['k1 r1', undefined], [['k1 r1']]],
    ['get the key of one that was refused', ['k1 r1', 'k1 r2'], ['r1'], [undefined, 'k1 r2'], [['k1 r1'], ['k1 r2']]],
    ['get what one was refused', ['k1 r1', 'k2 r1'], ['k1'], [undefined, 'k2 r1'], [['k1 r1'], ['k2 r1']]],
    ['do not wait for twins of one', [...twins, 'k2 r2'], [], ['k1 r1', ...Array(48), 'k2 r2'], [['k1 r1', 'k2 r2']]],
    ['do not wait for replays', [...twins, 'k2 r2'], ['k1'], [...Array(49), 'k2 r2'], [['k1 r1', 'k2 r2']]],
  ])('%s', async (_title, asked, used, results, statements) => {
    const table = aTable(used);
    expect(await inTurn(asks(...asked), table.work, ({ resource }) => resource)).toEqual(results);
    expect(table.statements).toEqual(statements);
  });

  it('that make something new repeat their keys alone', async () => {
    const { statements, work } = aTable(['k1']);
    expect(await inTurn(asks('k1', 'k2', 'k1', 'k2'), work)).toEqual([undefined, 'k2', undefined, undefined]);
    expect(statements).toEqual([['k1', 'k2']]);
  });

  it('of two clients, or of two operations, are no twins', async () => {
    const { statements, work } = aTable();
    const [one, other, third] = asks('k1 r1', 'k2 r2', 'k3 r3').map((each, index) => ({
      ...each,
      request: {
        ...each.request,
        idempotencyKey: 'k',
        clientId: index === 1 ? 'd' : 'c',
        operation: String(index === 2),
      },
    }));
    await inTurn([one!, other!, third!], work, ({ resource }) => resource);
    expect(statements).toHaveLength(1);
  });

  it('fail together', async () => {
    await expect(inTurn(asks('k1'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
