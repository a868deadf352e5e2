import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { startProcess } from './start-process.js';

const events: string[] = [];

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('a process that cannot start', () => {
  it('says why, then ends immediately with exit code 1, whatever it has opened', async () => {
    jest.spyOn(process.stderr, 'write').mockImplementation((text, written) => {
      events.push(String(text));
      // Later, as where the log is a pipe.
      if (typeof written === 'function') setTimeout(written, 20);
      return true;
    });
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      events.push(`exit ${code}`);
      return undefined as never;
    });
    await startProcess(() => Promise.reject(new Error('listen EADDRINUSE: address already in use 127.0.0.1:8443')));
    expect(events).toEqual(['listen EADDRINUSE: address already in use 127.0.0.1:8443\n', 'exit 1']);
  });
});

describe('a process that starts on a Node.js without security fixes', () => {
  it('says so, once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    jest.spyOn(process, 'once').mockReturnThis();
    jest.spyOn(process, 'on').mockReturnThis();
    jest.useFakeTimers({ now: new Date('2040-01-01'), doNotFake: ['nextTick', 'setImmediate'] });
    await startProcess(() => Promise.resolve({} as INestApplicationContext));
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/has had no security fixes since/)]]);
  });
});

/** Listens to signals itself, like a process whose readiness follows them, and never finishes its start. */
const starting = `
import { startProcess } from '#libs/http-server';
setInterval(() => undefined, 1_000);
await startProcess(() => {
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => undefined);
  process.stdout.write('starting');
  return new Promise(() => undefined);
});
`;

describe('a process that is asked to stop while it starts', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends at %s, immediately and with exit code 0', async (signal) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', starting], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(20_000) });
    try {
      await once(child.stdout, 'data');
      // Ignored.
      child.kill('SIGHUP');
      child.kill(signal);
      expect(await exited).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
