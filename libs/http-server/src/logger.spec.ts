import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, NestLogger } from './logger.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'logger-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** @returns the lines that were written */
function linesOf(name: string, write: (logger: NestLogger) => void, level = 'info'): Record<string, unknown>[] {
  const file = join(folder, name);
  write(new NestLogger(createLogger({ level, file }, { droppedLogLines: 0 })));
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a line of the log', () => {
  it('has its text as `message`, whoever wrote it', () => {
    const lines = linesOf('messages', (logger) => {
      logger.warn('in words', 'Somewhere');
      logger.warn({ message: 'as an object', number: 7 }, 'Somewhere');
      logger.error('with more', 'a stack', 'Somewhere');
      // As Nest reports a taken port.
      logger.error('without a stack', undefined, 'Somewhere');
    });
    expect(lines).toMatchObject([
      { level: 40, message: 'in words', context: 'Somewhere' },
      { level: 40, message: 'as an object', number: 7, context: 'Somewhere' },
      { level: 50, message: 'with more', detail: ['a stack'], context: 'Somewhere' },
      { level: 50, message: 'without a stack', context: 'Somewhere' },
    ]);
    for (const line of [lines[0], lines[3]]) expect(line).not.toHaveProperty('detail');
  });

  it('has the level that Nest calls, but what Nest reports at its start is for debugging', () => {
    const calls = ['log', 'fatal', 'error', 'warn', 'debug', 'verbose'] as const;
    const lines = linesOf('levels', (logger) => calls.forEach((call) => logger[call](call, 'Somewhere')), 'trace');
    expect(lines.map(({ message, level }) => [message, level])).toEqual([
      ['log', 20],
      ['fatal', 60],
      ['error', 50],
      ['warn', 40],
      ['debug', 20],
      ['verbose', 10],
    ]);
  });

  it('has type, message, stack and causes of an error, and nothing that a driver attached', () => {
    const cause = Object.assign(new Error('inner'), { parameters: ['GB29NWBK60161331926819'] });
    const error = Object.assign(new TypeError('outer', { cause }), { detail: 'Key (psu_id)=(alice)' });
    const [line] = linesOf('errors', (logger) => logger.error({ message: 'failed', error }, 'Somewhere'));
    expect(line?.['error']).toEqual({
      type: 'TypeError',
      message: 'outer',
      stack: expect.any(String),
      cause: { type: 'Error', message: 'inner', stack: expect.any(String) },
    });
  });

  it('has no secret, even where somebody adds one by mistake', () => {
    const [line] = linesOf('secrets', (logger) =>
      logger.warn({ code: 'c0de', session: { password: 'w0rd', deeper: { client_secret: 's3cret' } } }, 'Somewhere'),
    );
    expect(JSON.stringify(line)).not.toMatch(/c0de|w0rd|s3cret/);
  });
});
