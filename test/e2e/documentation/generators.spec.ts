import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, readDocument, root, operationsOf } from './api-document.js';
import { readRecorded, recordedAreas } from './recorded-answers.js';

/** An answer, and the model of a generated client that reads it. */
interface ModelAnswer {
  readonly name: string;
  readonly model: string;
  readonly body: string;
}

/** @returns the examples of a document, and the answers that the corpus has of it */
async function answersOf(area: string): Promise<ModelAnswer[]> {
  const examples = operationsOf(area, readDocument(area)).flatMap(({ name, item }) =>
    Object.entries(item.responses).flatMap(([status, response]) =>
      Object.entries((contentOf(response)?.['examples'] ?? {}) as Record<string, Json>).map(([title, { value }]) =>
        toAnswer({ name: `${name} ${status} ${title}`, operation: { name, item }, status, body: value }),
      ),
    ),
  );
  const recorded = await Promise.all(recordedAreas.filter(({ document }) => document === area).map(readRecorded));
  const answers = recorded
    .flat()
    .flatMap(({ operation, record: { name, status, body } }) =>
      operation === undefined ? [] : toAnswer({ name, operation, status: String(status), body }),
    );
  return [...examples, ...answers].flat();
}

type Answered = Pick<ReturnType<typeof operationsOf>[number], 'name' | 'item'>;

const contentOf = (response: Json | undefined): Json | undefined =>
  (response?.['content'] as Record<string, Json> | undefined)?.['application/json'];

function toAnswer(answer: { name: string; operation: Answered; status: string; body: unknown }): ModelAnswer[] {
  const { name, operation, status, body } = answer;
  const schema = contentOf(operation.item.responses[status])?.['schema'] as Json | undefined;
  if (schema === undefined || typeof body !== 'object') return [];
  // A choice of several has a model of its own, called after the operation.
  const own = `${operation.name.charAt(0).toUpperCase()}${operation.name.slice(1)}${status}Response`;
  const model = typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? '') : own;
  return [{ name, model, body: JSON.stringify(body) }];
}

/** @returns by its file's name a program that reads answers.json with the models, and says which it cannot read */
const readers: Readonly<Record<'go' | 'python', (answers: readonly ModelAnswer[]) => [file: string, text: string]>> = {
  go: (answers) => [
    'answers_test.go',
    `package openapi

import (
	"encoding/json"
	"os"
	"testing"
)

func TestAnswers(t *testing.T) {
	models := map[string]func() any{
${[...new Set(answers.map(({ model }) => model))].map((each) => `\t\t"${each}": func() any { return new(${each}) },`).join('\n')}
	}
	text, err := os.ReadFile("answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var answers []struct{ Name, Model, Body string }
	if err := json.Unmarshal(text, &answers); err != nil {
		t.Fatal(err)
	}
	for _, each := range answers {
		if err := json.Unmarshal([]byte(each.Body), models[each.Model]()); err != nil {
			t.Errorf("%s: %v", each.Name, err)
		}
	}
}
`,
  ],
  python: () => [
    'read_answers.py',
    `import json, sys
import openapi_client

faults = []
for each in json.load(open('answers.json')):
    try:
        getattr(openapi_client, each['model']).from_json(each['body'])
    except Exception as error:
        faults.append(f"{each['name']}: {error}")
sys.exit('\\n'.join(faults) or 0)
`,
  ],
};

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
