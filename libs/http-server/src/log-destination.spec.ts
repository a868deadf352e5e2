import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/expectations.js';
import { LogDestination } from './log-destination.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A log to a named pipe, and its reader. */
function aPipe(name: string): { destination: LogDestination; open: () => number; dropped: () => number } {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  const open = (): number => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const first = open();
  let dropped = 0;
  const destination = new LogDestination(path, () => (dropped += 1));
  closeSync(first);
  return { destination, open, dropped: () => dropped };
}

describe('a log whose destination takes nothing', () => {
  it('continues when it takes lines again: those that still waited, and then new ones', async () => {
    const { destination, open, dropped } = aPipe('full');
    // Nobody reads: EAGAIN of a full pipe, as ENOSPC of a full disk.
    const reader = open();
    const line = `${'x'.repeat(1_023)}\n`;
    for (let count = 0; count < 3_000; count += 1) destination.write(line);
    expect(dropped()).toBeGreaterThan(1_800);
    expect(dropped()).toBeLessThan(2_000);
    const buffer = Buffer.alloc(65_536);
    let read = '';
    const readOn = async (): Promise<boolean> => {
      try {
        read += buffer.toString('latin1', 0, readSync(reader, buffer));
      } catch {
        // Nothing is there yet.
      }
      return read.length === (3_000 - dropped()) * line.length || read.endsWith('new\n');
    };
    await until(readOn);
    destination.write('new\n');
    await until(async () => (await readOn()) && read.endsWith('new\n'));
    expect(read).toBe(`${line.repeat(3_000 - dropped())}new\n`);
    closeSync(reader);
  });

  it('counts a line without a reader at once, and writes again when there is a reader', () => {
    const { destination, open, dropped } = aPipe('unread');
    destination.write('lost\n');
    expect(dropped()).toBe(1);
    const reader = open();
    destination.write('read\n');
    const buffer = Buffer.alloc(100);
    expect(buffer.toString('latin1', 0, readSync(reader, buffer))).toBe('read\n');
    expect(dropped()).toBe(1);
    closeSync(reader);
  });

  it('has one listener for the end of the process, however many logs there are', () => {
    const before = process.listenerCount('exit');
    const logs = Array.from({ length: 12 }, () => new LogDestination('/dev/null', () => undefined));
    expect(logs).toHaveLength(12);
    expect(process.listenerCount('exit')).toBe(before);
  });
});

/** Logs, serves a health check, and meets an error that nobody catches. */
const program = `
import { createServer } from 'node:http';
import { Logger } from '@nestjs/common';
import { createLogger, NestLogger, startProcess } from '#libs/http-server';
const telemetry = { droppedLogLines: 0 };
await startProcess(async () => {
  const logger = createLogger({ level: 'info' }, telemetry);
  Logger.overrideLogger(new NestLogger(logger));
  const server = createServer((request, response) => {
    if (request.url === '/fail') setImmediate(() => { throw new Error('lost'); });
    for (let count = 0; count < 3_000; count += 1) logger.info('x'.repeat(1_000));
    response.end(String(telemetry.droppedLogLines));
  }).listen(0, '127.0.0.1', () => process.send(server.address().port));
  return { close: async () => undefined };
});
`;

describe('a process whose standard output takes nothing', () => {
  it.each([
    ['is on a full disk', () => openSync('/dev/full', 'w')],
    ['is a pipe that nobody reads', () => 'pipe' as const],
  ])('%s: serves, counts the lines that it drops, and ends at an error that nobody catches', async (_what, open) => {
    const output = open();
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', output, 'inherit', 'ipc'],
    });
    if (typeof output === 'number') closeSync(output);
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(20_000) });
    try {
      const [port] = (await once(child, 'message')) as [number];
      const ask = async (path: string): Promise<number> =>
        Number(await (await fetch(`http://127.0.0.1:${port}${path}`)).text());
      await ask('/');
      expect(await ask('/')).toBeGreaterThan(3_000);
      expect(await ask('/fail')).toBeGreaterThan(6_000);
      expect(await exited).toEqual([1, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('a process that ends', () => {
  it('has written every line once', async () => {
    const [log, ending] = [join(folder, 'ended'), join(folder, 'ending')];
    const lines = `
      import { writeFileSync } from 'node:fs';
      import { createLogger } from '#libs/http-server';
      const logger = createLogger({ level: 'info' }, { droppedLogLines: 0 });
      for (let number = 0; number < 3_000; number += 1) logger.info({ number });
      process.prependListener('exit', () => writeFileSync('${ending}', ''));
      setImmediate(() => process.exit(0));
    `;
    // The reader begins when the process ends, and writes to a file, so it waits for nobody on a busy machine.
    const command = '"$0" --input-type=module --eval "$1" | { until [ -e "$2" ]; do sleep 0.05; done; cat > "$3"; }';
    await promisify(execFile)('/bin/sh', ['-c', command, process.execPath, lines, ending, log]);
    const numbers = [...readFileSync(log, 'utf8').matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number));
    expect(numbers.sort((one, other) => one - other)).toEqual(Array.from({ length: 3_000 }, (_, number) => number));
  });
});
