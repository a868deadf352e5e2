import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import {
  listenForEvents,
  type EventListener,
  type RunningSandbox,
  startSandbox,
} from '../../support/apps/start-sandbox.js';
import { ensureTrustFramework } from '../../support/apps/trust.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import { freePort, freePorts } from '../../support/free-port.js';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { patientSettings } from '../../support/patient-settings.js';
import { asStartedBefore } from '../../support/started-before.js';
import { CheckedTpp } from '../file-payments/checked-tpp.js';

let directory: string;
let sandbox: RunningSandbox;
let listener: EventListener;
let agent: ReturnType<typeof httpsAgent>;
let ca: string;
const [shown, warnings]: [string[], string[]] = [[], []];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'listen-'));
  await asStartedBefore(directory);
  const { authority } = await ensureTrustFramework({ directory, now: new Date() });
  ca = authority.certificate;
  agent = httpsAgent({ ca });
  const port = await freePort();
  const environment = {
    ...patientSettings,
    LOG_LEVEL: 'error',
    EVENT_WEBHOOK_URL: `https://localhost:${port}/events`,
    EVENT_WEBHOOK_CA_FILE: authority.certificateFile,
  };
  sandbox = await startSandbox({ directory, ports: await freePorts(), environment });
  listener = await listenForEvents({
    directory,
    port,
    isJson: false,
    print: (line) => shown.push(line),
    warn: (line) => warnings.push(line),
  });
});

afterAll(async () => {
  agent?.destroy();
  await listener?.close();
  await sandbox?.stop();
  await sandbox?.postgres.remove();
  await rm(directory, { recursive: true, force: true });
});

it('shows each event that the service posts, and how to configure the service', async () => {
  expect(warnings).toEqual([expect.stringContaining(`EVENT_WEBHOOK_URL=${listener.url}`)]);
  const tpp = new CheckedTpp(await aTpp({ description: sandbox.description, ca, agent }));
  const { consentId } = await tpp.authorise(aPaymentFile());
  await until(async () => shown.length > 0);
  const time = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z`;
  expect(shown[0]).toMatch(
    new RegExp(`${time}  consent\\.status  Authorised  https://.*/file-payment-consents/${consentId}$`),
  );
  tpp.close();
});

it('shows nothing that the service has not signed', async () => {
  const before = shown.length;
  const headers = { 'content-type': 'application/secevent+jwt' };
  const keys = await readFile(join(process.cwd(), 'package.json'), 'utf8');
  const forged = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(keys).toString('base64url')}.`;
  for (const body of [forged, 'not a token', '']) {
    const answer = await httpsRequest({ url: listener.url, method: 'POST', headers, agent, body });
    expect([answer.status, answer.json()['err']]).toEqual([400, 'authentication_failed']);
  }
  expect(shown.length).toBe(before);
});
