import { describe, expect, it } from '@jest/globals';
import { isPostmasterOf, parsePostmasterFile } from './postmaster-file.js';

describe('postmaster.pid', () => {
  it('contains process id, port and status of a server that is ready', () => {
    const text = '4711\n/data\n1795222803\n40123\n\n127.0.0.1\n  1966081         7\nready   \n';
    expect(parsePostmasterFile(text)).toEqual({ pid: 4711, port: 40_123, status: 'ready' });
  });

  it('contains what is known while the server is starting', () => {
    expect(parsePostmasterFile('4711\n/data\n')).toEqual({ pid: 4711, port: undefined, status: '' });
  });

  it.each(['', 'x', '-1\n/data', '0'])('is ignored without a process id: %j', (text) => {
    expect(parsePostmasterFile(text)).toBeUndefined();
  });

  it('is ignored if the process of that id is not PostgreSQL', async () => {
    expect(await isPostmasterOf(process.ppid, '/data')).toBe(false);
    expect(await isPostmasterOf(process.pid, '/data')).toBe(false);
  });
});
