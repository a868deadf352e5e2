import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aCertificate } from '../../support/certificates.js';
import { until } from '../../support/expectations.js';
import { freePort } from '../../support/free-port.js';
import { openTestPool } from '../../support/open-test-pool.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const execute = promisify(execFile);

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.unref().once('connect', () => socket.end());
  });

describe('npm start with BANK_URL', () => {
  let sandbox: TestSandbox;
  let bank: ChildProcess;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-bank-'));
    const authority = await aCertificate({ profile: 'authority', name: 'authority' });
    const server = await aCertificate({ profile: 'server', name: 'localhost', issuer: authority });
    const client = await aCertificate({ profile: 'bank-client', name: 'service' });
    const files = { cert: server.certificate, key: server.privateKeyPem, client: client.certificate };
    for (const [name, pem] of Object.entries(files)) await writeFile(join(folder, name), pem);
    const port = await freePort();
    bank = spawn(process.execPath, ['docs/examples/bank/bank.mjs'], {
      env: {
        BANK_PORT: String(port),
        BANK_CERTIFICATE: join(folder, 'cert'),
        BANK_PRIVATE_KEY: join(folder, 'key'),
        SERVICE_CA: join(folder, 'client'),
      },
      stdio: 'inherit',
    });
    await until(() => canConnect(port));
    sandbox = await startTestSandbox({
      environment: {
        BANK_URL: `https://localhost:${port}`,
        BANK_CA: authority.certificate,
        BANK_CLIENT_CERTIFICATE: client.certificate,
        BANK_CLIENT_PRIVATE_KEY: client.privateKeyPem,
      },
    });
  });

  afterAll(async () => {
    await sandbox?.stop();
    bank?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('has every payment made by that bank, and none by the sandbox’s own, which does not run', async () => {
    expect(await canConnect(sandbox.ports.bank)).toBe(false);
    const file = join(sandbox.directory, 'sandbox.json');
    const description = JSON.parse(await readFile(file, 'utf8')) as { customers: object[]; bank_app?: object };
    expect(description).toMatchObject({ customers: [] });
    expect(description.bank_app).toBeUndefined();
    // For the demo, which acts as a customer of the sandbox.
    const customers = [
      { username: 'ada', password: 'ada-password', one_time_code: '123456', accounts: [{ name: 'Ada' }] },
    ];
    await writeFile(file, JSON.stringify({ ...description, customers }));
    const { stdout } = await execute(process.execPath, ['dist/apps/tpp/src/demo.js'], {
      env: { PATH: process.env['PATH'] ?? '', SANDBOX_DIRECTORY: sandbox.directory },
      timeout: 120_000,
    });
    expect(stdout).toMatch(/^Payments: 150 /m);
    const own = openTestPool({ connectionString: sandbox.postgres.url('sandbox_bank'), max: 1 });
    expect((await own.query('SELECT FROM payment_batches')).rowCount).toBe(0);
    await own.end();
  });

  it('writes the settings of that bank where other programs read them', async () => {
    const settings = await readFile(join(sandbox.directory, 'service.env'), 'utf8');
    expect(settings).toContain(`BANK_URL="${sandbox.config.bank.url}"`);
    expect(settings).not.toMatch(/BANK_CA_FILE|BANK_CALLBACK_KEYS|BANK_LOOK/);
  });
});
