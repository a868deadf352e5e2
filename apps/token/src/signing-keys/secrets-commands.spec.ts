import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { runKeysCommand } from './run-keys-command.js';

let file: string;
beforeEach(async () => {
  file = join(await mkdtemp(join(process.env['TEST_RUN_FOLDER'] ?? '', 'keys-')), 'session-keys');
});

const secrets = (...parameters: string[]): Promise<string> =>
  runKeysCommand(['secrets', ...parameters, '--file', file]);

describe('npm run keys -- secrets', () => {
  it('lets every key read a step before it writes and a step after', async () => {
    const steps = [
      await secrets('generate', '--id', 'first'),
      await secrets('generate', '--id', 'second'),
      await secrets('promote', '--id', 'second'),
      await secrets('retire', '--id', 'first'),
    ];
    expect(steps).toEqual([
      'writes first',
      'writes first\nreads  second',
      'writes second\nreads  first',
      'writes second',
    ]);
    expect(await secrets('list')).toBe('writes second');
    expect(await readFile(file, 'utf8')).toMatch(/^second:[0-9a-f]{64}\n$/);
  });

  it('reads a list as the service does: with blanks after the commas, and each id once', async () => {
    const key = 'ab'.repeat(32);
    await writeFile(file, `one:${key}, two:${key}`);
    expect(await secrets('list')).toBe('writes one\nreads  two');
    await writeFile(file, `one:${key},one:${key}`);
    await expect(secrets('list')).rejects.toThrow('Two keys have one id.');
  });

  it('names a new key after the day', async () => {
    expect(await secrets('generate')).toMatch(/^writes \d{4}-\d\d-\d\d$/);
  });

  it('refuses a list without a writing key, two keys with one id, and invalid keys, and reveals no key', async () => {
    await secrets('generate', '--id', 'one');
    const before = await readFile(file, 'utf8');
    await expect(secrets('retire', '--id', 'one')).rejects.toThrow('The key one is in use');
    await expect(secrets('retire', '--id', 'none')).rejects.toThrow('There is no key none.');
    await expect(secrets('promote', '--id', 'none')).rejects.toThrow('There is no key none.');
    await expect(secrets('generate', '--id', 'one')).rejects.toThrow('There is already a key one');
    await expect(secrets('generate', '--id', 'a:b')).rejects.toThrow('Key 2 is not');
    expect(await readFile(file, 'utf8')).toBe(before);
    for (const invalid of ['one:c0ffee', 'c0ffee'.repeat(12)]) {
      await writeFile(file, invalid);
      await expect(secrets('list')).rejects.toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('c0ffee') }),
      );
    }
  });
});
