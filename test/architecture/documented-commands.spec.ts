import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { type Command, CommanderError } from 'commander';
import { readShell, type SimpleCommand } from '../support/shell-words.js';
import { createOpenapiProgram, programTrees } from '../support/apps/program-trees.js';

const root = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Programs whose commands and options are defined with commander, by the names of their scripts. */
const trees: Readonly<Record<string, () => Command>> = {
  ...programTrees,
  openapi: () => createOpenapiProgram(async () => undefined),
};

/** Programs of the repository that are no applications: their own help says what they take. */
const ownPrograms: Readonly<Record<string, string>> = {
  bench: 'test/bench/run.mjs',
  chaos: 'test/e2e/chaos/run.mjs',
  mutations: 'test/mutation/run.mjs',
  corpus: 'test/corpus/run.mjs',
  pages: 'test/e2e/authorization/pages.mjs',
  pictures: 'test/pictures/run.mjs',
};

/** What the image starts, by the names of the scripts. */
const built: Readonly<Record<string, string>> = {
  'operator/src/main.js': 'operator',
  'token/src/keys.js': 'keys',
  'worker/src/migrate.js': 'migrate',
  'worker/src/housekeeping-command.js': 'housekeeping',
  'ingress-check/src/main.js': 'ingress-check',
};

/** Placeholders for values of the reader's own. */
const placeholders: Readonly<Record<string, string>> = {
  PAYMENT_ORDER_ID: '0192f5a0-0000-7000-8000-000000000000',
  CLIENT_ID: '0192f5a0-0000-7000-8000-000000000000',
  REQUEST_ID: '0192f5a0-0000-7000-8000-000000000000',
  ID: '0192f5a0-0000-7000-8000-000000000000',
  PAYMENT_ID: '0192f5a0000070008000000000000000',
  STATUS: 'Rejected',
  N: '30',
  STATE: 'locked',
  FAULT: 'gateway-timeout',
  'NUMBER:HASH': `12:${'a'.repeat(43)}`,
};

/**
 * @param command as a page has it
 * @param isNamed a sentence may name a program or a command without what it needs
 * @returns its fault; undefined if there is none, or if the program is not ours
 */
function faultOfCommand(command: SimpleCommand, isNamed = false): string | undefined {
  const words = command.map((word) => placeholders[word] ?? word);
  const [first = '', second = ''] = words;
  if (first === 'npm') return faultOfNpm(words.slice(1), isNamed);
  if (first === 'npx' && second !== 'obp') return `npx ${second} is no program of this repository`;
  if (first === 'npx' || first === 'obp') return faultOfObp(words.slice(first === 'npx' ? 2 : 1), isNamed);
  if (/(?:^|\/)node$/.test(first)) return faultOfNode(words.slice(1), isNamed);
  if (first === 'docker') return faultOfCompose(words.slice(1));
  if (first === 'kubectl') return faultOfKubectl(words.slice(1));
  return undefined;
}

function faultOfNpm(words: readonly string[], isNamed: boolean): string | undefined {
  const [first = '', ...rest] = words.filter((word) => word !== '--silent');
  if (['ci', 'link', 'install', 'prune'].includes(first)) return undefined;
  const [name = '', ...parameters] = first === 'run' ? rest : [first, ...rest];
  if (first === 'run' && name === '') return undefined;
  if (!(name in scripts)) return `npm has no script ${name}`;
  if (parameters.length > 0 && parameters[0] !== '--') return `npm itself takes ${parameters[0]}: -- is missing`;
  return faultOfScript(name, parameters.slice(1), isNamed);
}

function faultOfObp([name = '', ...parameters]: readonly string[], isNamed: boolean): string | undefined {
  if (name === '' || name.startsWith('-')) return ['', '--help', '--version', '-V'].includes(name) ? undefined : name;
  if (name === 'COMMAND') return undefined;
  if (name === 'complete') return /^(?:bash|zsh|fish|powershell)?$/.test(parameters.join(' ')) ? undefined : name;
  return name in programTrees ? faultOfScript(name, parameters, isNamed) : `obp has no command ${name}`;
}

function faultOfNode(words: readonly string[], isNamed: boolean): string | undefined {
  const start = words.findIndex((word) => word.includes('dist/apps/'));
  if (start === -1) return undefined;
  const program = words[start]?.replace(/^.*dist\/apps\//, '') ?? '';
  if (!existsSync(join(root, 'apps', program.replace(/\.js$/, '.ts')))) return `there is no program ${program}`;
  const name = built[program];
  return name === undefined ? undefined : faultOfScript(name, words.slice(start + 1), isNamed);
}

function faultOfScript(name: string, parameters: readonly string[], isNamed: boolean): string | undefined {
  const tree = trees[name];
  if (tree !== undefined) return faultOfTree(tree(), parameters, isNamed);
  if (name in ownPrograms) return faultOfOwn(name, parameters);
  if (name === 'jest' || name === 'test') return parameters.find((word) => !isTestPath(word));
  return parameters.length === 0 ? undefined : `${name} takes no parameters`;
}

const isTestPath = (word: string): boolean =>
  word.startsWith('-') || existsSync(join(root, word)) || readTests().some((path) => path.startsWith(word));

let tests: string[] | undefined;
function readTests(): string[] {
  tests ??= ['apps', 'libs', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('spec.ts'))
      .map((path) => join(folder, path)),
  );
  return tests;
}

/** A command line, or the form of several: `COMMAND` and `…` stand for words that differ. */
function faultOfTree(program: Command, parameters: readonly string[], isNamed: boolean): string | undefined {
  const words = parameters.map((word) => word.replace(/[[\]]/g, ''));
  if (words.some((word) => /^(?:COMMAND|…|\.\.\.)$/.test(word))) {
    const known = new Set(allCommands(program).flatMap(({ options }) => options.flatMap(({ long }) => long ?? [])));
    return words.find((word) => word.startsWith('--') && !known.has(word));
  }
  const named = findCommand(program, words);
  if (isNamed && named.rest.length === 0) return undefined;
  return faultOfParsing(program, words);
}

function faultOfParsing(program: Command, words: readonly string[]): string | undefined {
  for (const command of allCommands(program)) {
    // The others only tell what they were given.
    if (/\b(?:sandbox|keys)\b/.test(program.name()) && command.commands.length === 0) command.action(() => undefined);
  }
  try {
    program.parse([...words], { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? undefined : error.message;
  }
}

function allCommands(program: Command): Command[] {
  return [program, ...program.commands.flatMap(allCommands)];
}

/** @returns the innermost command that the words name, and the words left */
function findCommand(program: Command, words: readonly string[]): { command: Command; rest: readonly string[] } {
  const [first, ...rest] = words;
  const child = program.commands.find((each) => each.name() === first);
  return child === undefined ? { command: program, rest: words } : findCommand(child, rest);
}

/**
 * @param command that a page names
 * @param fragment named after it: further parameters, an option, another command of the same program, or a value
 */
function faultOfFragment(command: SimpleCommand, fragment: SimpleCommand): string | undefined {
  const [first = '', ...rest] = fragment;
  const name = command.find((word) => word in trees || word in ownPrograms) ?? '';
  if (first === '--') return faultOfScript(name, rest, false);
  const tree = trees[name]?.();
  if (tree === undefined) return first in scripts ? undefined : `${fragment.join(' ')} is nothing of ${name}`;
  const commands = allCommands(tree);
  const flags = fragment.filter((word) => word.startsWith('--'));
  const unknown = flags.find((flag) => !commands.some(({ options }) => options.some(({ long }) => long === flag)));
  if (unknown !== undefined || flags.length > 0) return unknown;
  const choices = commands.flatMap(({ options, registeredArguments }) =>
    [...options, ...registeredArguments].flatMap(({ argChoices = [] }) => argChoices),
  );
  const isCommand = commands.some((each) => findCommand(each, fragment).command !== each);
  return isCommand || choices.includes(first) ? undefined : `no command or value ${first}`;
}

const helps = new Map<string, string>();

function helpOf(name: string): string {
  const known = helps.get(name);
  if (known !== undefined) return known;
  const { stdout } = spawnSync(process.execPath, [ownPrograms[name] ?? '', '--help'], { cwd: root, encoding: 'utf8' });
  helps.set(name, stdout);
  return stdout;
}

function faultOfOwn(name: string, parameters: readonly string[]): string | undefined {
  if (parameters.length === 0) return undefined;
  const flags = parameters.map((word) => word.replace(/[[\]]/g, '')).filter((word) => word.startsWith('-'));
  return flags.find((flag) => !new RegExp(`^ .*${flag}\\b`, 'm').test(helpOf(name)));
}

function faultOfCompose(words: readonly string[]): string | undefined {
  const file = words[words.indexOf('--file') + 1] ?? '';
  if (!existsSync(join(root, file))) return `there is no file ${file}`;
  const start = words.indexOf('run');
  const [service = '', ...parameters] = words.slice(start + 1).filter((word) => !word.startsWith('--'));
  if (!new RegExp(`^  ${service}:`, 'm').test(readFileSync(join(root, file), 'utf8'))) return `no service ${service}`;
  return trees[service] === undefined ? undefined : faultOfScript(service, parameters, false);
}

const cluster = ['base', 'overlays/pass-through', 'overlays/terminating'].flatMap((folder) =>
  readdirSync(join(root, 'deploy/kubernetes', folder)).map((file) =>
    readFileSync(join(root, 'deploy/kubernetes', folder, file), 'utf8'),
  ),
);
const isInCluster = (name: string): boolean => cluster.some((text) => new RegExp(`: ${name}$`, 'm').test(text));

function faultOfKubectl(words: readonly string[]): string | undefined {
  const named = [
    words[words.indexOf('--namespace') + 1],
    words[words.indexOf('generic') + 1],
    ...words.map((word) => /^deployment\/(.+)$/.exec(word)?.[1]),
  ].filter(
    (name, index) => name !== undefined && (index > 1 || words.includes(['--namespace', 'generic'][index] ?? '')),
  );
  const unknown = named.find((name) => !isInCluster(String(name)));
  if (unknown !== undefined) return `deploy/kubernetes has no ${unknown}`;
  const start = words.indexOf('--');
  return start === -1 ? undefined : faultOfCommand(words.slice(start + 1));
}

const pages = ['.', 'docs', 'deploy', 'apps', 'libs', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => join(folder, path)),
  )
  // The history names commands of earlier versions.
  .filter((path) => path !== 'CHANGELOG.md')
  .toSorted();

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^( *)```([^\n]*)\n([^]*?)^\1```$/gm)].map(([, , language = '', body = '']) => ({
    page,
    language,
    text: body,
  }));
}

/** Why a block of commands is read by this test but not run by any; CONTRIBUTING.md has the list. */
const reasons = ['machine', 'cluster', 'deployment', 'session', 'bruno', 'sample'];
/**
 * Pages whose `sh` blocks a test runs: see test/e2e/tpp/docs.e2e-spec.ts and test/e2e/process/one-machine.e2e-spec.ts.
 */
const areRun = (page: string): boolean => page.startsWith('docs/') || page === 'deploy/one-machine.md';
const others = /^(?:css|go|html|http|java|js|json|mermaid|nginx|promql|python|sql|text|ts|yaml)$/;

const blocks = pages.flatMap(blocksOf);
const inSh = blocks.filter(({ language }) => /^sh\b/.test(language));

const faultsOf = (text: string, isNamed = false): string[] =>
  readShell(text).flatMap((command) => {
    const fault = faultOfCommand(command, isNamed);
    return fault === undefined ? [] : [`${command.join(' ')}: ${fault}`];
  });

/** Commands within a line of prose. */
const commandsInProse = (page: string): string[] =>
  [
    ...readFileSync(join(root, page), 'utf8')
      .replace(/^ *```[^]*?^ *```$/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ]
    .map(([, code = '']) => code)
    .filter((code) =>
      /^(?:npm (?:run|start|test|ci|link)\b|npx |obp |node .*dist\/|docker compose |kubectl )/.test(code),
    );

describe('a command on a page', () => {
  it('is in a block with a language', () => {
    const unmarked = blocks.filter(
      ({ page, language }) =>
        !others.test(language) &&
        !(language === 'sh' && areRun(page)) &&
        !reasons.some((reason) => language === `sh ${reason}`),
    );
    expect(unmarked).toEqual([]);
    expect(inSh.length).toBeGreaterThan(40);
  });

  it('is not hidden in a block of text', () => {
    const isCommand = /^ *\$? *(?:npm|npx|obp|node|git|docker|kubectl|psql|curl|bru|openssl) /m;
    expect(blocks.filter(({ language, text }) => language === 'text' && isCommand.test(text))).toEqual([]);
  });

  it.each(pages.filter((page) => inSh.some((block) => block.page === page)))('of %s exists', (page) => {
    const shown = inSh.filter((block) => block.page === page && page !== 'deploy/one-machine.md');
    expect(shown.flatMap(({ text }) => faultsOf(text))).toEqual([]);
  });

  it('exists if named in prose', () => {
    const found = pages.flatMap((page) => commandsInProse(page).map((command) => ({ page, command })));
    expect(found.length).toBeGreaterThan(100);
    const wrong = found.flatMap(({ page, command }) => faultsOf(command, true).map((fault) => `${page}: ${fault}`));
    expect(wrong).toEqual([]);
  });

  it('exists if the reference names it by a part', () => {
    const rows = [...readFileSync(join(root, 'docs/reference/commands.md'), 'utf8').matchAll(/^\| `.*$/gm)];
    const parts = rows.flatMap(([row]) => {
      const [first = '', ...codes] = [...row.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
      const [command = []] = readShell(first);
      const partial = codes.filter(
        (code) => /^(?:--|[a-z-]+(?: [a-z-]+)*$)/.test(code) && !/^(?:npm|npx|obp) /.test(code),
      );
      return partial.map((code) => ({ first, code, fault: faultOfFragment(command, readShell(code)[0] ?? []) }));
    });
    expect(parts.length).toBeGreaterThan(20);
    expect(parts.filter(({ fault }) => fault !== undefined)).toEqual([]);
  });

  it.each(reasons)('is skipped for a reason that CONTRIBUTING.md lists: %s', (reason) => {
    expect(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')).toMatch(new RegExp(`\`sh ${reason}\``));
    expect(inSh.some(({ language }) => language === `sh ${reason}`)).toBe(true);
  });
});

describe('the reader of commands', () => {
  it.each([
    'npm run tpp -- consent file.json --nope',
    'npm run tpp -- consnt file.json',
    'npm run tpp -- token surplus',
    'npm run tpp token --show',
    'npm run nothing',
    'npx obp convert',
    'npx obp convert a.csv --json',
    'obp nothing',
    'npm run sandbox -- clock "TPP One" soon',
    'npm run operator -- payments reject --without-bank',
    'npm run bench -- --onyl x',
    'npm run jest -- test/e2e/nowhere',
    'npm run lint -- --fix',
    'node dist/apps/nowhere/src/main.js',
    'node dist/apps/operator/src/main.js clients lits',
    'docker compose --file deploy/compose.yaml run --rm nobody',
    'kubectl --namespace open-banking scale deployment/nobody --replicas=1',
    'true && npm run tpp -- tokn | cat',
    'echo "$(npm run tpp -- tokn)"',
  ])('refuses %s', (text) => {
    expect(faultsOf(text)).not.toEqual([]);
  });

  it('understands assignments, comments, quotes, redirections and continued lines', () => {
    expect(readShell('A=1 npm run tpp -- token \\\n  --show > "a file" # why\n')).toEqual([
      ['npm', 'run', 'tpp', '--', 'token', '--show'],
    ]);
  });
});
