import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aCertificate } from '../../support/certificates.js';

const execute = promisify(execFile);

interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the image with nothing in its environment. */
function run(program: string, ...parameters: string[]): Promise<Output> {
  const env = { PATH: process.env['PATH'] };
  return execute(process.execPath, ['--', `dist/apps/${program}.js`, ...parameters], { env, timeout: 240_000 }).then(
    (output) => ({ code: 0, ...output }),
    (error: Output) => error,
  );
}
const operator = (...parameters: string[]): Promise<Output> => run('operator/src/main', ...parameters);
const housekeeping = (...parameters: string[]): Promise<Output> =>
  run('worker/src/housekeeping-command', ...parameters);

const migrate = (...parameters: string[]): Promise<Output> => run('worker/src/migrate', ...parameters);
const sandbox = (...parameters: string[]): Promise<Output> => run('sandbox/src/commands', ...parameters);

let directory: string;
/** names a database that is not there */
let envFile: string;
let keys: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'command-lines-'));
  [envFile, keys] = [join(directory, 'service.env'), join(directory, 'keys.json')];
  await writeFile(envFile, 'DATABASE_TLS=any\nDATABASE_URL=postgres://somebody:secret-word@127.0.0.1:1/nothing\n');
  await writeFile(keys, '{"keys":[]}');
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

it('--env-file is accepted anywhere on the line, and an unavailable database is one line', async () => {
  const outputs = await Promise.all([
    operator('--env-file', envFile, 'audit', 'verify', '--keys', keys),
    operator('audit', 'verify', '--keys', keys, '--env-file', envFile),
    housekeeping('--env-file', envFile, 'retain', '--days', '2555'),
    migrate('--env-file', envFile),
  ]);
  const stderr = 'The database does not answer: is DATABASE_URL correct, and is the database running?\n';
  for (const output of outputs) expect(output).toMatchObject({ code: 1, stdout: '', stderr });
});

it('a file of --env-file that cannot be read is one line, and Node.js leaves the option to the commands', async () => {
  const outputs = await Promise.all([
    operator('clients', 'list', '--env-file', '/no/file'),
    housekeeping('--env-file', '/no/file', 'retain', '--days', '2555'),
    migrate('--env-file', '/no/file'),
    migrate('distribute', '--env-file', directory),
  ]);
  for (const output of outputs) {
    const stderr = expect.stringMatching(/^The file \S+, which --env-file names, cannot be read.\n$/);
    expect(output).toMatchObject({ code: 1, stdout: '', stderr });
  }
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const name of ['operator', 'housekeeping', 'migrate']) {
    expect(scripts[name]).toBe(`node -- apps/sandbox/launch.mjs ${name}`);
  }
});

it('wrong and incomplete command lines have an exit code, and say what to do next', async () => {
  const outputs = await Promise.all([
    operator('clients', 'frobnicate'),
    operator('audit', 'frobnicate'),
    operator('payments', 'retry', 'frobnicate'),
    housekeeping('retain', '--days', '1', '--dayz'),
    housekeeping('--env-file', envFile, 'erase', '--consent', 'f'.repeat(36)),
    operator('clients', 'list'),
    migrate('up'),
    migrate(),
    migrate('grants', '--prefix', 'x; DROP TABLE clients; --'),
  ]);
  const expected: [number, RegExp][] = [
    [2, /^error: unknown command 'frobnicate'[^]*Usage: npm run operator -- clients/],
    [2, /^error: unknown command 'frobnicate'[^]*Usage: npm run operator -- audit/],
    [2, /argument 'payment-order-id'. It must be a UUID[^]*Usage: npm run operator -- payments retry/],
    [2, /'--dayz'[^]*\nUsage: npm run housekeeping -- retain/],
    [2, /It must be a UUID[^]*Usage: npm run housekeeping -- erase/],
    [1, /DATABASE_URL is missing[^]*With a sandbox: --env-file/],
    [2, /too many arguments[^]*\nUsage: npm run migrate/],
    [1, /DATABASE_URL is missing[^]*With a sandbox: --env-file/],
    [2, /--prefix[^]*lower case letters[^]*Usage: npm run migrate -- grants/],
  ];
  for (const [index, [code, message]] of expected.entries()) {
    expect(outputs[index]).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
    expect(outputs[index]?.stderr).not.toMatch(/\n\s+at /);
  }
});

it('with --json, a failed operator command prints its reason on standard output', async () => {
  const [wrong, away, unset] = await Promise.all([
    operator('--json', 'clients', 'frobnicate'),
    operator('audit', 'verify', '--keys', keys, '--env-file', envFile, '--json'),
    operator('--json', 'clients', 'list'),
  ]);
  const told = [wrong, away, unset].map(({ code, stdout }) => [code, JSON.parse(stdout) as unknown]);
  expect(told).toEqual([
    [2, { reason: 'usage', error: expect.stringContaining("unknown command 'frobnicate'") }],
    [1, { reason: 'database', error: expect.stringContaining('The database does not answer') }],
    [1, { reason: 'configuration', error: expect.stringContaining('DATABASE_URL is missing') }],
  ]);
  for (const { stderr } of [wrong, away, unset]) expect(stderr).not.toBe('');
});

it('audit verify prints its verdict as a table if asked to', async () => {
  const file = join(directory, 'trail.jsonl');
  await writeFile(file, '');
  const { code, stdout } = await operator('audit', 'verify', '--keys', keys, '--file', file, '--format', 'table');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^verdict +intact\nseals +0\n/)]);
});

const repositoryPrograms = [
  ['bench', 'test/bench/run.mjs'],
  ['chaos', 'test/e2e/chaos/run.mjs'],
  ['corpus', 'test/corpus/run.mjs'],
  ['pages', 'test/e2e/authorization/pages.mjs'],
  ['pictures', 'test/pictures/run.mjs'],
  ['openapi', 'dist/apps/openapi/src/main.js'],
  ['demo', 'dist/apps/tpp/src/demo.js'],
  ['start', 'dist/apps/sandbox/src/main.js'],
] as const;

/** Runs a program of the repository's own. One that acts in spite of its command line is ended. */
const runOwn = (file: string, ...parameters: string[]): Promise<Output> =>
  execute(process.execPath, [file, ...parameters], { timeout: 60_000 }).then(
    (output) => ({ code: 0, ...output }),
    (error: Output) => error,
  );

it.each(repositoryPrograms)('%s has help, and refuses what it does not know, before it acts', async (name, file) => {
  const [help, unknown, surplus] = await Promise.all([
    runOwn(file, '--help'),
    runOwn(file, '--frobnicate'),
    runOwn(file, 'one', 'two'),
  ]);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(new RegExp(`^Usage: npm run ${name} -- `));
  expect(help.stdout).not.toContain('Screenshots are written');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toMatch(new RegExp(`^error: unknown option '--frobnicate'[^]*Usage: npm run ${name} -- `));
  expect(surplus).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^error: too many arguments/) });
});

it('the benchmark lists its cases, and chaos says what a number must be', async () => {
  const [none, long, seed] = await Promise.all([
    runOwn('test/bench/run.mjs', '--only', 'nothing'),
    runOwn('test/e2e/chaos/run.mjs', '--minutes', 'soon'),
    runOwn('test/e2e/chaos/run.mjs', '--seed', '-1'),
  ]);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('register-client') });
  expect(long).toMatchObject({ code: 2, stderr: expect.stringContaining('It must be a number below 10000') });
  expect(seed).toMatchObject({ code: 2, stderr: expect.stringContaining('It must be a whole number') });
});

it('the sandbox has help for its commands, and names what is missing', async () => {
  const [all, one, nameless, faultless] = await Promise.all([
    sandbox('help'),
    sandbox('tpp', 'create', '--help'),
    sandbox('tpp', 'create', '--redirect-uri', 'https://my-app.example.com/callback'),
    sandbox('fault', 'set', 'TPP One', 'flood'),
  ]);
  expect(all).toMatchObject({ code: 0, stderr: '' });
  for (const name of ['tpp create', 'certificate revoke', 'clock <tpp> <duration>', 'fault set <tpp> <fault>'])
    expect(all.stdout).toContain(`  ${name} `);
  expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining('sandbox -- tpp create'), stderr: '' });
  expect(nameless).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("'--name <name>' not") });
  expect(faultless).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('gateway-timeout') });
});

it('a port that is taken is one line, without a stack', async () => {
  const [server, folder] = [createServer(), join(directory, 'sandbox')];
  await mkdir(join(folder, 'ca'), { recursive: true });
  const ca = join(folder, 'ca/certificate.pem');
  await writeFile(ca, (await aCertificate({ profile: 'authority', name: 'A' })).certificate);
  await writeFile(join(folder, 'sandbox.json'), JSON.stringify({ ca_file: ca }));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = { PATH: process.env['PATH'], SANDBOX_DIRECTORY: folder };
  const listen = ['dist/apps/sandbox/src/commands.js', 'events', 'listen', '--port', String(port)];
  const failed = await execute(process.execPath, listen, { env }).catch((error: Output) => error);
  expect(failed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
  });
  server.close();
});

it('the help of operator, ingress-check and start names its exit codes', async () => {
  const programs = ['operator/src/main', 'ingress-check/src/main', 'sandbox/src/main'];
  for (const program of programs) expect((await run(program, '--help')).stdout).toContain('Exit codes: 0 ');
});
