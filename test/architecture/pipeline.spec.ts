import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { firstOfShortRing, longSuites } from '../support/long-suites.mjs';

// GitHub's files cannot run here: this holds them to their schemas, and to the commands that there are.

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { scripts, engines, version } = JSON.parse(read('package.json')) as {
  version: string;
  scripts: Record<string, string>;
  engines: { node: string };
};

/** @returns what a schema of SchemaStore finds wrong in a file */
function faultsIn(path: string, schema: string): unknown {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(JSON.parse(read(`test/support/github-schemas/${schema}.json`)) as object);
  return isValid(load(read(path))) ? [] : isValid.errors;
}

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  'runs-on': string;
  'timeout-minutes': number;
  needs?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { node: number[] } };
  steps: Step[];
}

interface Workflow {
  name: string;
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const workflows = Object.fromEntries(
  readdirSync(join(root, '.github/workflows')).map((name) => [
    name,
    load(read(`.github/workflows/${name}`)) as Workflow,
  ]),
);
const stepsOf = (workflow?: Workflow): Step[] => Object.values(workflow?.jobs ?? {}).flatMap(({ steps }) => steps);
const commandsOf = (workflow?: Workflow): string =>
  stepsOf(workflow)
    .map(({ run = '' }) => run)
    .join('\n');

describe.each(Object.entries(workflows))('.github/workflows/%s', (name, workflow) => {
  it('is a workflow', () => expect(faultsIn(`.github/workflows/${name}`, 'workflow')).toEqual([]));

  it('may read and no more, unless a job says so, and ends in time', () => {
    expect(workflow).toMatchObject({ name: expect.any(String), on: expect.any(Object) });
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(workflow.jobs)) {
      expect(job).toMatchObject({ 'runs-on': 'ubuntu-24.04', 'timeout-minutes': expect.any(Number) });
      if (job.needs !== undefined) expect(Object.keys(workflow.jobs)).toContain(job.needs);
    }
  });

  it('uses actions of a version, and commands that there are', () => {
    for (const { uses } of stepsOf(workflow)) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
    const named = commandsOf(workflow).matchAll(/\bnpm run ([\w:]+)/g);
    for (const [, name] of named) expect(Object.keys(scripts)).toContain(name);
    for (const { run } of stepsOf(workflow)) {
      if (run === undefined) continue;
      const { status, stderr } = spawnSync('bash', ['-n'], { input: run.replaceAll(/\$\{\{.*?\}\}/g, 'x') });
      expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
    }
  });
});

describe('the pipeline', () => {
  it('tests on the oldest supported Node.js, the recommended one and the newest', () => {
    const node = workflows['ci.yml']?.jobs['test']?.strategy?.matrix.node;
    expect(node).toEqual([20, 24, 26]);
    expect(engines.node).toMatch(new RegExp(`^>=${node?.[0]}\\b`));
    expect(read('deploy/Dockerfile')).toContain(`FROM node:${node?.[1]}.`);
    for (const ring of ['npm test', 'npm run test:long']) expect(commandsOf(workflows['ci.yml'])).toContain(ring);
    // The upgrade starts at the last tag.
    expect(workflows['ci.yml']?.jobs['long']?.steps[0]?.with).toEqual({ 'fetch-depth': 0 });
  });

  it('installs no package that wants a newer Node.js, where Node.js is newer than the oldest', () => {
    for (const workflow of Object.values(workflows)) {
      for (const [, options] of commandsOf(workflow).matchAll(/^npm ci\b(.*)$/gm))
        expect(options).toMatch(/--engine-strict/);
    }
    expect(read('deploy/Dockerfile')).toMatch(/npm ci .*--engine-strict/);
  });

  it('has rings of suites that there are', () => {
    const suites = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('spec.ts'))
      .map((path) => path.replaceAll('\\', '/'));
    const named = [...longSuites, ...firstOfShortRing];
    expect(named.filter((name) => !suites.some((path) => path.startsWith(name)))).toEqual([]);
  });

  it('runs every test: only specs hold tests', () => {
    const isSpec = /\.(?:spec|int-spec|e2e-spec)\.ts$/;
    const others = ['test', 'apps', 'libs'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.m?[tj]s$/.test(path) && !isSpec.test(path))
        .map((path) => `${folder}/${path}`),
    );
    const holdsTests = /import \{[^}]*\b(?:it|test|describe)\b[^}]*\} from '@jest\/globals'/;
    expect(others.filter((path) => holdsTests.test(read(path)))).toEqual([]);
  });

  it('releases an image for two architectures, with components, provenance, signature and notes', () => {
    const release = workflows['release.yml'];
    const build = stepsOf(release).find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(build?.with).toMatchObject({
      file: 'deploy/Dockerfile',
      platforms: 'linux/amd64,linux/arm64',
      push: true,
      sbom: true,
      provenance: 'mode=max',
    });
    expect(release?.jobs['image']).toMatchObject({ needs: 'test', permissions: { 'id-token': 'write' } });
    expect(commandsOf(release)).toMatch(/cosign sign --yes "\$IMAGE@/);
    const [notes = ''] = /^awk .*(?= > notes\.md$)/m.exec(commandsOf(release)) ?? [];
    const env = { PATH: process.env['PATH'], GITHUB_REF_NAME: `v${version}` };
    const { stdout } = spawnSync('bash', ['-c', notes], { cwd: root, env, encoding: 'utf8' });
    expect(stdout).toMatch(/^### /m);
    expect(stdout).not.toMatch(/^## /m);
    expect(build?.with).toMatchObject({ tags: expect.stringMatching(/:\$\{\{ steps\.version\.outputs\.number \}\}$/) });
    expect(commandsOf(release)).toContain('number=${GITHUB_REF_NAME#v}');
    for (const overlay of ['pass-through', 'terminating'])
      expect(read(`deploy/kubernetes/overlays/${overlay}/kustomization.yaml`)).toContain(`newTag: ${version} }`);
  });

  it('looks every week for known vulnerabilities and for newer packages, actions and images', () => {
    expect(workflows['audit.yml']?.on).toMatchObject({
      schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \d$/) }],
    });
    expect(commandsOf(workflows['audit.yml'])).toContain('npm audit --omit=dev');
    expect(faultsIn('.github/dependabot.yml', 'dependabot')).toEqual([]);
    const { updates } = load(read('.github/dependabot.yml')) as {
      updates: { 'package-ecosystem': string; directory: string; schedule: object }[];
    };
    expect(updates.map((each) => each['package-ecosystem'])).toEqual([
      'npm',
      'github-actions',
      'docker',
      'docker-compose',
    ]);
    for (const { directory, schedule } of updates) {
      expect(existsSync(join(root, directory))).toBe(true);
      expect(schedule).toEqual({ interval: 'weekly' });
    }
  });
});

describe('what people fill in', () => {
  it('is a form that GitHub takes', () => {
    expect(load(read('.github/ISSUE_TEMPLATE/config.yml'))).toEqual({ blank_issues_enabled: false });
    for (const name of ['fault', 'wish'])
      expect(faultsIn(`.github/ISSUE_TEMPLATE/${name}.yml`, 'issue-forms')).toEqual([]);
  });

  it('has owners for files that there are', () => {
    const lines = read('.github/CODEOWNERS')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of lines) {
      const [path = '', ...owners] = line.split(' ');
      if (path !== '*') expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      expect(owners).toEqual([expect.stringMatching(/^@[\w-]+\/[\w-]+$/)]);
    }
  });

  it('has a container in which the sandbox starts', () => {
    const { image, forwardPorts } = JSON.parse(read('.devcontainer/devcontainer.json')) as {
      image: string;
      forwardPorts: number[];
    };
    expect(image).toMatch(/:24-/);
    expect(forwardPorts).toEqual([8441, 8442, 8443, 8444, 8447]);
  });
});
