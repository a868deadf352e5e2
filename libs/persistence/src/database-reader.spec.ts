import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Database } from './database.js';
import { DatabaseReader } from './database-reader.js';

Logger.overrideLogger(false);

type Row = Record<string, unknown>;

/** A server that answers with its name, or with its state. */
const server = (name: string, isIt: Row): Database & { asked: string[] } => {
  const asked: string[] = [];
  const query = (statement: string) => {
    asked.push(statement);
    return Promise.resolve({ rows: [statement.startsWith('find-end') ? isIt : { name }] });
  };
  return { applicationName: 'test', asked, query } as unknown as Database & { asked: string[] };
};

const primary = () => server('primary', { end: '0/1', timeline: '00000001', system: '1' });
const good = { isReplica: true, isSame: true, isOfTimeline: true, hasReplayed: true };
const ask = async (reader: DatabaseReader) => (await reader.query('which', 'SELECT', [])).rows;

describe('what may be a second old', () => {
  it('is read on the primary where there is no replica, and nothing else is asked', async () => {
    const only = primary();
    const reader = new DatabaseReader(only, undefined);
    expect(await ask(reader)).toEqual([{ name: 'primary' }]);
    expect(reader.isReplicaUsed).toBeUndefined();
    expect(only.asked).toEqual(['which']);
  });

  it('is read on a replica that has all that the primary has; only one of many readers checks that', async () => {
    const first = primary();
    const reader = new DatabaseReader(first, server('replica', good));
    const answers = await Promise.all([ask(reader), ask(reader), ask(reader)]);
    expect(answers.flat()).toEqual(Array.from({ length: 3 }, () => ({ name: 'replica' })));
    await ask(reader);
    expect(first.asked).toEqual(['find-end-of-log']);
    expect(reader.isReplicaUsed).toBe(true);
  });

  it.each([
    ['is of another database', { ...good, isSame: false }],
    ['was promoted', { ...good, isReplica: false }],
    ['follows another primary', { ...good, isOfTimeline: false }],
    ['lags', { ...good, hasReplayed: false }],
  ])('is not read on a replica that %s', async (_what, isIt) => {
    const reader = new DatabaseReader(primary(), server('replica', isIt));
    expect(await ask(reader)).toEqual([{ name: 'primary' }]);
    expect(reader.isReplicaUsed).toBe(false);
  });

  it('is read on the primary while the replica hangs', async () => {
    const hung = { query: () => new Promise(() => undefined) } as unknown as Database;
    const startedAt = performance.now();
    expect(await ask(new DatabaseReader(primary(), hung))).toEqual([{ name: 'primary' }]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
