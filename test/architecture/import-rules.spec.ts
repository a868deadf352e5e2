import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseSource } from '../support/parse-source.js';

const root = resolve(import.meta.dirname, '../..');
const page = join(root, 'docs/explanation/architecture.md');
const architecture = readFileSync(page, 'utf8');

/** Plain TypeScript over node: and a few pure packages. */
const pure: Readonly<Record<string, readonly string[]>> = {
  'command-line': ['commander'],
  'error-catalogue': [],
  jws: ['jose'],
  oauth: ['jose'],
  outgoing: [],
  certificates: ['@peculiar/asn1-schema', '@peculiar/asn1-x509', '@peculiar/asn1-ocsp'],
  'obie-rules': ['ibantools', 'lossless-json', 'unhomoglyph'],
};
/** Knows HTTP and SQL, knows no feature. */
const nestFoundation = [
  'api-description',
  'audit',
  'config',
  'error-envelope',
  'events',
  'guards',
  'http-server',
  'idempotency',
  'persistence',
  'telemetry',
  'tracing',
  'typeorm',
];
const features = [
  'access-consent',
  'bank',
  'client-registration',
  'consent',
  'customer-session',
  'directory',
  'file-payment',
  'payment-order',
  'token-store',
];
/** What several applications serve alike: above the features, below the applications. */
const shared = ['back-channel'];
/**
 * The dependencies between features: a payment consumes a consent; a consent may come with its payments; sessions and
 * tokens are of access, and take its owner's SQL.
 */
const featureDependencies: Readonly<Record<string, readonly string[]>> = {
  'file-payment': ['consent', 'payment-order'],
  'payment-order': ['access-consent', 'consent', 'customer-session'],
  'customer-session': ['access-consent'],
  'token-store': ['access-consent'],
};
/** A further kind of consent that pays: it stages consents and makes payments of them, as file payments do. */
const isFurtherKind = (lib: string): boolean => lib.endsWith('-payment') && !features.includes(lib);
const dependenciesOf = (lib: string): readonly string[] =>
  isFurtherKind(lib) ? ['consent', 'file-payment', 'payment-order'] : (featureDependencies[lib] ?? []);
const isFeature = (lib: string): boolean => features.includes(lib) || isFurtherKind(lib);
const frameworks = /^(@nestjs\/|typeorm$|fastify$|@fastify\/|pg$|rxjs|class-validator$|class-transformer$)/;

interface Import {
  file: string;
  /** of the lib or app that the file belongs to */
  owner: { kind: 'apps' | 'libs'; name: string };
  specifier: string;
}

const sources = ['apps', 'libs'].flatMap((kind) => filesBelow(join(root, kind)));
const production = sources.filter((file) => !file.endsWith('.spec.ts') && /\/src\//.test(file));
const imports = production.flatMap(importsOf);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

/** Static and dynamic imports and re-exports, types included. */
function importsOf(file: string): Import[] {
  const [kind = '', name = ''] = relative(root, file).split('/');
  const owner = { kind: kind as 'apps' | 'libs', name };
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) found.push({ file: relative(root, file), owner, specifier });
    ts.forEachChild(node, visit);
  };
  visit(parseSource(file));
  return found;
}

function specifierOf(node: ts.Node): string | undefined {
  const isStatic = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
  if (isStatic)
    return node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : undefined;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    return argument && ts.isStringLiteral(argument) ? argument.text : undefined;
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return node.argument.literal.text;
  }
  return undefined;
}

/** @returns the lib that an import names */
function libOf(specifier: string): string | undefined {
  return /^#libs\/([^/]+)/.exec(specifier)?.[1];
}

const layerOf = (lib: string): number => (lib in pure ? 0 : nestFoundation.includes(lib) ? 1 : isFeature(lib) ? 2 : 3);
const shown = ({ file, specifier }: Import): string => `${file} imports ${specifier}`;
const fromLibs = imports.filter(({ owner }) => owner.kind === 'libs');
const isRelative = ({ specifier }: Import): boolean => specifier.startsWith('.');

const floors: readonly (readonly [title: string, rooms: readonly string[]])[] = [
  ['apps: one process or program each', readdirSync(join(root, 'apps'))],
  ['shared by apps', shared],
  ['features: own the tables', readdirSync(join(root, 'libs')).filter(isFeature)],
  ['foundation: HTTP and SQL, no feature', nestFoundation],
  ['pure: no Nest, no SQL', Object.keys(pure)],
];

/** The apps and libs on their floors, and the features that each imports itself, not by others. */
function pictureOfImports(): string {
  const doors = new Map<string, Set<string>>();
  for (const { owner, specifier } of imports) {
    const lib = libOf(specifier);
    if (lib === undefined || lib === owner.name || !(isFeature(lib) || shared.includes(lib))) continue;
    doors.set(owner.name, (doors.get(owner.name) ?? new Set()).add(lib));
  }
  const reach = (room: string): string[] => [...(doors.get(room) ?? [])].flatMap((next) => [next, ...reach(next)]);
  const lines = floors.flatMap(([title, rooms], floor) => [
    `  subgraph floor${floor} ["${title}"]`,
    ...(rooms.some((room) => doors.has(room) || layerOf(room) > 1)
      ? rooms.toSorted().map((room) => `    ${room}`)
      : [
          `    floor${floor}rooms["${rooms
            .toSorted()
            .join(' ')
            .replaceAll(/(?:\S+ ){4}/g, '$&<br/>')}"]`,
        ]),
    '  end',
  ]);
  const arrows = [...doors]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([room, all]) => {
      const direct = [...all].filter((lib) => ![...all].some((other) => other !== lib && reach(other).includes(lib)));
      return `  ${room} --> ${direct.toSorted().join(' & ')}`;
    });
  return ['```mermaid', 'flowchart TB', ...lines, ...arrows, '  floor2 --> floor3 --> floor4', '```'].join('\n');
}

describe('who may import whom', () => {
  it('every lib has its place in a layer', () => {
    const libs = readdirSync(join(root, 'libs'));
    const others = libs.filter((lib) => !(lib in pure) && ![...nestFoundation, ...shared].includes(lib));
    expect(others.filter((lib) => !isFeature(lib))).toEqual([]);
  });

  it('the picture of the architecture shows what the imports are: WRITE_PICTURE=true writes it', () => {
    const [picture = ''] = /```mermaid[^]*?```/.exec(architecture) ?? [];
    if (process.env['WRITE_PICTURE'] === 'true') writeFileSync(page, architecture.replace(picture, pictureOfImports()));
    expect(readFileSync(page, 'utf8')).toContain(pictureOfImports());
  });

  it('the walks of the architecture name only what exists', () => {
    const steps = [...architecture.matchAll(/^\d\. `([^`]+)`: `([^`]+)`/gm)];
    expect(steps.length).toBeGreaterThan(20);
    const lost = steps.filter(
      ([, file = '', name = '']) =>
        !existsSync(join(root, file)) || !readFileSync(join(root, file), 'utf8').includes(name),
    );
    expect(lost.map(([step]) => step)).toEqual([]);
  });

  it('libs import their own layer and those below, never upward', () => {
    const upward = fromLibs.filter(({ owner, specifier }) => {
      const lib = libOf(specifier);
      return lib !== undefined && layerOf(lib) > layerOf(owner.name);
    });
    expect(upward.map(shown)).toEqual([]);
  });

  it('features do not import each other, but for a payment that consumes a consent', () => {
    const sideways = fromLibs.filter(({ owner, specifier }) => {
      const lib = libOf(specifier);
      const isBetween = isFeature(owner.name) && lib !== undefined && isFeature(lib);
      return isBetween && lib !== owner.name && !dependenciesOf(owner.name).includes(lib);
    });
    expect(sideways.map(shown)).toEqual([]);
  });

  it('pure libs import node:, their few pure packages and each other', () => {
    const impure = fromLibs.filter(({ owner, specifier }) => {
      const packages = pure[owner.name];
      if (!packages || specifier.startsWith('.') || specifier.startsWith('node:') || libOf(specifier)) return false;
      return !packages.includes(specifier);
    });
    expect(impure.map(shown)).toEqual([]);
    expect(Object.keys(pure).flatMap((lib) => packagesOf(lib).filter((name) => frameworks.test(name)))).toEqual([]);
  });

  it('the dependencies between libs have no cycle', () => {
    const edges = new Map<string, Set<string>>();
    for (const { owner, specifier } of fromLibs) {
      const lib = libOf(specifier);
      if (lib) edges.set(owner.name, (edges.get(owner.name) ?? new Set()).add(lib));
    }
    expect(findCycle(edges)).toEqual([]);
  });

  it('a lib is imported by its name alone, from outside only', () => {
    const deep = imports.filter(
      ({ specifier }) => specifier.startsWith('#libs/') && !/^#libs\/[a-z-]+$/.test(specifier),
    );
    const own = fromLibs.filter(({ owner, specifier }) => libOf(specifier) === owner.name);
    const ownIndex = fromLibs.filter((entry) => {
      const target = resolve(root, dirname(entry.file), entry.specifier);
      return isRelative(entry) && target === join(root, 'libs', entry.owner.name, 'src/index.js');
    });
    expect([...deep, ...own, ...ownIndex].map(shown)).toEqual([]);
  });

  it('relative imports stay within their lib or app', () => {
    const wrong = imports.filter(isRelative).filter(({ file, owner, specifier }) => {
      const target = resolve(root, dirname(file), specifier);
      const isInside = target.startsWith(join(root, owner.kind, owner.name, 'src') + '/');
      // The sandbox composes the applications, and takes the settings of all of them.
      const isComposition =
        owner.name === 'sandbox' &&
        /\/apps\/[a-z]+\/src\/(?:create-[a-z]+-app|(?:look\/)?[a-z]+\.settings)\.js$/.test(target);
      // Its portal is a TPP.
      const isPortal =
        file.startsWith('apps/sandbox/src/portal/') && target.startsWith(join(root, 'apps/tpp/src') + '/');
      // The generator of the API documents reads what each application says of itself.
      const isDescription = owner.name === 'openapi' && /\/apps\/[a-z]+\/src\/describe-[a-z]+-app\.js$/.test(target);
      // One command names the commands of several programs.
      const isProgram = owner.name === 'obp' && /\/apps\/[a-z-]+\/src\/[^]*-(command|program)\.js$/.test(target);
      return !(isInside || isComposition || isPortal || isDescription || isProgram);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('no package is imported from its inside', () => {
    const inside = imports.filter(({ specifier }) =>
      /^(@nestjs\/[^/]+|typeorm|fastify|jose|pg)\/(?!package\.json)/.test(specifier),
    );
    expect(inside.map(shown)).toEqual([]);
  });

  it('builtin modules carry node:, and require() does not occur', () => {
    const bare = imports.filter(({ specifier }) =>
      /^(fs|path|crypto|https?|net|tls|os|url|util|events|stream)(\/|$)/.test(specifier),
    );
    expect(bare.map(shown)).toEqual([]);
    // The requests of the collection have scripts, which Bruno runs as CommonJS.
    const scripts = ['apps/openapi/src/create-collection.ts'];
    expect(filesWith(/(?<![.\w])require\(|\b__dirname\b|\b__filename\b/)).toEqual(scripts);
  });

  it('tests take of the applications what test/support/apps exports', () => {
    const tests = filesBelow(join(root, 'test')).filter((file) => readFileSync(file, 'utf8').includes('/apps/'));
    const reaching = tests.flatMap(importsOf).filter(({ file, specifier }) => {
      const target = relative(root, resolve(root, dirname(file), specifier));
      return target.startsWith('apps/') && !file.startsWith('test/support/apps/');
    });
    expect(reaching.map(shown)).toEqual([]);
  });

  it("the TPP's side knows nothing of the bank's, but for three pure rules", () => {
    const known = imports.filter(({ owner, specifier }) => owner.name === 'tpp' && specifier.startsWith('#libs/'));
    const rules = known.filter(({ specifier }) => libOf(specifier) !== 'command-line');
    expect(rules.map(shown)).toEqual([
      'apps/tpp/src/commands/check-file.ts imports #libs/file-payment',
      'apps/tpp/src/commands/verify.ts imports #libs/jws',
      'apps/tpp/src/convert/converted-file.ts imports #libs/obie-rules',
    ]);
  });
});

/** Folders and name below src, or below the version of a wire. */
const depthOf = (name: string): number => (name.split(/\/src\/(?:wire\/(?:v[\d.]+\/)?)?/)[1] ?? '').split('/').length;

describe('the layout', () => {
  it('every lib has its public surface in src/index.ts, with named exports only', () => {
    const libs = readdirSync(join(root, 'libs'));
    expect(libs.filter((lib) => !existsSync(join(root, 'libs', lib, 'src/index.ts')))).toEqual([]);
    // Only through this form can libs declare what Config has of their settings.
    expect(filesWith(/^\s*export\s+\*/m)).toEqual(['libs/config/src/index.ts']);
  });

  it('every application is created by create-<app>-app.ts and started by a short main.ts', () => {
    for (const app of ['authorize', 'token', 'api', 'worker']) {
      const folder = join(root, 'apps', app, 'src');
      expect(existsSync(join(folder, `create-${app}-app.ts`))).toBe(true);
      expect(readFileSync(join(folder, 'main.ts'), 'utf8').split('\n').length).toBeLessThanOrEqual(30);
    }
  });

  it('files are named in kebab-case and lie at most two folders below src, or below wire and the version in it', () => {
    const names = sources.map((file) => relative(root, file));
    expect(names.filter((name) => !/\/[a-z0-9]+(?:[.-][a-z0-9]+)*\.ts$/.test(name))).toEqual([]);
    expect(names.filter((name) => depthOf(name) > 3)).toEqual([]);
  });
});

describe('what must not occur', () => {
  it('the environment is read in libs/config, at the start of a process, and by sandbox and TPP', () => {
    const allowed = /^(libs\/(config|command-line)\/|apps\/[a-z-]+\/src\/(main|migrate)\.ts$|apps\/(sandbox|tpp)\/)/;
    expect(filesWith(/\bprocess\.env\b/).filter((file) => !allowed.test(file))).toEqual([]);
  });

  it('signatures of tokens and messages are made and verified by jose', () => {
    const own = filesWith(/\b(createSign|createVerify|createPublicKey|createPrivateKey)\(|\b(sign|verify)\('sha/);
    const signedByUs =
      /^(libs\/(jws|oauth|audit|directory|guards|events|client-registration)|apps\/(authorize|token|api))\//;
    expect(own.filter((file) => signedByUs.test(file))).toEqual([]);
    expect(packagesOf('jws')).toContain('jose');
  });

  it('no client skips the verification of its server', () => {
    // The ingress check asks for one host and verifies that another answers: the one it attacks.
    expect(filesWith(/rejectUnauthorized:\s*false|checkServerIdentity/)).toEqual([
      'apps/ingress-check/src/exchange.ts',
    ]);
    // Where a connection is silent, NODE_TLS_REJECT_UNAUTHORIZED decides.
    const clients = filesWith(/import \{.*\b(Agent|request|get|connect)\b.* from 'node:(https|tls)'|https\.request\(/);
    const insisting = filesWith(/rejectUnauthorized: true|createOutgoingAgent/);
    // Its callers bring the agent.
    expect(clients.filter((file) => !insisting.includes(file))).toEqual(['libs/outgoing/src/exchange.ts']);
    // The one listener that is not strict demands the certificate in a guard.
    const lenient = filesWith(/rejectUnauthorized:(?!\s*true)/);
    expect(lenient).toEqual(['libs/http-server/src/tls-options.ts']);
  });

  it('nothing asks whether it is in the sandbox or under test', () => {
    const service = /^(libs|apps\/(authorize|token|api|worker))\//;
    // The only place that knows such names refuses to start with them.
    expect(filesWith(/NODE_ENV|JEST_WORKER_ID|isSandbox|SANDBOX_/).filter((file) => service.test(file))).toEqual([
      'libs/config/src/load-config.ts',
    ]);
  });

  it('no check is disabled, but for a list over 70 lines or a promise that says why nobody awaits it', () => {
    expect(filesWith(/@ts-(?:ignore|nocheck|expect-error)/)).toEqual([]);
    const disabled =
      /(?:eslint|oxlint)-disable(?!-next-line (?:max-lines-per-function|typescript\/no-floating-promises) -- \w)/;
    expect(filesWith(disabled)).toEqual([]);
  });

  it('the schema is changed by migrations only', () => {
    expect(filesWith(/synchronize:\s*true|migrationsRun:\s*true/)).toEqual([]);
  });
});

/** @returns paths of production files whose text, comments left out, matches */
function filesWith(pattern: RegExp): string[] {
  return production.filter((file) => pattern.test(withoutComments(file))).map((file) => relative(root, file));
}

const texts = new Map<string, string>();

/** Directives to compiler and linter are comments, and stay. */
function withoutComments(file: string): string {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8').replace(
    /\/\*\*?(?![^*]*(?:@ts-|lint-))[\s\S]*?\*\/|(?<=^|\s)\/\/(?!.*(?:@ts-|lint-)).*$/gm,
    '',
  );
  texts.set(file, text);
  return text;
}

function packagesOf(lib: string): string[] {
  return fromLibs.filter(({ owner }) => owner.name === lib).map(({ specifier }) => specifier);
}

function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const walk = (lib: string, path: readonly string[]): string[] => {
    if (path.includes(lib)) return [...path.slice(path.indexOf(lib)), lib];
    if (done.has(lib)) return [];
    for (const next of edges.get(lib) ?? []) {
      const cycle = walk(next, [...path, lib]);
      if (cycle.length > 0) return cycle;
    }
    done.add(lib);
    return [];
  };
  for (const lib of edges.keys()) {
    const cycle = walk(lib, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
