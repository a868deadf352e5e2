import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { drawJourneys, drawLatency, drawPlot, drawRows } from '../pictures/draw-plot.mjs';
import { findMissing, titles, writeFigures, writeJourneys } from '../pictures/write-figures.mjs';

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

/** Links and pictures of a page, inline and by reference; not those in code. */
function linksOf(from: string): Link[] {
  const prose = textOf(from)
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$| src="([^"]+)"/gm)].map(
    ([, inline, reference, picture]) => ({ from, to: inline ?? reference ?? picture ?? '' }),
  );
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

const isExternal = ({ to }: Link): boolean => /^(?:[a-z]+:|\/\/)/.test(to);
const allLinks = pages.flatMap(linksOf);
const links = allLinks.filter((link) => !isExternal(link));
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

  it('lead elsewhere by https, to a host that has a name', () => {
    const external = allLinks.filter(isExternal);
    expect(external.length).toBeGreaterThan(3);
    const odd = external.filter(({ to }) => {
      if (!URL.canParse(to)) return true;
      const { protocol, hostname, username } = new URL(to);
      return protocol !== 'https:' || username !== '' || !/^(?:[a-z0-9-]+\.)+[a-z]{2,}$/.test(hostname);
    });
    expect(odd).toEqual([]);
  });

  it('can all be found from the README', () => {
    const found = new Set(['README.md']);
    for (const page of found) {
      for (const link of linksOf(page).filter((each) => !isExternal(each))) {
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

  it('show only generated pictures, none out of date with its table', () => {
    const pictures = readdirSync(join(root, 'docs/pictures'));
    expect(pictures.toSorted()).toEqual([
      'access.png',
      'approval.png',
      'dashboards',
      'funds.png',
      'journeys.svg',
      'latency.svg',
      'live.png',
      'performance.svg',
      'portal.png',
      'rows.svg',
      'second-approver.png',
    ]);
    const namesIn = (folder: string): string[] => readdirSync(join(root, folder)).map((name) => parse(name).name);
    expect(namesIn('docs/pictures/dashboards').toSorted()).toEqual(namesIn('deploy/grafana').toSorted());
    const drawn = drawPlot(textOf('docs/explanation/performance.md'));
    const rows = textOf('docs/explanation/performance.md').match(/^\| .*(?= \| [\d,]+ +\| \d)/gm) ?? [];
    expect(drawn.match(/<rect x=/g)).toHaveLength(rows.length);
    expect(Object.values(titles)).toEqual(expect.arrayContaining(rows.map((row) => row.slice(2).trim())));
    expect(readFileSync(join(root, 'docs/pictures/performance.svg'), 'utf8')).toBe(drawn);
  });
});

const aCase = (name: string, rps: number) => ({
  case: name,
  rps,
  p50_ms: 1,
  p99_ms: 2,
  cpu_ms_per_request: 0.5,
  sql_round_trips: 1,
  ratios: { floor: rps / 4_000 },
  cpu_ratios: { floor: 1 },
});

const at = (offered: number, ms: number) => ({ offered, p50_ms: ms, p99_ms: ms * 10 });

it('latency is drawn against load, on a scale of powers of ten', () => {
  const compared = {
    'ours, 800 a second': at(800, 10),
    'floor, 400 a second': at(400, 1),
    'floor, 800 a second': at(800, 1),
  };
  const drawn = drawLatency({ cases: [{ case: 'load', ...at(400, 1), compared }] });
  expect([...(drawn?.matchAll(/points="([^"]*)"/g) ?? [])].map(([, points]) => points)).toEqual([
    '270,344 480,269',
    '270,269 480,194',
    '270,344 480,344',
    '270,269 480,269',
  ]);
  expect(drawLatency({ cases: [] })).toBeUndefined();
});

const widthsIn = (drawn = '') => [...drawn.matchAll(/<rect x[^>]* width="(\d+)"/g)].map(([, width]) => Number(width));

const parts = (ms: number) => ({
  authorize_cpu_ms: ms,
  token_cpu_ms: ms,
  api_cpu_ms: ms,
  worker_cpu_ms: ms,
  database_cpu_ms: ms,
});

it('the processor time of journeys is drawn by process', () => {
  const journey = { case: 'journey', ...parts(10), compared: { 'v4.0': parts(5), floor: parts(1) } };
  const domestic = { case: 'journey-domestic', ...parts(2), compared: {} };
  const drawn = drawJourneys({ cases: [journey, domestic] });
  expect(widthsIn(drawn)).toEqual([84, 42, 8, 17].flatMap((width) => Array.from({ length: 5 }, () => width)));
  expect(drawn).toContain('a file of 150, the floor</text>');
  expect(drawn).toContain('50 ms</text>');
  expect(drawJourneys({ cases: [journey] })).toBeUndefined();
});

it('the cost of a million rows is drawn as a multiple, for each case that was measured with them', () => {
  const aRow = (name: string, times: number) => ({
    ...aCase(name, 1),
    total_cpu_ratios: { 'million-rows': times },
    compared: { 'million-rows': {} },
  });
  const without = { ...aCase('load', 1), compared: {} };
  const drawn = drawRows({ cases: [aRow('stage-consent', 1.2), without, aRow('connection', 0.6)] });
  expect(widthsIn(drawn)).toEqual([420, 210]);
  expect(drawn).toContain('stage a consent</text>');
  expect(drawRows({ cases: [without] })).toBeUndefined();
});

describe('the figures of the page on performance', () => {
  const page = textOf('docs/explanation/performance.md');

  it('come from what the benchmark wrote, and the plot from them', () => {
    const cases = Object.keys(titles).map((name, index) => aCase(name, 1_000 + index));
    const written = writeFigures(page, { cases });
    expect(written).toContain('| stage a consent                            | 1,003      | 1.0, 2.0    |');
    expect(written.match(/^\|.*\| 0\.25 \(1\.00\) +\|/gm)).toHaveLength(cases.length);
    expect(drawPlot(written)).toContain('0.25 · 1,007 a second');
    expect(writeFigures(written, { cases })).toBe(written);
    const some = cases.slice(3).map((each) => ({ ...each, rps: 1 }));
    const [before, after] = [written, writeFigures(written, { cases: some })].map((text) => text.split('\n'));
    expect(after?.filter((line, index) => line !== before?.[index])).toHaveLength(some.length);
    expect(findMissing({ cases: some })).toEqual([
      'token-client-credentials-private-key-jwt',
      'token-client-credentials-tls-client-auth',
      'token-authorization-code',
      'journey',
    ]);
  });

  it('say what a journey costs each process', () => {
    const row = { authorize_cpu_ms: 1, token_cpu_ms: 2, api_cpu_ms: 3, worker_cpu_ms: 4, database_cpu_ms: 5.4 };
    const cases = [{ case: 'journey', ...row }];
    const written = writeJourneys(textOf('deploy/database/README.md'), { cases });
    expect(written.match(/^\| CPU ms, .* \| 1 +\| 2 +\| 3 +\| 4 +\| 5 +\| 15 +\|$/gm)).toHaveLength(1);
    expect(writeJourneys(written, { cases })).toBe(written);
    expect(writeJourneys(written, { cases: [] })).toBe(written);
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

describe('the sample of the page on ID tokens for Node.js', () => {
  it('computes the hash', () => {
    const page = textOf('docs/how-to/send-customers-to-the-bank.md');
    const [, code = '', hash = ''] = /For the code `(\S+)` the result is `(\S+)`/.exec(page) ?? [];
    const [, sample = ''] = /^```js\n([^]*?)^```$/m.exec(page) ?? [];
    const text = `${sample}\nconsole.log(leftHalfHash('${code}'));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' });
    expect(stdout.trim()).toBe(hash);
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
