import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import 'reflect-metadata';
import { createFiles } from './create-files.js';
import { writeEnvironment } from './write-environment.js';

const [option, file] = process.argv.slice(2);
if (option === '--environment') {
  process.stdout.write(`written: ${await writeEnvironment(file ?? '.sandbox/sandbox.json')}\n`);
} else {
  // Writes the API documents and the collection; with --check it writes nothing and fails if one is out of date.
  await writeFiles({ isCheck: option === '--check' });
}

async function writeFiles({ isCheck }: { isCheck: boolean }): Promise<void> {
  const stale: string[] = [];
  for (const [path, text] of await createFiles()) {
    const target = join(process.cwd(), path);
    const found = await readFile(target, 'utf8').catch(() => undefined);
    if (found === text) continue;
    stale.push(path);
    if (isCheck) continue;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  const outcome = `${isCheck ? 'out of date' : 'written'}: ${stale.join(', ')}`;
  process.stdout.write(stale.length === 0 ? 'up to date\n' : `${outcome}\n`);
  if (isCheck && stale.length > 0) process.exitCode = 1;
}
