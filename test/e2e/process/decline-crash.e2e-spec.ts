import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expectEventually, until } from '../../support/expectations.js';
import { SandboxProcess } from '../../support/sandbox-process.js';
import { registerFapiClient, type FapiClient } from '../../support/a-client.js';
import { alice, PageBrowser } from '../../support/page-browser.js';

let sandbox: SandboxProcess;
let client: FapiClient;
beforeAll(async () => {
  sandbox = await SandboxProcess.create();
  const [tpp] = sandbox.description.tpps;
  if (tpp === undefined) throw new Error('The sandbox has a TPP.');
  client = await registerFapiClient(sandbox, tpp, { method: 'private_key_jwt' });
});
afterAll(async () => {
  client?.close();
  await sandbox?.remove();
});

const reasons = async (): Promise<unknown[]> =>
  (
    await sandbox.query<{ reason: string }>(
      'sandbox_bank',
      `SELECT DISTINCT report ->> 'reason' AS reason FROM decline_reports`,
    )
  ).map(({ reason }) => reason);
const notices = (): Promise<{ attempts: number }[]> =>
  sandbox.query('open_banking', 'SELECT attempts FROM decline_notices');

/** The customer signs in, reads, and declines for a reason. */
async function decline(reason: string): Promise<void> {
  const browser = new PageBrowser(sandbox);
  const url = client.authorizationUrl(client.requestObject({ scope: 'openid accounts' }));
  const { username, password } = alice;
  const page = await browser.submit(await browser.get(url), '/sign-in', { username, password });
  await browser.submit(page, '/decline', { decline_reason: reason });
}

it('a killed process forgets no reason for which a customer declined: the bank hears of it afterwards', async () => {
  // The bank takes nothing, so that the process ends between the decline and the report, however fast it is.
  await sandbox.query('sandbox_bank', 'ALTER TABLE decline_reports RENAME TO away');
  await decline('NotRecognised');
  // Once the worker is at it, and once right after the answer to the customer.
  await until(async () => ((await notices())[0]?.attempts ?? 0) > 0);
  await decline('SuspectedFraud');
  await sandbox.kill();
  client.agent.destroy();
  await sandbox.query('sandbox_bank', 'ALTER TABLE away RENAME TO decline_reports');
  expect(await reasons()).toEqual([]);
  expect(await notices()).toHaveLength(2);

  await sandbox.start();
  await expectEventually(async () => (await reasons()).toSorted().join(' '), 'NotRecognised SuspectedFraud');
  await expectEventually(async () => String((await notices()).length), '0');
});
