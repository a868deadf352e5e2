import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { drawPlot } from '../pictures/draw-plot.mjs';

const root = resolve(import.meta.dirname, '../..');
const isPage = (path: string): boolean => path.endsWith('.md');
const pagesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(isPage)
    .map((path) => join(folder, path));
const pages = [
  ...readdirSync(root).filter(isPage),
  ...['docs', 'deploy', 'apps', 'libs', 'test'].flatMap(pagesOf),
].toSorted();
const texts = new Map(pages.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
const textOf = (path: string): string => texts.get(path) ?? '';

interface Link {
  from: string;
  to: string;
}

/** Links and pictures of a page, inline and by reference; code is none. */
function linksOf(from: string): Link[] {
  const prose = textOf(from)
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$| src="([^"]+)"/gm)]
    .map(([, inline, reference, picture]) => ({ from, to: inline ?? reference ?? picture ?? '' }))
    .filter(({ to }) => !/^(https?|mailto):/.test(to));
}

/** The anchor that a heading gets on GitHub. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const links = pages.flatMap(linksOf);
const targetOf = ({ from, to }: Link): string => join(dirname(from), to.split('#')[0] ?? '');

describe('the pages of the repository', () => {
  it('lead only to what is there', () => {
    expect(links.length).toBeGreaterThan(100);
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.to.split('#');
      const target = path === '' ? link.from : targetOf(link);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && isPage(target) && !anchorsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('can all be found from the README', () => {
    const found = new Set(['README.md']);
    for (const page of found) {
      for (const link of linksOf(page)) {
        const target = targetOf(link);
        if (texts.has(target)) found.add(target);
      }
    }
    const documentation = pages.filter((path) => /^(docs|deploy)\//.test(path));
    expect(documentation.filter((path) => !found.has(path))).toEqual([]);
  });

  it('name no script that npm does not have', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = pages
      .filter((path) => path !== 'CHANGELOG.md')
      .flatMap((path) => [...textOf(path).matchAll(/npm run (?:--silent )?([a-z][\w-]*)/g)].map(([, name]) => name));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !(String(name) in scripts))).toEqual([]);
  });

  it('show no picture that nobody draws, and none that is out of date with its table', () => {
    const pictures = readdirSync(join(root, 'docs/pictures'));
    expect(pictures.toSorted()).toEqual(['approval.png', 'performance.svg', 'portal.png']);
    const drawn = drawPlot(textOf('docs/explanation/performance.md'));
    expect(drawn.match(/<rect x=/g)?.length).toBe(8);
    expect(readFileSync(join(root, 'docs/pictures/performance.svg'), 'utf8')).toBe(drawn);
  });
});

describe('README.md', () => {
  it('is short', () => {
    expect(textOf('README.md').split(/\s+/).length).toBeLessThanOrEqual(700);
  });
});

describe('the tutorial in the browser', () => {
  it('calls the buttons as the portal does', () => {
    const folder = join(root, 'apps/sandbox/src/portal/pages');
    const portal = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const labels = [...textOf('docs/tutorials/pay-in-the-browser.md').matchAll(/\*\*(.+?)\*\*/g)].map(
      ([, name]) => name,
    );
    expect(labels.length).toBeGreaterThan(3);
    expect(labels.filter((label) => !portal.some((page) => page.includes(String(label))))).toEqual([]);
  });
});

const isFound = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const runs = (program: string, text: string): string =>
  spawnSync(program, program === 'python3' ? ['-c', text] : ['--input-type=module', '--eval', text], {
    encoding: 'utf8',
  }).stdout.trim();

describe('samples of the page on ID tokens', () => {
  const page = textOf('docs/reference/id-tokens.md');
  const [, code = '', hash = ''] = /For the code `(\S+)` the result is `(\S+)`/.exec(page) ?? [];
  const sample = (language: string): string =>
    new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';

  it('compute the hash in Node.js', () => {
    expect(runs(process.execPath, `${sample('js')}\nconsole.log(leftHalfHash('${code}'));`)).toBe(hash);
  });

  (isFound('python3') ? it : it.skip)('compute the hash in Python', () => {
    expect(runs('python3', `${sample('python')}\nprint(left_half_hash('${code}'))`)).toBe(hash);
  });
});

describe('the page on registration', () => {
  it('has a set of claims with all that the API document requires, and no other names', () => {
    const [, sample = '{}'] = /^```json\n([^]*?)^```$/m.exec(textOf('docs/reference/registration.md')) ?? [];
    const file = join(root, 'apps/openapi/documents/discovery-and-registration.json');
    const { components } = JSON.parse(readFileSync(file, 'utf8')) as {
      components: { schemas: Record<string, { required: string[]; properties: object }> };
    };
    const { required = [], properties = {} } = components.schemas['OBClientRegistrationRequest1'] ?? {};
    const names = Object.keys(JSON.parse(sample) as object);
    expect(required.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !(name in properties))).toEqual([]);
    expect(names.length).toBeGreaterThan(10);
  });
});
