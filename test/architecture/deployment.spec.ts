import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CORE_SCHEMA, load, loadAll, mergeTag } from 'js-yaml';
import { ConfigError, loadConfig } from '#libs/config';
import { allSettings, settingsOfProcesses } from '../support/apps/settings.js';
import {
  type Setting,
  createNames,
  createPage,
  isDemanded,
  readReaders,
  readSettings,
} from '../../deploy/write-configuration.mjs';
import { argumentsOfUnit } from '../support/systemd-unit.js';
import { apiNodeOptions, tokenNodeOptions } from '../bench/environment.mjs';

/**
 * @param environment without secrets and files, which weaken nothing
 * @returns the settings that STRICT refuses
 */
async function weakeningsIn(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const open = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.endsWith('_FILE')));
  try {
    await loadConfig({ ...open, STRICT: 'true' }, allSettings);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.flatMap((problem) => /^(\w+) weakens the security profile/.exec(problem)?.[1] ?? []);
  }
}

const root = resolve(import.meta.dirname, '../..');
const deploy = join(root, 'deploy');
const settings = new Map(readSettings(allSettings).map((setting) => [setting.name, setting]));
const processes = ['authorize', 'token', 'api', 'worker'] as const;
type Process = keyof typeof settingsOfProcesses;
const readers = readReaders(settingsOfProcesses);
const listening = ['authorize', 'token', 'api'] as const;
const portOf = (process: keyof typeof settingsOfProcesses, name = 'PORT'): number =>
  Number(readSettings(settingsOfProcesses[process]).find((each) => each.name === name)?.default);
const defaultPorts = {
  authorize: portOf('authorize'),
  token: portOf('token'),
  api: portOf('api'),
  authorizeAdmin: portOf('authorize', 'ADMIN_PORT'),
  tokenAdmin: portOf('token', 'ADMIN_PORT'),
  apiAdmin: portOf('api', 'ADMIN_PORT'),
  workerAdmin: portOf('worker', 'ADMIN_PORT'),
};

type Json = Record<string, ReturnType<typeof JSON.parse>>;

// A deployment may bring its own ingress.
const ingressTest = existsSync(join(deploy, 'ingress')) ? it : it.skip;

const read = (path: string): string => readFileSync(join(deploy, path), 'utf8');

/**
 * @returns what is wrong with an environment: unknown names, files where none may be, what is missing, secrets in the
 * open
 */
function faultsOf(environment: Readonly<Record<string, string>>, process?: (typeof processes)[number]): string[] {
  const faults: string[] = [];
  const given = new Set<string>();
  for (const name of Object.keys(environment)) {
    const bare = name.replace(/_FILE$/, '');
    const setting = settings.get(name) ?? (settings.get(bare)?.mayBeFile ? settings.get(bare) : undefined);
    if (setting === undefined) faults.push(`${name} is no setting`);
    else if (setting.isSecret && !name.endsWith('_FILE')) faults.push(`${name} is a secret and not in a file`);
    else given.add(setting.name);
  }
  for (const setting of settings.values()) {
    if (isNeeded(setting.name, process) && !given.has(setting.name)) faults.push(`${setting.name} is missing`);
  }
  return faults;
}

/** Whether a process, or without one any process, does not start without a setting. */
function isNeeded(name: string, process?: Process): boolean {
  return (process === undefined ? processes : [process]).some(
    (each) => readsSetting(each, name) && isDemanded(settings.get(name) as Setting, each),
  );
}

const readsSetting = (process: Process, name: string): boolean => readers[process]?.includes(name) === true;

const settingOf = (file: string): string => file.toUpperCase().replaceAll('-', '_');

/**
 * @returns of files, named like their settings, those that a process does not read, and those of its secrets that are
 * not there
 */
function strangersAmong(files: readonly string[], process: Process): string[] {
  const read = [...settings.values()].filter(({ name }) => readsSetting(process, name));
  const secrets = read.filter(({ name, isSecret }) => isSecret && isNeeded(name, process));
  return [
    ...files.filter((file) => !readsSetting(process, settingOf(file))),
    ...secrets.filter(({ name }) => !files.map(settingOf).includes(name)).map(({ name }) => `no ${name}`),
  ];
}

/** The authority of the database is named in its URL, not by a setting. */
const isNoAuthority = (file: string): boolean => file !== 'database-ca';

/** What the image's node is given: its options, and the program. */
function startOf(words: readonly string[]): { options: readonly string[]; program: string } {
  return { options: words.filter((word) => word.startsWith('--')), program: words.at(-1) ?? '' };
}

/** The options with which a process was measured. */
const measuredOptions: Readonly<Record<string, readonly string[]>> = { token: tokenNodeOptions, api: apiNodeOptions };
const optionsOf = (name: string): readonly string[] => measuredOptions[name] ?? [];

/** Whether a path of the image is there: its sources are compiled to dist/. */
const isProgram = (path: string): boolean =>
  path.startsWith('dist/apps/') && existsSync(join(root, path.replace(/^dist\//, '').replace(/\.js$/, '.ts')));

describe('deploy/configuration.md', () => {
  it('is what the code says', () => {
    expect(
      read('configuration.md') === createPage([...settings.values()], readers)
        ? 'right'
        : 'out of date: npm run configuration',
    ).toBe('right');
  });

  it('and the list of names are what the code says', () => {
    const names = readFileSync(join(root, 'libs/config/src/setting-names.ts'), 'utf8');
    expect(names === createNames([...settings.values()]) ? 'right' : 'out of date: npm run configuration').toBe(
      'right',
    );
  });

  it('has a reader for each setting', () => {
    const read = new Set(Object.values(readers).flat());
    expect([...settings.keys()].filter((name) => !read.has(name))).toEqual([]);
  });

  it('has no secret that may not be a file', () => {
    expect([...settings.values()].filter(({ isSecret, mayBeFile }) => isSecret && !mayBeFile)).toEqual([]);
  });
});

/**
 * Words that look like settings: of PostgreSQL's image, Linux, Envoy, OpenTelemetry's library, Node.js; values,
 * examples, variables of tests.
 */
const othersWords =
  /^(?:POSTGRES_.+|ON_ERROR_STOP|NET_BIND_SERVICE|LEAST_REQUEST|SANITIZE_SET|STRICT_DNS|OTEL_.+|NODE_OPTIONS|PAYMENT_(?:ORDER_)?ID|REQUEST_ID|UPGRADE_(?:FROM|STEP_SECONDS)|DISTRIBUTED_(?:DATABASE_URL|E2E|NODE_COMMAND)|CD_(?:AISP|CBPII))$/;

describe('every file of deploy/', () => {
  it('names no setting that the code does not know', () => {
    const files = (readdirSync(deploy, { recursive: true }) as string[]).filter(
      (path) => /\.(?:md|ya?ml|env|cfg|conf)$|Dockerfile$/.test(path) && path !== 'configuration.md',
    );
    const unknown = files.flatMap((path) =>
      [...read(path).matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)]
        .map(([word]) => word)
        .filter((word) => !settings.has(word) && !settings.get(word.replace(/_FILE$/, ''))?.mayBeFile)
        .filter((word) => !othersWords.test(word))
        .map((word) => `${path}: ${word}`),
    );
    expect(unknown).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  });
});

describe('deploy/Dockerfile', () => {
  const lines = read('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('builds an image without a shell, for an unprivileged user', () => {
    expect(last[0]).toMatch(/^FROM gcr\.io\/distroless\/nodejs\d+-debian\d+:nonroot@/);
    expect(last.filter((line) => line.startsWith('RUN '))).toEqual([]);
    expect(last).toContain('USER 65532:65532');
    // The form with a list needs no shell.
    for (const line of last.filter((entry) => /^(?:CMD|ENTRYPOINT) /.test(entry)))
      expect(line).toMatch(/^\S+ \[".+"\]$/);
  });

  it('begins with images of a digest, one version of Node.js', () => {
    const bases = lines.filter((line) => line.startsWith('FROM '));
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/^FROM (?:node:|\S+\/nodejs)24\S*@sha256:[0-9a-f]{64}( AS build)?$/);
  });

  it('copies what exists and .dockerignore lets through', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(copied).toEqual(
      expect.arrayContaining(['package.json', 'package-lock.json', 'apps', 'libs', 'tsconfig.json']),
    );
    for (const path of copied) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      expect(ignored).toContain(`!${path}`);
    }
  });

  it('contains the files that the programs read, and no program that needs development packages', () => {
    // The API app serves its documents from there.
    expect(last.join('\n')).toContain('/build/apps/openapi/documents ./apps/openapi/documents');
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const [, left = ''] = /rm -rf (.+)$/m.exec(lines.find((line) => line.includes('rm -rf')) ?? '') ?? [];
    const removed = left.split(' ').map((path) => path.replace(/^dist\//, ''));
    const sources = ['apps', 'libs'].flatMap((folder) =>
      (readdirSync(join(root, folder), { recursive: true }) as string[])
        .map((path) => join(folder, path))
        .filter((path) => path.endsWith('.ts') && path.includes('/src/') && !path.endsWith('.spec.ts'))
        .filter((path) => !removed.some((program) => path.startsWith(`${program}/`))),
    );
    const unknown = sources.flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const imported = [
        ...text.matchAll(/^(?:import|export) [^;]*?from '([^'.#][^']*)';$/gms),
        ...text.matchAll(/\bimport\('([^'.#][^']*)'\)/g),
      ];
      return imported
        .map(([, name = '']) => name)
        .filter((name) => !name.startsWith('node:'))
        .map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => !Object.hasOwn(dependencies, name))
        .map((name) => `${path} imports ${name}`);
    });
    expect(unknown).toEqual([]);
    expect(sources.length).toBeGreaterThan(300);
  });

  it('runs a supported Node.js, a program that exists, and only settings that exist', () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
    const least = Number(/>=(\d+)/.exec(engines.node)?.[1]);
    for (const line of lines.filter((entry) => entry.startsWith('FROM '))) {
      expect(Number(/node(?:js|:)(\d+)/.exec(line)?.[1])).toBeGreaterThanOrEqual(least);
    }
    expect(isProgram((JSON.parse(last.at(-1)?.slice(4) ?? '[]') as string[])[0] ?? '')).toBe(true);
    const environment = last.find((line) => line.startsWith('ENV '))?.slice(4) ?? '';
    for (const pair of environment.split(' ')) expect(settings.has(pair.split('=')[0] ?? '')).toBe(true);
    const exposed = last
      .find((line) => line.startsWith('EXPOSE '))
      ?.split(' ')
      .slice(1)
      .map(Number);
    expect(exposed?.sort()).toEqual(Object.values(defaultPorts).sort());
  });
});

describe('deploy/README.md', () => {
  it.each(['token', 'api'])('starts %s with the options with which it was measured, which this node knows', (name) => {
    const words = readFileSync(join(root, 'deploy/README.md'), 'utf8').replace(/\s+/g, ' ');
    expect(words).toContain(['`node', ...optionsOf(name), `dist/apps/${name}/src/main.js\``].join(' '));
    const { status, stderr } = spawnSync(process.execPath, [...optionsOf(name), '--eval', ''], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('deploy/systemd', () => {
  it.each(processes)('starts %s with the options with which it was measured', (name) => {
    const unit = readFileSync(join(deploy, 'systemd/open-banking@.service'), 'utf8');
    const program = `/opt/open-banking-provider/dist/apps/${name}/src/main.js`;
    expect(argumentsOfUnit(unit, name)).toEqual([...optionsOf(name), program]);
  });
});

describe('deploy/compose.yaml', () => {
  const compose = load(read('compose.yaml'), { schema: CORE_SCHEMA.withTags(mergeTag) }) as Json;
  const services = compose['services'] as Record<string, Json>;

  it('weakens nothing of the security profile, and no process would start if it did', async () => {
    const shared = compose['x-settings'] as Record<string, string>;
    expect(await weakeningsIn(shared)).toEqual([]);
    expect(shared['STRICT']).toBe('true');
  });

  it('uses images of others by digest or full version', () => {
    const images = Object.values(services).map(({ image }) => image as string);
    const others = images.filter((image) => image !== compose['x-service'].image);
    expect(others).toHaveLength(3);
    for (const image of others)
      expect(image).toMatch(/^[a-z]+:(?:\d+\.\d+\.\d+|\d+\.\d+(?:\.\d+)?@sha256:[0-9a-f]{64})$/);
  });

  it('has a database that proves by a certificate who it is', () => {
    const { command, secrets } = services['postgres'] as Json;
    expect(command).toEqual(expect.arrayContaining(['ssl=on', 'ssl_key_file=/run/secrets/database-private-key']));
    for (const [, path] of (command as string[]).join(' ').matchAll(/ssl_\w+_file=\/run\/secrets\/(\S+)/g)) {
      expect(secrets).toContain(path);
    }
    // The others have only its authority.
    for (const name of ['migrate', ...processes, 'operator']) {
      expect(services[name]?.['secrets']).toContain('database-ca');
      expect(services[name]?.['secrets']).not.toContain('database-private-key');
    }
  });

  it('runs PostgreSQL, the migration, every process and both ingresses', () => {
    expect(Object.keys(services).sort()).toEqual(
      ['postgres', 'migrate', ...processes, 'operator', 'pass-through', 'terminating'].sort(),
    );
    for (const name of ['migrate', ...processes]) {
      const { command, read_only, user, cap_drop, build } = services[name] as Json;
      const { options, program } = startOf(command);
      expect({ options, isProgram: isProgram(program) }).toEqual({ options: optionsOf(name), isProgram: true });
      expect({ read_only, user, cap_drop }).toEqual({ read_only: true, user: '65532:65532', cap_drop: ['ALL'] });
      expect(existsSync(resolve(deploy, build.context, build.dockerfile))).toBe(true);
    }
  });

  it.each(processes)(
    'gives %s a configuration that the code takes, with every secret in a file that it mounts',
    (name) => {
      const { environment, secrets, ports, healthcheck, depends_on } = services[name] as Json;
      expect(faultsOf(environment)).toEqual([]);
      // Limits count clients' addresses, never the ingress' own.
      expect(environment).toMatchObject({ PROXY_PROTOCOL: '${PROXY_PROTOCOL:-true}', INGRESS_ADDRESSES: '172.30.0.1' });
      expect(Object.keys(environment).filter((setting) => setting.endsWith('PER_ADDRESS'))).toEqual([]);
      const mounted = (secrets as (string | Json)[]).map((secret) =>
        typeof secret === 'string'
          ? { source: secret, target: secret }
          : { source: secret['source'], target: secret['target'] },
      );
      const targets = mounted.map(({ target }) => target as string);
      for (const [setting, path] of Object.entries(environment as Record<string, string>)) {
        const isRead = setting.endsWith('_FILE') && isNeeded(setting.replace(/_FILE$/, ''), name);
        if (isRead) expect(targets).toContain(path.replace('/run/secrets/', ''));
      }
      expect(strangersAmong(targets.filter(isNoAuthority), name)).toEqual([]);
      for (const { source } of mounted) expect(compose['secrets'][source].file).toBe(`./secrets/${source}`);
      expect(mounted).toContainEqual({ source: `${name}-database-url`, target: 'database-url' });
      const admin = defaultPorts[`${name}Admin`];
      const expected = name === 'worker' ? [admin] : [defaultPorts[name], admin];
      expect(ports).toEqual(expected.map((port) => `127.0.0.1:${port}:${port}`));
      expect(isProgram(healthcheck.test[2])).toBe(true);
      expect(healthcheck.test[3]).toBe(String(admin));
      expect(depends_on.migrate.condition).toBe('service_completed_successfully');
    },
  );

  it('gives the operator a container with what its program demands', () => {
    const { environment, secrets, entrypoint, profiles } = services['operator'] as Json;
    expect(profiles).toEqual(['operator']);
    expect(isProgram(entrypoint[1])).toBe(true);
    expect(faultsOf(environment)).toEqual([]);
    const targets = (secrets as (string | Json)[]).map((secret) =>
      typeof secret === 'string' ? secret : String(secret['target']),
    );
    expect(secrets[0]).toEqual({ source: 'operator-database-url', target: 'database-url' });
    expect(strangersAmong(targets.filter(isNoAuthority), 'operator')).toEqual([]);
  });

  it('gives the migration the database and nothing else', () => {
    const { environment, secrets } = services['migrate'] as Json;
    expect(environment).toEqual({ DATABASE_URL_FILE: '/run/secrets/database-url' });
    expect(secrets).toEqual(['database-url', 'database-ca']);
  });

  ingressTest.each([
    ['pass-through', 'ingress/pass-through/haproxy.cfg'],
    ['terminating', 'ingress/terminating/nginx.conf'],
  ])('runs the shipped configuration of the %s ingress, and knows every host that it names', (name, path) => {
    const { volumes, extra_hosts: hosts, profiles } = services[name] as Json;
    expect(profiles).toEqual([name]);
    expect(volumes[0].split(':')[0]).toBe(`./${path}`);
    const known = new Map((hosts as string[]).map((entry) => entry.split(':', 2) as [string, string]));
    const named = [...read(path).matchAll(/([a-z]+)-\d\.internal:(\d+)/g)];
    expect(named.length).toBeGreaterThanOrEqual(3);
    for (const [text = '', app = '', port] of named) {
      expect(known.has(text.split(':')[0] ?? '')).toBe(true);
      expect(Number(port)).toBe(defaultPorts[app as (typeof listening)[number]]);
    }
  });
});

const component = (name: string): Json => ({ 'app.kubernetes.io/component': name });
const only = (list: Json[]): Json => {
  const [first, ...others] = list;
  if (first === undefined || others.length > 0) throw new Error(`There are ${list.length}, not one.`);
  return first;
};
const documentsOf = (text: string): Json[] => loadAll(text) as Json[];
const base = join(deploy, 'kubernetes/base');
const isMissing = spawnSync('kubectl', ['kustomize', '--help']).status !== 0;
const kustomizeTest = isMissing ? it.skip : it;

describe('deploy/kubernetes', () => {
  const kustomization = load(readFileSync(join(base, 'kustomization.yaml'), 'utf8')) as Json;
  const resources = (kustomization['resources'] as string[]).flatMap((file) =>
    documentsOf(readFileSync(join(base, file), 'utf8')),
  );
  const ofKind = (kind: string): Json[] => resources.filter((resource) => resource['kind'] === kind);
  const named = (kind: string, name: string): Json => {
    const found = ofKind(kind).find((resource) => resource['metadata'].name === name);
    if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
    return found;
  };
  const literals = (file: string): Record<string, string> =>
    Object.fromEntries(
      readFileSync(join(base, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  const environment = literals('settings.env');

  it('lists every file of the base, and nothing that is not there', () => {
    const listed = [
      ...kustomization['resources'],
      ...kustomization['configMapGenerator'][0].envs,
      'kustomization.yaml',
    ];
    expect(readdirSync(base).sort()).toEqual(listed.sort());
  });

  it.each(['base', 'pass-through', 'terminating'])('has settings that the code takes: %s', async (form) => {
    const merged = { ...environment };
    if (form !== 'base') {
      const overlay = load(read(`kubernetes/overlays/${form}/kustomization.yaml`)) as Json;
      for (const literal of overlay['configMapGenerator'][0].literals as string[]) {
        const [name = '', value = ''] = literal.split('=', 2);
        merged[name] = value;
      }
      expect(overlay['resources']).toEqual(['../../base']);
      // What must go together: a forwarded certificate counts only from an authenticated hop.
      const isForwarded = (merged['CLIENT_CERTIFICATE_SOURCE'] ?? 'tls') !== 'tls';
      expect(isForwarded).toBe(form === 'terminating');
      expect('INGRESS_TRUST_ANCHORS_FILE' in merged).toBe(isForwarded);
      // Where TLS passes through, all customers come from the ingress' address; a terminating one is never counted.
      expect('INGRESS_ADDRESSES' in merged).toBe(true);
      expect(merged['PROXY_PROTOCOL']).toBe(isForwarded ? undefined : 'true');
    }
    expect(faultsOf(merged)).toEqual([]);
    expect([merged['STRICT'], await weakeningsIn(merged)]).toEqual(['true', []]);
    for (const [name, value] of Object.entries(merged)) {
      if (!name.endsWith('_FILE')) continue;
      const key = name
        .replace(/_FILE$/, '')
        .toLowerCase()
        .replaceAll('_', '-');
      const folder = name === 'INGRESS_TRUST_ANCHORS_FILE' ? 'ingress' : 'open-banking';
      expect(value).toBe(`/run/secrets/${folder}/${key}`);
    }
  });

  it('lets operators have a pod, with what their program demands, when they want one', () => {
    const { spec } = named('Deployment', 'operator');
    expect(spec.replicas).toBe(0);
    const pod = spec.template.spec as Json;
    const items = pod['volumes'][0].secret.items as { key: string; path: string }[];
    expect(items[0]).toEqual({ key: 'operator-database-url', path: 'database-url' });
    const files = items.map(({ path }) => path).filter(isNoAuthority);
    expect(strangersAmong(files, 'operator')).toEqual([]);
    expect(only(pod['containers'])['securityContext']).toMatchObject({ readOnlyRootFilesystem: true });
    expect(pod['securityContext']).toMatchObject({ runAsNonRoot: true, runAsUser: 65_532 });
  });

  it('sets no service links: ADMIN_PORT of a Service would be read as a setting', () => {
    const templates = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template.spec as Json);
    expect(templates).toHaveLength(processes.length + 2);
    for (const template of templates) expect(template['enableServiceLinks']).toBe(false);
  });

  it.each(processes)('runs %s without rights, on its ports, with its probes', (name) => {
    const { spec, metadata } = named('Deployment', name);
    const pod = spec.template.spec as Json;
    const container = only(pod['containers']);
    expect(metadata.labels).toEqual(component(name));
    expect(spec.selector.matchLabels).toEqual(component(name));
    expect(spec.template.metadata.labels).toMatchObject(component(name));
    const { options, program } = startOf(container['args']);
    expect({ options, isProgram: isProgram(program) }).toEqual({ options: optionsOf(name), isProgram: true });
    expect(program).toContain(`/${name}/`);
    const admin = defaultPorts[`${name}Admin`];
    const ports = Object.fromEntries(
      (container['ports'] as Json[]).map((port) => [port['name'], port['containerPort']]),
    );
    expect(ports).toEqual(name === 'worker' ? { admin } : { https: defaultPorts[name], admin });
    expect(spec.template.metadata.annotations['prometheus.io/port']).toBe(String(admin));
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet as Json;
      expect(port).toBe('admin');
      const readiness = name === 'worker' ? '/health/ready' : '/health/serving';
      expect(path).toBe(probe === 'readinessProbe' ? readiness : '/health/live');
    }
    expect(pod['securityContext']).toMatchObject({ runAsNonRoot: true, runAsUser: 65_532 });
    expect(container['securityContext']).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container['envFrom']).toEqual([{ configMapRef: { name: kustomization['configMapGenerator'][0].name } }]);
    const mounts = container['volumeMounts'] as Json[];
    for (const mount of mounts) expect(mount).toMatchObject({ readOnly: true });
    const volumes = pod['volumes'] as Json[];
    expect(mounts.map(({ name: volume }) => volume)).toEqual(volumes.map(({ name: volume }) => volume));
    expect(mounts[0]).toMatchObject({ name: 'secrets', mountPath: '/run/secrets/open-banking' });
    const items = volumes[0]?.['secret'].items as { key: string; path: string }[];
    expect(items[0]).toEqual({ key: `${name}-database-url`, path: 'database-url' });
    expect(strangersAmong(items.map(({ path }) => path).filter(isNoAuthority), name)).toEqual([]);
    // An application ends within ten seconds.
    expect(pod['terminationGracePeriodSeconds']).toBeGreaterThan(10);
    named('ServiceAccount', pod['serviceAccountName']);
  });

  it('has a Service, a budget, a scaler and a policy for each, and labels that agree', () => {
    for (const name of listening) {
      const { spec } = named('Service', name);
      expect(spec.selector).toEqual(component(name));
      expect(spec.ports).toMatchObject([{ port: defaultPorts[name], targetPort: 'https' }]);
      expect(named('HorizontalPodAutoscaler', name)['spec'].scaleTargetRef).toMatchObject({ kind: 'Deployment', name });
      const policy = named('NetworkPolicy', name)['spec'] as Json;
      expect(policy['podSelector'].matchLabels).toEqual(component(name));
      expect(policy['ingress'][0].ports).toEqual([{ protocol: 'TCP', port: defaultPorts[name] }]);
    }
    for (const name of processes) {
      const { spec } = named('PodDisruptionBudget', name);
      expect(spec.selector.matchLabels).toEqual(component(name));
      expect(spec.minAvailable).toBeLessThan(named('Deployment', name)['spec'].replicas);
    }
    const administration = named('NetworkPolicy', 'administration')['spec'] as Json;
    expect(administration['podSelector'].matchExpressions[0].values).toEqual([...processes]);
    expect((administration['ingress'][0].ports as Json[]).map(({ port }) => port)).toEqual(
      processes.map((name) => defaultPorts[`${name}Admin`]),
    );
    expect(named('NetworkPolicy', 'nothing-else')['spec']).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('never has more pods than a PostgreSQL as it comes has connections', () => {
    const pods = processes.map((name) => {
      const [{ spec: scaler } = { spec: undefined }] = ofKind('HorizontalPodAutoscaler').filter(
        ({ metadata }) => metadata.name === name,
      );
      const deployment = named('Deployment', name)['spec'] as Json;
      return (scaler?.maxReplicas ?? deployment['replicas']) + deployment['strategy'].rollingUpdate.maxSurge;
    });
    const most = pods.reduce((sum, count) => sum + count, 0) * Number(environment['DATABASE_POOL_SIZE']);
    // max_connections less superuser_reserved_connections.
    expect(most).toBeLessThanOrEqual(100 - 3);
    expect(most).toBe(90);
  });

  it('migrates with the database and nothing else', () => {
    const job = only(ofKind('Job'));
    const container = only(job['spec'].template.spec.containers);
    expect(isProgram(container['args'][0])).toBe(true);
    expect(container['env']).toEqual([{ name: 'DATABASE_URL_FILE', value: '/run/secrets/open-banking/database-url' }]);
    expect(container['envFrom']).toBeUndefined();
  });

  ingressTest.each(['pass-through', 'terminating'])('is what the routes of the Gateway API lead to: %s', (form) => {
    const routes = documentsOf(read(`ingress/gateway-api/${form}.yaml`)).filter(({ kind }) =>
      String(kind).endsWith('Route'),
    );
    const targets = routes.flatMap(({ spec }) =>
      (spec.rules as Json[]).flatMap((rule) => rule['backendRefs'] as Json[]),
    );
    expect([...new Set(targets.map(({ name }) => name))].sort()).toEqual([...listening].sort());
    for (const { name, port } of targets) expect(named('Service', name)['spec'].ports[0].port).toBe(port);
  });

  kustomizeTest.each(['pass-through', 'terminating'])('is made by kustomize: %s', (form) => {
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(deploy, 'kubernetes/overlays', form)], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    const made = documentsOf(stdout);
    const settingsMap = made.find(({ kind }) => kind === 'ConfigMap') as Json;
    expect(faultsOf(settingsMap['data'])).toEqual([]);
    for (const deployment of made.filter(({ kind }) => kind === 'Deployment')) {
      const container = only(deployment['spec'].template.spec.containers);
      expect(container['envFrom'][0].configMapRef.name).toBe(settingsMap['metadata'].name);
    }
  });
});
