import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { expectEventually } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { readShell } from '../../support/shell-words.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const execute = promisify(execFile);
const pages = ['file-payments', 'observability', 'retention'];
const programs: Readonly<Record<string, string>> = {
  operator: 'operator/src/main.js',
  housekeeping: 'worker/src/housekeeping-command.js',
};
/** Commands on a file payment that is held, stopped or differs; this one is not. */
const onAnotherState = /payments (?:retry|reject|conclude|acknowledge) /;

/** The blocks that are marked as needing a deployed service: the sandbox is one. */
async function commandsOf(page: string): Promise<string[][]> {
  const text = await readFile(join('deploy', `${page}.md`), 'utf8');
  const blocks = [...text.matchAll(/^```sh deployment\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) => readShell(block)).map((words) => [...words]);
}

describe('the commands on the pages for operators', () => {
  let sandbox: TestSandbox;
  let tpp: TestTpp;
  let folder: string;
  let consentId: string;
  let values: Readonly<Record<string, string>>;

  beforeAll(async () => {
    sandbox = await startTestSandbox();
    tpp = await aTpp(sandbox);
    folder = await mkdtemp(join(tmpdir(), 'operator-'));
    const { text } = await httpsRequest({ url: sandbox.description.jwks_uri, agent: sandbox.agent });
    await writeFile(join(folder, 'jwks.json'), text);
    const authorised = await tpp.authorise();
    const { FilePaymentId } = (await tpp.pay(authorised)).json()['Data'] as { FilePaymentId: string };
    const readStatus = async (): Promise<unknown> => {
      const { Data } = (await tpp.get(`/file-payments/${FilePaymentId}`)).json() as { Data: { Status: string } };
      return Data.Status;
    };
    await expectEventually(readStatus, 'InitiationCompleted');
    const { rows } = await sandbox.database.query<{ payment_id: string }>('SELECT payment_id FROM payments LIMIT 1');
    ({ consentId } = authorised);
    await writeFile(join(folder, 'listed'), `${FilePaymentId}\n`);
    values = {
      PAYMENT_ORDER_ID: FilePaymentId,
      FILE: 'listed',
      PAYMENT_ID: rows[0]?.payment_id ?? '',
      STATUS: 'Rejected',
      TEXT: 'a test of the page',
    };
  });

  afterAll(async () => {
    tpp?.close();
    await sandbox?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(pages)('of deploy/%s.md do what they say, or say why they cannot', async (page) => {
    const commands = await commandsOf(page);
    expect(commands.length).toBeGreaterThan(0);
    for (const [npm, run, name = '', , ...words] of commands) {
      expect([npm, run]).toEqual(['npm', 'run']);
      const id = name === 'housekeeping' ? consentId : (values['PAYMENT_ORDER_ID'] ?? '');
      const parameters = words.map((word) => (word === 'ID' ? id : (values[word] ?? word)));
      const settings = `--env-file=${join(sandbox.directory, 'service.env')}`;
      const command = [settings, resolve('dist/apps', programs[name] ?? ''), ...parameters];
      const { code, output } = await execute(process.execPath, command, { cwd: folder }).then(
        () => ({ code: 0, output: '' }),
        (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
      );
      const isRefused = onAnotherState.test(`${words.join(' ')} `);
      expect({ words, code, output }).toEqual({
        words,
        code: isRefused ? 1 : 0,
        output: isRefused ? expect.stringMatching(/^[A-Z].*\.$/m) : '',
      });
    }
  });
});
