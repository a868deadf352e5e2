import { afterEach, describe, expect, it } from '@jest/globals';
import { APostgresServer } from '../../../test/support/a-postgres-server.js';
import { isDatabaseUnavailable } from './database-unavailable.js';
import { ServersOfDatabase } from './servers-of-database.js';

const access = { user: 'x', database: 'x' };
const ours = '7000000000000000001';
const another = '7000000000000000002';

/** The state of a server that accepts writes. */
const on = (timeline: string, system = ours, startedAt = timeline): Record<string, string> => ({
  transaction_read_only: 'off',
  timeline: timeline.padStart(8, '0'),
  system,
  started_at: startedAt,
});
const standby = { ...on('1'), transaction_read_only: 'on' };

const running: APostgresServer[] = [];
const reports: (readonly string[])[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
  reports.length = 0;
});

/** A database whose servers answer this. */
async function start(
  ...answers: Record<string, string>[]
): Promise<{ servers: ServersOfDatabase; at: readonly APostgresServer[] }> {
  const at = await Promise.all(answers.map((answer) => new APostgresServer(answer).start()));
  running.push(...at);
  const hosts = at.map(({ host }) => host);
  return { servers: new ServersOfDatabase(hosts, ({ outdated }) => reports.push(outdated)), at };
}

describe('of several servers', () => {
  it('the one that takes writes is used, wherever it stands', async () => {
    const { servers, at } = await start(standby, on('1'), standby);
    expect(await servers.find(access)).toEqual(at[1]?.host);
    expect(reports).toEqual([]);
  });

  it.each([
    ['1', '2'],
    ['9', 'A'],
    ['FF', '100'],
  ])('the one with the newest timeline is used, and the other one reported: %s and %s', async (older, newer) => {
    const { servers, at } = await start(on(older), on(newer));
    expect(await servers.find(access)).toEqual(at[1]?.host);
    expect(reports).toEqual([
      [expect.stringMatching(/accepts writes on timeline \d+, but there is a newer one, \d+: fence it/)],
    ]);
  });

  it('one that lags behind a timeline seen before is refused, even if no other answers', async () => {
    const { servers, at } = await start(on('1'), on('2'));
    expect(await servers.find(access)).toEqual(at[1]?.host);
    await at[1]?.stop();
    expect(await servers.lookAgain(access)).toBeUndefined();
    const refusal = await servers.find(access).catch((error: unknown) => error);
    expect(String(refusal)).toContain('there is a newer one, 2: fence it');
    expect(isDatabaseUnavailable(refusal)).toBe(true);
  });

  it('one of another database is refused, whatever its timeline, even if no other answers', async () => {
    const { servers, at } = await start(on('1'), on('9', another));
    expect(await servers.find(access)).toEqual(at[0]?.host);
    expect(reports).toEqual([
      [expect.stringContaining(`belongs to another database (system identifier ${another}, not ${ours})`)],
    ]);
    await at[0]?.stop();
    const refusal = await servers.lookAgain(access).then(() => servers.find(access).catch((error: unknown) => error));
    expect(String(refusal)).toContain('belongs to another database');
    expect(isDatabaseUnavailable(refusal)).toBe(true);
  });

  it('the first of two that were promoted alike is used, and the other one reported; two addresses of one server are fine', async () => {
    const { servers, at } = await start(on('2', ours, 'morning'), on('2', ours, 'evening'), on('2', ours, 'morning'));
    expect(await servers.find(access)).toEqual(at[0]?.host);
    expect(reports).toEqual([[expect.stringMatching(/accepts writes on the same timeline as .*: fence it/)]]);
  });

  it('the end of a fault is reported, too', async () => {
    const { servers, at } = await start(on('1'), on('2'));
    await servers.find(access);
    Object.assign(at[0] ?? {}, { answers: [standby] });
    await servers.lookAgain(access);
    expect(reports).toEqual([[expect.any(String)], []]);
  });

  it('any that takes writes is used where the engine has no timelines', async () => {
    const { servers, at } = await start({ transaction_read_only: 'on' }, { transaction_read_only: 'off' });
    expect(await servers.find(access)).toEqual(at[1]?.host);
  });
});
