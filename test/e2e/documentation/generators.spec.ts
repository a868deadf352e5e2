import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answersOf, readers } from './answers-of-models.js';
import { type Json, readDocument, root } from './api-document.js';

const execute = promisify(execFile);
const folder = join(root, 'apps/openapi/documents');
const documents = readdirSync(folder).filter((name) => name.endsWith('.json'));
const minutes = 60_000;

/** @returns whether a program can be started */
const isThere = (program: string, ...parameters: string[]): Promise<boolean> =>
  execute(program, parameters).then(
    () => true,
    () => false,
  );

/** OpenAPI Generator, by its own program or as OPENAPI_GENERATOR names it: a program or a JAR. */
const named = process.env['OPENAPI_GENERATOR'] ?? 'openapi-generator-cli';
const [generator, ...jar] = named.endsWith('.jar') ? ['java', '-jar', named] : [named];

/** How a client of each language is generated and compiled. */
const languages = [
  {
    language: 'python',
    options: [],
    compile: ['python3', '-m', 'compileall', '-q', '.'],
    version: '--version',
    read: ['python3', 'read_answers.py'],
  },
  {
    language: 'go',
    options: [],
    compile: ['go', 'build', './...'],
    version: 'version',
    read: ['go', 'test', '-run', 'TestAnswers', '.'],
  },
  {
    language: 'java',
    options: ['--library', 'native'],
    compile: ['mvn', '-q', '-DskipTests', 'compile'],
    version: '--version',
    read: undefined,
  },
] as const;

const hasGenerator = await isThere(generator ?? '', ...jar, 'version');
const usable = await Promise.all(
  languages.map(async (each) => ({
    ...each,
    isUsable: hasGenerator && (await isThere(each.compile[0], each.version)),
  })),
);
const canReadInPython = await isThere('python3', '-c', 'import dateutil, pydantic, urllib3');
if (!canReadInPython)
  process.stderr.write('No client of Python reads answers: dateutil, pydantic or urllib3 is missing.\n');
const missing = usable.filter(({ isUsable }) => !isUsable).map(({ language }) => language);
if (missing.length > 0) {
  process.stderr.write(
    `No clients are generated for ${missing.join(', ')}: OpenAPI Generator (OPENAPI_GENERATOR) or a compiler is missing.\n`,
  );
}

/** @returns every object of a document, at any depth */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Json, ...Object.values(value).flatMap(objectsIn)];
}

describe.each(documents)('generated code reads the answers of %s', (name) => {
  const objects = objectsIn(readDocument(name.replace(/\.json$/, '')));

  it('because no boolean has an enumeration, which Python compares with texts', () => {
    expect(objects.filter(({ type, enum: values }) => type === 'boolean' && values !== undefined)).toEqual([]);
  });

  it('because an answer with second names of members is open, or Go refuses them', () => {
    const twiceNamed = objects.filter(({ properties = {} }) =>
      Object.values(properties as Record<string, Json>).some((member) => 'x-also-as' in member),
    );
    expect(twiceNamed.filter(({ additionalProperties }) => additionalProperties !== true)).toEqual([]);
  });
});

const spectral = process.env['SPECTRAL'] ?? 'spectral';
const hasSpectral = await isThere(spectral, '--version');
if (!hasSpectral) process.stderr.write('The API documents are not linted by Spectral: SPECTRAL names no program.\n');

describe.each(usable)(
  'a client of $language',
  ({ language, options, compile: [compiler, ...parameters], read, isUsable }) => {
    let target: string;

    beforeAll(async () => {
      target = await mkdtemp(join(tmpdir(), `client-${language}-`));
    });

    afterAll(async () => {
      await rm(target, { recursive: true, force: true });
    });

    (isUsable ? it : it.skip).each(documents)(
      'generated from %s compiles, and reads what the service answers',
      async (name) => {
        const out = join(target, name);
        const input = ['generate', '-i', join(folder, name), '-g', language, '-o', out, ...options];
        await execute(generator ?? '', [...jar, ...input], { maxBuffer: 64 * 1_048_576 });
        const env = { ...process.env, GOFLAGS: '-mod=mod' };
        await expect(execute(compiler, parameters, { cwd: out, env })).resolves.toBeDefined();
        if (read === undefined || (language === 'python' && !canReadInPython)) return;
        const answers = await answersOf(name.replace(/\.json$/, ''));
        expect(answers.length).toBeGreaterThan(2);
        const [file, text] = readers[language](answers);
        await writeFile(join(out, 'answers.json'), JSON.stringify(answers));
        await writeFile(join(out, file), text);
        const [program, ...words] = read;
        await expect(execute(program, words, { cwd: out, env })).resolves.toBeDefined();
      },
      5 * minutes,
    );
  },
);

(hasSpectral ? describe : describe.skip)('Spectral', () => {
  it.each(documents)(
    'finds nothing in %s, by its recommended rules',
    async (name) => {
      const ruleset = join(root, 'test/e2e/documentation/spectral.yaml');
      const { stdout } = await execute(spectral, [
        'lint',
        '--fail-severity',
        'hint',
        '-r',
        ruleset,
        join(folder, name),
      ]);
      expect(stdout).toContain('No results with a severity of');
    },
    2 * minutes,
  );
});
