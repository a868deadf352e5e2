import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { faultOfCommand, faultOfFragment } from '../support/documented-commands.js';
import { readShell } from '../support/shell-words.js';

const root = resolve(import.meta.dirname, '../..');
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
