import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const execute = promisify(execFile);

describe('npm run demo', () => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox();
  });
  afterAll(() => sandbox?.stop());

  const demo = (...parameters: string[]) =>
    execute(process.execPath, ['dist/apps/tpp/src/demo.js', ...parameters], {
      env: { PATH: process.env['PATH'] ?? '', SANDBOX_DIRECTORY: sandbox.directory },
      timeout: 120_000,
    });

  it.each(['3.1', '4.0'])('reads an account by v%s, until the access is given up', async (version) => {
    const { stdout } = await demo('--scope', 'accounts', '--version', version);
    expect(stdout).toMatch(/read the accounts +GET .*\/aisp\/accounts +200/);
    expect(stdout).toMatch(/the accounts are closed +GET .*\/aisp\/accounts +401/);
    expect(stdout).toMatch(/^Archer Payroll, \w+: 100000000\.00 GBP$/m);
    expect(stdout).toContain('Complete: 16 steps');
  });

  it.each(['3.1', '4.0'])('asks about funds by v%s, until the consent is ended', async (version) => {
    const { stdout } = await demo('--scope', 'fundsconfirmations', '--version', version);
    expect(stdout).toMatch(/ask for 20\.00 GBP +POST .*\/cbpii\/funds-confirmations +201/);
    expect(stdout).toMatch(/the bank no longer answers +POST .*\/cbpii\/funds-confirmations +401/);
    expect(stdout).toMatch(/^Archer Payroll, 20\.00 GBP: available$/m);
    expect(stdout).toMatch(/^Archer Payroll, 9999999999\.00 GBP: not available$/m);
    expect(stdout).toContain('Complete: 16 steps');
  });

  it.each(['3.1', '4.0'])('makes 150 payments by v%s', async (version) => {
    const { stdout } = await demo('--version', version);
    expect(stdout).toMatch(/^Payments: 150 /m);
    expect(stdout).toContain('Complete: 18 steps');
    expect(stdout.endsWith('npm run demo -- --version 4.0\n')).toBe(version === '3.1');
  });

  it.each(['3.1', '4.0'])(
    'makes a single payment by v%s, asks for its funds and shows where refunds go',
    async (version) => {
      const { stdout } = await demo('--scope', 'payments', '--kind', 'domestic', '--version', version);
      expect(new Set(stdout.match(/^.* ms$/gm)?.map(({ length }) => length)).size).toBe(1);
      expect(stdout).toMatch(
        /ask whether the money is there +GET …\/domestic-payment-consents\/\{id\}\/funds-confirmation +200/,
      );
      expect(stdout).toMatch(
        version === '3.1'
          ? /^Domestic payment .*: AcceptedCreditSettlementCompleted$/m
          : /^Domestic payment .*: ACCC$/m,
      );
      expect(stdout).toMatch(/^Refunds go to 20000112345678, Archer Payroll$/m);
      expect(stdout).toContain('Complete: 17 steps');
      expect(stdout.endsWith('npm run demo -- --kind domestic --version 4.0\n')).toBe(version === '3.1');
    },
  );

  it('knows no kind of account', async () => {
    await expect(demo('--scope', 'accounts', '--kind', 'domestic')).rejects.toMatchObject({ code: 2 });
  });

  it('knows no other scope', async () => {
    await expect(demo('--scope', 'everything')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Allowed choices are payments, accounts, fundsconfirmations.'),
    });
  });
});
