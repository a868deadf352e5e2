import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const execute = promisify(execFile);
const anyPorts = Object.fromEntries(
  ['AUTHORIZE', 'TOKEN', 'API', 'DIRECTORY', 'BANK', 'ADMIN', 'PORTAL', 'BANK_APP'].map((name) => [
    `${name}_PORT`,
    '0',
  ]),
);

describe('npm start with invalid settings', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sandbox-start-'));
    // Otherwise root's database would be in another folder, which nobody deletes.
    await chmod(directory, 0o755);
  });

  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  const start = (settings: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> => {
    const env = { PATH: process.env['PATH'], ...anyPorts, SANDBOX_DIRECTORY: directory, ...settings };
    return execute(process.execPath, ['dist/apps/sandbox/src/main.js'], { env, timeout: 240_000 }).then(
      (output) => ({ code: 0, ...output }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  };

  it('names each of them at the terminal, without a crash', async () => {
    // Variables of a developer's other databases are not settings, and do not reach the sandbox's own database.
    const elsewhere = { PGSSLMODE: 'require', PGOPTIONS: '-c search_path=nowhere' };
    const settings = { ACCESS_TOKEN_SECONDS: 'soon', DCR_MAX_PER_SOFTWARE: '-1', ...elsewhere };
    const { code, stdout, stderr } = await start(settings);
    expect(code).toBe(1);
    expect(stderr).toContain('ACCESS_TOKEN_SECONDS');
    expect(stderr).toContain('DCR_MAX_PER_SOFTWARE');
    expect(stderr).not.toMatch(/unexpected error|\n\s+at /);
    expect(stdout).not.toContain('ready in');
    await expect(access(join(directory, 'crash.log'))).rejects.toThrow('ENOENT');
  });

  it('names the invalid port in one line', async () => {
    const { code, stderr } = await start({ API_PORT: 'none' });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('API_PORT')]);
  });

  it('names the two servers that share a port in one line', async () => {
    const { code, stderr } = await start({ TOKEN_PORT: '8442', API_PORT: '8442' });
    expect([code, stderr]).toEqual([1, 'TOKEN_PORT and API_PORT are both 8442: give each server its own port.\n']);
  });

  it('says in one line that the folder for the data is a file', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    const { code, stderr } = await start({ SANDBOX_DIRECTORY: file });
    expect([code, stderr]).toEqual([1, `${file} is not a folder: choose one with SANDBOX_DIRECTORY=<folder>.\n`]);
  });

  it('says in one line that the folder for the data cannot be made', async () => {
    const { code, stderr } = await start({ SANDBOX_DIRECTORY: '/proc/none/sandbox' });
    const reason =
      'The sandbox cannot write to /proc/none/sandbox (ENOENT): make it writable, or choose another folder';
    expect([code, stderr]).toEqual([1, `${reason} with SANDBOX_DIRECTORY=<folder>.\n`]);
  });
});

describe('npm start, interrupted', () => {
  it('reports nothing about the processes that Ctrl-C has ended with it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-interrupted-'));
    await chmod(directory, 0o755);
    const env = { PATH: process.env['PATH'], ...anyPorts, SANDBOX_DIRECTORY: directory };
    // Its own process group, as a terminal gives to a command and interrupts as a whole.
    const child = spawn(process.execPath, ['dist/apps/sandbox/src/main.js'], { env, detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'close');
    const isMakingDatabase = () => existsSync(join(directory, 'postgres', 'data.new', 'global', 'pg_control'));
    while (!isMakingDatabase() && child.exitCode === null) await sleep(10);
    process.kill(-child.pid!, 'SIGINT');
    expect([...(await ended), output]).toEqual([0, null, '']);
    expect(existsSync(join(directory, 'crash.log'))).toBe(false);
    await rm(directory, { recursive: true, force: true });
  });
});
