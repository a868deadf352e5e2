import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createOutsideFolder } from './outside-folder.js';

let root: string;
const outside: string[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'outside-folder-'));
});

afterEach(async () => {
  for (const folder of [root, ...outside.splice(0)]) await rm(folder, { recursive: true, force: true });
});

async function createFor(name: string): Promise<string> {
  const directory = join(root, name);
  await mkdir(directory);
  const folder = await createOutsideFolder(directory);
  outside.push(folder);
  return folder;
}

describe('a cluster outside whose own folder is gone', () => {
  it('is kept for 30 days after its last use: the folder may be on a disk that is not mounted', async () => {
    const folder = await createFor('away');
    await rm(join(root, 'away'), { recursive: true });
    await createFor('next');
    expect(existsSync(folder)).toBe(true);

    const longAgo = new Date(Date.now() - 31 * 86_400_000);
    await utimes(join(folder, 'origin'), longAgo, longAgo);
    await createFor('last');
    expect(existsSync(folder)).toBe(false);
  });

  it('counts as used while its server writes', async () => {
    const folder = await createFor('away');
    await mkdir(join(folder, 'data', 'global', 'pg_control'), { recursive: true });
    const longAgo = new Date(Date.now() - 31 * 86_400_000);
    await utimes(join(folder, 'origin'), longAgo, longAgo);
    await rm(join(root, 'away'), { recursive: true });
    await createFor('next');
    expect(existsSync(folder)).toBe(true);
  });
});
