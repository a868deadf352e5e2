import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { root } from './api-document.js';

const execute = promisify(execFile);
const guide = readFileSync(join(root, 'docs/how-to/call-the-bank-from-your-language.md'), 'utf8');
const idTokens = readFileSync(join(root, 'docs/how-to/send-customers-to-the-bank.md'), 'utf8');

const isThere = (program: string, ...parameters: string[]): Promise<boolean> =>
  execute(program, parameters).then(
    () => true,
    () => false,
  );

/**
 * A language of the samples, what it needs, and how its sample on ID tokens becomes a program that prints the hash of
 * its parameter.
 */
const languages = [
  {
    language: 'Python',
    needs: 'python3 with cryptography',
    tools: [['python3', '-c', 'import cryptography']],
    start: ['python3'],
    file: 'hash.py',
    program: (sample: string) => `${sample}\nimport sys\nprint(left_half_hash(sys.argv[1]))\n`,
  },
  {
    language: 'Java',
    needs: 'java and mvn',
    tools: [
      ['java', '--version'],
      ['mvn', '--version'],
    ],
    start: ['java'],
    file: 'Main.java',
    program: (sample: string) =>
      sample.replace(
        'class LeftHalfHash',
        `class Main { public static void main(String[] a) throws Exception { System.out.println(LeftHalfHash.of(a[0])); } }\n$&`,
      ),
  },
  {
    language: 'Go',
    needs: 'go',
    tools: [['go', 'version']],
    start: ['go', 'run'],
    file: 'main.go',
    program: (sample: string) =>
      `package main\nimport "os"\n${sample}\nfunc main() { os.Stdout.WriteString(LeftHalfHash(os.Args[1])) }\n`,
  },
];

const usable = await Promise.all(
  languages.map(async (each) => {
    const found = await Promise.all(each.tools.map(([program = '', ...parameters]) => isThere(program, ...parameters)));
    return { ...each, isUsable: found.every(Boolean) };
  }),
);
for (const { language, needs, isUsable } of usable) {
  if (!isUsable) process.stderr.write(`The samples in ${language} are not run: ${needs} is missing.\n`);
}

let sandbox: TestSandbox | undefined;

beforeAll(async () => {
  if (usable.some(({ isUsable }) => isUsable)) sandbox = await startTestSandbox();
});

afterAll(() => sandbox?.stop());

describe.each(usable)('the samples in $language', ({ language, isUsable, start, file, program }) => {
  const test = isUsable ? it : it.skip;
  let folder: string;

  beforeAll(async () => {
    if (!isUsable) return;
    folder = await mkdtemp(join(tmpdir(), 'sample-'));
    // A compiler writes beside its sources.
    await cp(join(root, 'docs/examples/clients'), folder, { recursive: true });
  });

  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  test('register, get a token, stage a consent and verify the signature of the bank, as the guide starts them', async () => {
    const [, command = ''] =
      new RegExp(`^## ${language}\\n[^]*?^\`\`\`sh sample\\n(.+)\\n\`\`\`$`, 'm').exec(guide) ?? [];
    expect(command).toContain('docs/examples/clients');
    const line = command.replaceAll('docs/examples/clients', folder).replaceAll('.sandbox/', `${sandbox?.directory}/`);
    const { stdout } = await execute('sh', ['-c', line], { cwd: root });
    const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
    const [, clientId, consentId] =
      new RegExp(
        `^registered: (${uuid})\nstaged: (${uuid}) AwaitingUpload\nsignature of the bank: verified$`,
        'm',
      ).exec(stdout) ?? [];
    const { rows = [] } =
      (await sandbox?.database.query('SELECT client_id FROM payment_consents WHERE consent_id::text = $1', [
        consentId,
      ])) ?? {};
    expect(rows).toEqual([{ client_id: clientId }]);
  });

  test('compute the hash of the page on ID tokens', async () => {
    const [, sample = ''] = new RegExp(`^\`\`\`${language.toLowerCase()}\\n([^]*?)^\`\`\`$`, 'm').exec(idTokens) ?? [];
    const [, code = '', hash = ''] = /For the code `(\S+)` the result is `(\S+)`/.exec(idTokens) ?? [];
    expect(hash).toHaveLength(22);
    const path = join(folder, file);
    await writeFile(path, program(sample));
    const [runner = '', ...parameters] = start;
    const { stdout } = await execute(runner, [...parameters, path, code], { cwd: folder });
    expect(stdout.trim()).toBe(hash);
  });
});
