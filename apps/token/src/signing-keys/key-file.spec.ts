import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { KeyFileError, writeKeyFile } from './key-file.js';

it('no keys are left beside a file that cannot be replaced', async () => {
  const folder = await mkdtemp(join(process.env['TEST_RUN_FOLDER'] ?? '', 'keys-'));
  const file = join(folder, 'keys.json');
  await mkdir(file);
  const left = await writeKeyFile(file, 'secret').catch((error: unknown) => [error, readdirSync(folder)]);
  expect(left).toEqual([expect.any(KeyFileError), ['keys.json']]);
  await rm(folder, { recursive: true });
});
