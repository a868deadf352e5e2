import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ensureFolder } from './write-file-atomically.js';

it('makes a folder and those above it for two that want it at once', async () => {
  const above = await mkdtemp(join(process.env['TEST_RUN_FOLDER'] ?? '', 'folders-'));
  const folder = join(above, 'one', 'two');
  await Promise.all([ensureFolder(folder), ensureFolder(folder)]);
  expect(existsSync(folder)).toBe(true);
});
