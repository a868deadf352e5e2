import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { programTrees, type ProgramName, programs } from '../../support/apps/program-trees.js';

const execute = promisify(execFile);

interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'obp-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const program = resolve('dist/apps/obp/src/main.js');

/** From another folder than the repository's, with nothing in the environment. */
function obp(...parameters: string[]): Promise<Output> {
  const options = { env: { PATH: process.env['PATH'] }, cwd: folder, timeout: 240_000 };
  return execute(process.execPath, [program, ...parameters], options).then(
    (output) => ({ code: 0, ...output }),
    (error: Output) => error,
  );
}

describe('obp', () => {
  it('lists its programs, prints its version, and has the help of each program under its own name', async () => {
    const [help, version, tpp, operator] = await Promise.all([
      obp('--help'),
      obp('--version'),
      obp('tpp', 'consent', '--help'),
      obp('operator', 'clients', 'show', '--help'),
    ]);
    const { version: own } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect([help.code, version.code, tpp.code, operator.code]).toEqual([0, 0, 0, 0]);
    for (const name of ['start', 'tpp', 'convert', 'sandbox', 'operator', 'keys']) {
      expect(help.stdout).toMatch(new RegExp(`^  ${name} +[a-zA-Z]`, 'm'));
    }
    expect(version.stdout).toBe(`${own}\n`);
    expect(tpp.stdout).toMatch(/^Usage: obp tpp consent \[options\] <file>/);
    expect(operator.stdout).toMatch(/^Usage: obp operator clients show/);
  });

  it.each([
    ['a program that is none', ['operatr'], 'Did you mean operator?'],
    ['a command that is none', ['tpp', 'statsu'], 'Did you mean status?'],
    ['a program that is none, with --help', ['operatr', '--help'], 'Did you mean operator?'],
    ['a command that is none, with --help', ['tpp', 'statsu', '--help'], 'Did you mean status?'],
    ['an option that is none', ['tpp', 'token', '--shwo'], 'Did you mean --show?'],
    ['a word too many', ['tpp', 'token', 'surplus'], 'too many arguments'],
    ['an operand too few', ['tpp', 'consent'], "missing required argument 'file'"],
    ['nothing at all', [], 'Usage: obp'],
    ['a shell that it does not know', ['complete', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
    ['no shell', ['complete'], "missing required argument 'shell'"],
  ])('refuses %s with 2, and suggests the right word', async (_what, parameters, message) => {
    const { code, stdout, stderr } = await obp(...parameters);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr).not.toContain(String.fromCodePoint(0x1b));
  });

  it.each([
    [[], /^Usage: obp \[options\]/],
    [['tpp'], /^Usage: obp tpp/],
    [['tpp', 'consent'], /^Usage: obp tpp consent/],
    [['complete'], /^Usage: obp complete/],
  ])('helps with %j after "help"', async (words, usage) => {
    expect(await obp('help', ...words)).toMatchObject({ code: 0, stdout: expect.stringMatching(usage), stderr: '' });
  });

  it.each([
    [['tp'], 'tpp'],
    [['tpp', 're'], 'register'],
    [['operator', 'clients', 'sus'], 'suspend'],
    [['operator', 'payments', 'reject', '--with'], '--without-bank'],
    [['sandbox', 'fault', 'set', 'TPP', 'gate'], 'gateway-timeout'],
  ])('completes %j', async (words, expected) => {
    const { code, stdout } = await obp('complete', '--', ...words);
    expect({ code, found: stdout.split('\n').map((line) => line.split('\t', 1)[0]) }).toEqual({
      code: 0,
      found: expect.arrayContaining([expected]),
    });
  });

  it.each(['bash', 'zsh', 'fish'])('prints the completion script of %s', async (shell) => {
    const { code, stdout } = await obp('complete', shell);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`# ${shell} completion for obp`)]);
  });
});

describe('every command of obp', () => {
  const commandsOf = (program: Command): string[][] =>
    program.commands.length === 0
      ? [[]]
      : [[], ...program.commands.flatMap((child) => commandsOf(child).map((words) => [child.name(), ...words]))];
  const names = Object.keys(programTrees) as ProgramName[];

  it.each(names)('of %s has help: 0, on standard output, and nothing is done', async (name) => {
    const { code, stdout, stderr } = await obp(name, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: obp ${name}`));
    const commands = commandsOf(programTrees[name]());
    for (const words of commands) {
      const help = await programTrees[name]().run([...words, '--help']);
      expect(help).toMatch(
        new RegExp(`^Usage: (?:npm run |obp )${name}(?: --)?${words.map((word) => ` ${word}`).join('')}`),
      );
    }
  });

  it.each(names)('of %s refuses an unknown option with 2', async (name) => {
    const { code, stdout, stderr } = await obp(name, '--frobnicate');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain("unknown option '--frobnicate'");
  });

  it.each([
    ['tpp', 'token', 'surplus'],
    ['operator', 'clients', 'lits'],
    ['convert', 'a.csv', 'b.csv'],
    ['ingress-check', '--frobnicate'],
    ['nothing'],
  ])('reports wrong use as JSON, too: %s %s %s', async (...words) => {
    const { code, stdout } = await obp(...words.filter(Boolean), '--json');
    expect({ code, told: JSON.parse(stdout) as unknown }).toMatchObject({
      code: 2,
      told: { error: expect.not.stringMatching(/^error: |\n/) },
    });
  });
});

describe('a reader that has gone', () => {
  it.each([
    [['--help']],
    [['complete', 'bash']],
    [['convert', 'docs/examples/suppliers.csv']],
    ...Object.keys(programs).map((name) => [[name, '--help']]),
  ])('ends obp %j without a word', async (parameters) => {
    const child = spawn(process.execPath, ['dist/apps/obp/src/main.js', ...parameters]);
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([code, stderr.includes('EPIPE')]).toEqual([141, false]);
  });
});

describe('obp convert', () => {
  const header = 'Name,Sort code,Account number,Amount,Reference';

  it('writes the payment file, and prints the members of its consent', async () => {
    await writeFile(join(folder, 'good.csv'), `${header}\nAshford Timber,20-00-00,10000001,12.50,INV-1\n`);
    const { code, stdout } = await obp('convert', 'good.csv', '--out', 'good.json', '--json');
    const { File } = JSON.parse(await readFile(join(folder, 'good.json'), 'utf8')) as {
      File: { Data: { DomesticPayments: object[] } };
    };
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ NumberOfTransactions: '1', ControlSum: '12.50' });
    expect(File.Data.DomesticPayments).toHaveLength(1);
  });

  it('names each fault by file and line, and ends with 1', async () => {
    await writeFile(join(folder, 'bad.csv'), `${header}\nAshford Timber,20-00-00,10000001,nothing,INV-1\n`);
    const [text, json, absent] = await Promise.all([
      obp('convert', 'bad.csv'),
      obp('convert', 'bad.csv', '--out', 'bad.json', '--json'),
      obp('convert', 'absent.csv'),
    ]);
    expect(text).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^bad\.csv:2: The amount /) });
    expect(JSON.parse(json.stdout)).toEqual({ faults: [{ line: 2, message: expect.any(String) }] });
    expect(absent).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\S*absent\.csv: no such file or directory\n$/),
    });
  });
});
