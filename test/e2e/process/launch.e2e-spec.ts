import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const execute = promisify(execFile);

/** A clone that is neither installed nor built, with an npm and a compiler that only say that they ran. */
let clone: string;

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'launch-'));
  await cp('apps/sandbox/launch.mjs', join(clone, 'apps/sandbox/launch.mjs'));
  await cp('apps/sandbox/launch', join(clone, 'apps/sandbox/launch'), { recursive: true });
  await write('package.json', '{"type":"module"}');
  await write('package-lock.json', '{"packages":{}}');
  for (const name of ['libs/a.ts', 'tsconfig.json', 'nest-cli.json']) await write(name, '');
  await write(
    'npm.js',
    `import { mkdirSync, writeFileSync } from 'node:fs';
     mkdirSync('node_modules/@nestjs/cli/bin', { recursive: true });
     writeFileSync('node_modules/.package-lock.json', '{"packages":{}}');
     writeFileSync('node_modules/@nestjs/cli/bin/nest.js', 'console.log("the compiler ran")');
     console.log('npm ran');`,
  );
  await write('dist/apps/tpp/src/main.js', 'console.log(JSON.stringify(process.argv.slice(2)))');
  await write('dist/apps/obp/src/main.js', 'console.log(process.cwd())');
});

afterAll(() => rm(clone, { recursive: true, force: true }));

async function write(name: string, content: string): Promise<void> {
  await mkdir(dirname(join(clone, name)), { recursive: true });
  await writeFile(join(clone, name), content);
}

it('what installs and builds before a command writes nothing to the standard output of the command', async () => {
  const env = { PATH: process.env['PATH'], npm_execpath: join(clone, 'npm.js') };
  const run = () =>
    execute(process.execPath, [join(clone, 'apps/sandbox/launch.mjs'), 'tpp', 'token', '--json'], { env });
  const first = await run();
  expect(first.stdout).toBe('["token","--json"]\n');
  expect(first.stderr).toMatch(/^Installing [^]*npm ran\nBuilding [^]*the compiler ran\n$/);
  expect(await run()).toMatchObject({ stdout: '["token","--json"]\n', stderr: '' });
});

it('installs with npm where another package manager started it', async () => {
  await rm(join(clone, 'node_modules'), { recursive: true });
  await write('yarn.js', 'process.exit(1)');
  await write('bin/npm', `#!/bin/sh\nexec "${process.execPath}" "${join(clone, 'npm.js')}"\n`);
  await chmod(join(clone, 'bin/npm'), 0o755);
  const env = { PATH: [join(clone, 'bin'), process.env['PATH']].join(':'), npm_execpath: join(clone, 'yarn.js') };
  const { stderr } = await execute(process.execPath, [join(clone, 'apps/sandbox/launch.mjs'), 'tpp'], { env });
  expect(stderr).toContain('npm ran');
});

it('runs a command in the folder of the user, to which paths on its line are relative', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'user-')));
  const env = { PATH: process.env['PATH'], npm_execpath: join(clone, 'npm.js') };
  const obp = join(clone, 'apps/sandbox/launch/obp.mjs');
  const { stdout } = await execute(process.execPath, [obp, 'keys'], { env, cwd: folder });
  expect(stdout).toBe(`${folder}\n`);
  const asNpmDoes = { env: { ...env, INIT_CWD: folder }, cwd: clone };
  const byScript = await execute(process.execPath, ['apps/sandbox/launch.mjs', 'obp', 'keys'], asNpmDoes);
  expect(byScript.stdout).toBe(`${folder}\n`);
  await rm(folder, { recursive: true });
});

it('ends like an interrupted command, without a word, when a build is interrupted', async () => {
  await write('libs/a.ts', 'changed');
  await write(
    'node_modules/@nestjs/cli/bin/nest.js',
    'console.log("the compiler runs"); setInterval(() => {}, 1_000);',
  );
  const env = { PATH: process.env['PATH'], npm_execpath: join(clone, 'npm.js') };
  const child = spawn(process.execPath, [join(clone, 'apps/sandbox/launch.mjs'), 'tpp'], { env });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    if (stderr.endsWith('the compiler runs\n')) child.kill('SIGINT');
  });
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([130, expect.stringMatching(/^Building .*\nthe compiler runs\n$/)]);
});
