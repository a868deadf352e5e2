import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @returns the folder of package.json, wherever this file is built */
export function repositoryRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
