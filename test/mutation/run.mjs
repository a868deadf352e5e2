// npm run mutations [-- --draw N] [--seed S] [--most N]
//
// Stryker does not do this: it changes no text of statements and pages, draws none, and never removes `await`.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { InvalidArgumentError } from 'commander';
import { format } from 'prettier';
import ts from 'typescript';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { readCommandLine } from '../support/read-command-line.mjs';
import { swcOptions } from '../support/swc.mjs';
import { findMutations } from './find-mutations.mjs';
import { Suites } from './find-suites.mjs';

register('../support/typescript-hooks.mjs', import.meta.url);
const { Random } = await import('../e2e/chaos/random.ts');

const record = 'docs/proof/mutations.json';
const number = (text) => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number below 10^9.');
  return Number(text);
};
const about = `Apply faults to the sources, one at a time, and see whether the nearest suites notice; without --draw
  those of ${record} that none has noticed.`.replaceAll(/\s+/g, ' ');
const program = new CommandLineProgram(callOf('mutations'), about)
  .option('--draw <n>', 'draw so many anew', number)
  .option('--seed <s>', 'repeat a draw', number)
  .option('--most <n>', 'try so many at most', number);
await readCommandLine(program);
const { draw, seed = Date.now() % 1e9, most = Infinity } = program.opts();

const isMutated = new RegExp(
  String.raw`^(?:apps/(?:api|authorize|token|worker|operator)|libs/(?!api-description)[\w-]+)/src/` +
    String.raw`(?!.*documentation/).*(?<!\.spec|index|\.module|main)\.ts$|/guards\.sql$`,
);
const git = (...parameters) => execFileSync('git', parameters, { encoding: 'utf8' }).trim();
const files = git('ls-files').split('\n').filter(existsSync);
const mutated = files.filter((path) => isMutated.test(path));
const possible = mutated.flatMap((path) => findMutations(path, readFileSync(path, 'utf8')));
const proof = draw === undefined ? JSON.parse(readFileSync(record, 'utf8')) : { seed, mutations: drawn() };
console.log(`Seed ${proof.seed}: ${proof.mutations.length} of ${possible.length} possible faults.`);

const copy = mkdtempSync(join(tmpdir(), 'mutations-'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
for (const path of files) cpSync(path, join(copy, path), { preserveTimestamps: true });
cpSync('dist', join(copy, 'dist'), { recursive: true });
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
const suites = new Suites(files.filter((path) => /^(?:apps|libs|test)\/.*\.ts$/.test(path)));
const findFault = createCompiler();
const isSettled = ({ result, harmless }) => result === 'caught' || result === 'does not compile' || harmless;
const noCode = (by) => by && { result: 'does not compile', by };
const keyOf = ({ kind, path, line, removed, put }) => JSON.stringify([kind, path, line, removed, put]);
for (const mutation of proof.mutations.filter((each) => !isSettled(each)).slice(0, most)) {
  const place = possible.find((each) => keyOf(each) === keyOf(mutation));
  Object.assign(mutation, place ? tryMutation(place) : { result: 'is no longer there' });
  console.log(describe(mutation));
  await save();
}
await save();
const left = proof.mutations.filter((each) => !isSettled(each));
console.log([`${left.length} left:`, ...left.map(describe)].join('\n'));

/** By a kind first, so that rare kinds are tried as often as frequent ones. */
function drawn() {
  const random = new Random(seed);
  const kinds = [...new Set(possible.map(({ kind }) => kind))].toSorted();
  const byKind = kinds.map((kind) => possible.filter((each) => each.kind === kind));
  const found = new Set();
  while (found.size < draw) found.add(random.pick(random.pick(byKind)));
  return [...found].map((each) => ({ ...each, start: undefined }));
}

function tryMutation({ path, start, removed, put, line }) {
  const original = readFileSync(path, 'utf8');
  try {
    write(path, original.slice(0, start) + put + original.slice(start + removed.length));
  } catch (error) {
    write(path, original);
    return noCode(error.message.split('\n')[0]);
  }
  const fault = findFault(path);
  const { units, servers } = suites.nearest(path, `${line} ${removed}`);
  const seen = noCode(fault) ?? runSuites(units) ?? runSuites(servers) ?? noCode(findFault());
  write(path, original);
  findFault(path);
  return seen ?? { result: 'survived', by: [...units, ...servers].join(' ') };
}

/** The source, and what was built from it. */
function write(path, text) {
  const options = { ...swcOptions('typescript', 'es6'), filename: path };
  writeFileSync(join(copy, path), text);
  const built = path.endsWith('.ts') ? transformSync(text, options).code : text;
  writeFileSync(join(copy, 'dist', path.replace(/\.ts$/, '.js')), built);
  // Nothing is built again.
  writeFileSync(join(copy, 'dist/.built'), '');
}

/** @returns for a path of the copy, or without one for all that use it: the first fault; undefined where it compiles */
function createCompiler() {
  const { config } = ts.readConfigFile(join(copy, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, copy);
  Object.assign(options, { noEmit: true, incremental: false, tsBuildInfoFile: undefined });
  const host = ts.createCompilerHost(options);
  const parsed = new Map();
  const parse = host.getSourceFile;
  host.getSourceFile = (name, ...rest) => parsed.get(name) ?? parsed.set(name, parse(name, ...rest)).get(name);
  let compiled = ts.createProgram(fileNames, options, host);
  return (path) => {
    const name = path && join(copy, path);
    if (path && !parsed.delete(name)) return undefined;
    compiled = ts.createProgram(fileNames, options, host, compiled);
    const file = path && compiled.getSourceFile(name);
    const [fault] = [...compiled.getSyntacticDiagnostics(file), ...compiled.getSemanticDiagnostics(file)];
    return fault ? ts.flattenDiagnosticMessageText(fault.messageText, ' ') : path && findUnawaited(path);
  };
}

/** @returns of a path of the copy whether the linter finds a promise there that nobody awaits */
function findUnawaited(path) {
  const { stdout } = spawnSync(join(copy, 'node_modules/.bin/oxlint'), [path], { cwd: copy, encoding: 'utf8' });
  return stdout.includes('no-floating-promises') ? 'a promise that nobody awaits (oxlint)' : undefined;
}

/** @returns what noticed the fault; undefined if all pass */
function runSuites(paths) {
  if (paths.length === 0) return undefined;
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--config', 'test/jest.config.mjs'];
  const parameters = [...jest, '-i', '--bail', '--silent', '--runTestsByPath', ...paths];
  const options = { cwd: copy, encoding: 'utf8', maxBuffer: 1e9, timeout: 900_000 };
  const { status, error, stderr } = spawnSync(process.execPath, parameters, options);
  if (status === 0) return undefined;
  const [, suite, test] = /^FAIL (\S+)[^]*?● (.*)/m.exec(stderr) ?? [];
  if (suite) return { result: 'caught', by: `${suite}: ${test}` };
  if (/^Node\.js v/m.test(stderr)) return { result: 'caught', by: 'the process of the tests ends' };
  return { result: error ? 'took too long' : 'could not be tried' };
}

function describe({ result = 'not tried', kind, path, line, removed, put, by = '' }) {
  return `${result}: ${path}: ${kind} ${JSON.stringify(removed)} -> ${JSON.stringify(put)} in ${line}\n    ${by}`;
}

async function save() {
  const json = JSON.stringify({ ...proof, commit: git('rev-parse', 'HEAD') });
  writeFileSync(record, await format(json, { parser: 'json', printWidth: 120 }));
}
