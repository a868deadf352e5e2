import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { format } from 'prettier';
import { createProof, renderProof } from '../proof/create-proof.mjs';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const git = (...parameters: string[]): string => execFileSync('git', parameters, { cwd: root, encoding: 'utf8' });
const isHistoryHere = (): boolean =>
  existsSync(join(root, '.git')) && git('rev-parse', '--is-shallow-repository').trim() === 'false';
const ratio = expect.any(Number);

const commit = expect.stringMatching(/^[0-9a-f]{40}$/);
const ring = {
  commit,
  suites: expect.any(Number),
  passed_suites: expect.any(Number),
  passed: expect.any(Number),
  failed: expect.any(Number),
  skipped: expect.any(Number),
  seconds: expect.any(Number),
  node: expect.stringMatching(/^v\d+/),
  accounts: expect.any(Array),
};
const proof = (): ReturnType<typeof createProof> => JSON.parse(read('docs/proof/proof.json'));
const orNotRun = (value: unknown, shape: object): unknown => (value === null ? null : shape);

describe('the proof of a release', () => {
  const lock = {
    packages: {
      '': { license: 'Apache-2.0' },
      a: { license: 'MIT' },
      b: { license: 'MIT' },
      c: { license: 'ISC', dev: true },
      d: {},
    },
  };
  const given = {
    now: new Date('2030-01-31T00:00:00Z'),
    source: { version: '1.0.0', commit: 'c'.repeat(40), tree: 't'.repeat(40), isClean: false, tag: null },
    machine: { cpu: 'any', cores: 2, node: 'v24.0.0', postgresql: '18.4.0', platform: 'linux-x64' },
    mutations: {
      seed: 7,
      commit: 'd'.repeat(40),
      mutations: [
        { path: 'libs/a.ts', kind: 'removed lock', result: 'survived' },
        { path: 'libs/b.ts', kind: 'removed await', result: 'caught', by: 'libs/b.spec.ts: waits' },
        { path: 'libs/b.ts', kind: 'removed await', result: 'does not compile' },
        { path: 'libs/c.ts', kind: 'changed constant', result: 'survived', harmless: 'a hint' },
      ],
    },
    rings: {
      short: {
        suites: 2,
        passed_suites: 1,
        passed: 8,
        failed: 1,
        skipped: 3,
        seconds: 60,
        node: 'v24.0.0',
        accounts: [{ suite: 'test/e2e/chaos/chaos.e2e-spec.ts', said: ['12 paid |\n once'] }],
      },
      long: null,
    },
    bench: {
      mode: 'quick',
      cases: [
        { case: 'upload', ratios: { floor: 0.5 }, cpu_ratios: { floor: 0.6 }, total_cpu_ratios: { floor: 0.75 } },
      ],
    },
    lock,
    audit: { metadata: { vulnerabilities: { low: 1, high: 2, total: 3 } } },
    weakenings: ['A_SETTING'],
    files: { 'package-lock.json': Buffer.from('x') },
  };

  it('has the licences of what is installed to run it, and the hash of each file', () => {
    expect(createProof(given)).toMatchObject({
      licences: { MIT: 2, 'not stated': 1 },
      sha256: { 'package-lock.json': '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881' },
    });
  });

  it('says what failed, and what was not run', () => {
    const page = renderProof(createProof(given));
    for (const line of [
      '- version: 1.0.0, commit `cccccccccccc`, with changes that are not committed',
      '- tests, short ring: 8 passed, 1 failed, 3 skipped in 2 suites, 60 s, Node v24.0.0',
      '- tests, long ring: not run',
      '- chaos/chaos: 12 paid | once',
      '- upgrade: no earlier release',
      '- machine: 2 × any, Node v24.0.0, PostgreSQL 18.4.0, linux-x64',
      '- mutations: 1 of 2 caught by the short ring (seed 7, commit `dddddddddddd`; of those drawn, 1 do no harm and ' +
        '1 do not compile); removed lock in `libs/a.ts`',
      '- bench, of the floor in requests (processor time; with the database): upload 0.50 (0.60; 0.75)',
      '- advisories: 1 low, 2 high',
    ]) {
      expect(page).toContain(`${line}\n`);
    }
    const nothing = { mutations: null, bench: null, audit: { message: '405 Method Not Allowed' } };
    expect(renderProof(createProof({ ...given, ...nothing }))).toMatch(
      /mutations: not run[^]*bench[^\n]*: not run[^]*advisories: not available: 405 Method Not Allowed/,
    );
  });
});

(existsSync(join(root, 'docs/proof/proof.json')) ? describe : describe.skip)('docs/proof', () => {
  it('has every part', () => {
    const { bench, tests, ...parts } = proof();
    expect(parts).toEqual({
      made_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      source: {
        version: expect.any(String),
        commit,
        tree: expect.stringMatching(/^[0-9a-f]{40}$/),
        isClean: expect.any(Boolean),
        tag: parts.source.tag === null ? null : expect.stringMatching(/^v/),
      },
      machine: {
        cpu: expect.any(String),
        cores: ratio,
        node: expect.any(String),
        postgresql: expect.any(String),
        platform: expect.any(String),
      },
      upgrade_from: parts.source.tag,
      mutations: orNotRun(parts.mutations, {
        seed: ratio,
        commit,
        caught: ratio,
        of: ratio,
        harmless: ratio,
        do_not_compile: ratio,
        missed: expect.any(Array),
      }),
      licences: expect.objectContaining({ MIT: ratio }),
      advisories: expect.any(Object),
      weakenings: expect.arrayContaining(['PLAIN_CODE_FLOW']),
      sha256: expect.objectContaining({ 'package-lock.json': expect.stringMatching(/^[0-9a-f]{64}$/) }),
    });
    for (const run of Object.values(tests)) if (run !== null) expect(run).toEqual(ring);
    for (const figures of Object.values(bench?.of_the_floor ?? {})) {
      expect(figures).toEqual({ requests: ratio, cpu: ratio, cpu_with_database: ratio });
    }
  });

  (isHistoryHere() ? it : it.skip)('is of a commit from which this one comes', () => {
    const { commit: tested } = proof().source;
    expect(git('rev-list', 'HEAD').split('\n')).toContain(tested);
  });

  it('is the page of its JSON', async () => {
    const page = await format(renderProof(proof()), { parser: 'markdown', printWidth: 140 });
    expect(read('docs/proof/README.md')).toBe(page);
  });
});
