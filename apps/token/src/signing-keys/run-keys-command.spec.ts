import { chmod, chown, mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { runKeysCommand } from './run-keys-command.js';

let file: string;
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'keys-')), 'signing-keys.json');
});

const generate = (algorithm: string): Promise<string> =>
  runKeysCommand(['generate', '--algorithm', algorithm, '--file', file]);

describe('the file of the signing keys', () => {
  it('is for its owner alone when it is made', async () => {
    await generate('ES256');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('keeps its mode when it is replaced', async () => {
    await generate('ES256');
    await chmod(file, 0o400);
    await generate('PS256');
    expect((await stat(file)).mode & 0o777).toBe(0o400);
    expect(await readdir(join(file, '..'))).toEqual(['signing-keys.json']);
  });

  // Only root gives files away.
  (process.getuid?.() === 0 ? it : it.skip)('keeps its owner when root replaces it', async () => {
    await generate('ES256');
    await chown(file, 65_532, 65_532);
    await generate('PS256');
    const { uid, gid } = await stat(file);
    expect({ uid, gid }).toEqual({ uid: 65_532, gid: 65_532 });
  });
});
