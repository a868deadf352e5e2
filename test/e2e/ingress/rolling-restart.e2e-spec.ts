import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { approve, confirm, signIn, CustomerBrowser, HttpsClient, requestToken } from '../../support/apps/tpp.js';
import { aConsentRequest } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { IngressWorld } from './ingress-world.js';
import { missingPrograms, type Form } from './proxy.js';

const missing = missingPrograms();
if (missing !== undefined) process.stderr.write(`The rolling restart is skipped: ${missing} is not installed.\n`);

/** The other forms by hand: ROLLING_RESTART_FORMS=nginx-pass-through,nginx-terminating */
const forms = (process.env['ROLLING_RESTART_FORMS'] ?? 'haproxy-pass-through').split(',') as Form[];
const longestStopMilliseconds = 10_000;

(missing === undefined ? describe : describe.skip).each(forms)('a rolling restart behind %s', (form) => {
  let world: IngressWorld;
  let tpp: TestTpp;

  beforeAll(async () => {
    world = await IngressWorld.create();
    await world.startInstances(form, { SHUTDOWN_DRAIN_SECONDS: '1' });
    await world.startIngress(form);
    tpp = await aTpp({ description: world.description, ca: world.sandbox.ca, agent: world.sandbox.agent });
  });

  afterAll(async () => {
    tpp?.close();
    await world?.stop();
  });

  it('loses no request and drops no sign-in; every process ends in time', async () => {
    const failures: string[] = [];
    /**
     * A kept connection that is closed just when the next request sets out on it (RFC 9112 s9.5), which no server can
     * prevent.
     */
    const resets: string[] = [];
    let answered = 0;
    const loading = new AbortController();
    /** One request after the other on kept connections, with a short pause. */
    const keepDoing = async (what: string, work: () => Promise<void>): Promise<void> => {
      while (!loading.signal.aborted) {
        try {
          await work();
          answered += 1;
        } catch (error) {
          const isReset = error instanceof Error && Reflect.get(error, 'code') === 'ECONNRESET';
          (isReset ? resets : failures).push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        }
        await sleep(40);
      }
    };
    const pageAgent = httpsAgent({ ca: world.sandbox.ca });
    const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
    const load = Promise.all([
      keepDoing('consent', async () => {
        const body = aConsentRequest({ file: aPaymentFile() });
        expectStatus((await tpp.post('/file-payment-consents', body)).status, 201);
      }),
      keepDoing('upload', async () => void (await tpp.stageFile(aPaymentFile({ payments: 5 })))),
      keepDoing('token', async () => void (await requestToken({ ...tpp, grant }))),
      keepDoing('keys', async () => {
        const { jwks_uri: url } = world.description;
        expectStatus((await httpsRequest({ url, agent: pageAgent })).status, 200);
      }),
    ]);

    // A customer in the middle of the pages.
    const file = aPaymentFile({ payments: 2 });
    const consentId = await tpp.stageFile(file);
    const request = await tpp.createAuthorizationRequest(consentId);
    const browserClient = new HttpsClient({ ca: world.sandbox.ca });
    const browser = new CustomerBrowser(browserClient, request.redirectUri);
    const [customer] = world.description.customers;
    if (!customer) throw new Error('The sandbox has no customer.');
    await browser.open(request.url);

    const stops: { app: string; exitCode: number | null; isInTime: boolean }[] = [];
    for (const [round, go] of [
      () => signIn(browser, customer),
      () => approve(browser, { accountName: customer.accounts[0]?.name ?? '', expected: [] }),
      () => Promise.resolve(),
    ].entries()) {
      const restarting = ['authorize', 'token', 'api'].map((app) => {
        const instance = world.instances.filter((one) => one.app === app)[round];
        if (!instance) throw new Error(`There is no ${app}.`);
        return instance;
      });
      await Promise.all([
        go(),
        ...restarting.map(async (instance) => {
          const { exitCode, milliseconds } = await instance.terminate();
          stops.push({ app: instance.app, exitCode, isInTime: milliseconds < longestStopMilliseconds });
          await instance.start();
        }),
      ]);
      // The ingress must notice that it has returned.
      await sleep(1_500);
    }
    const location = await confirm(browser, customer);
    expect(new URL(location).hash).toContain('code=');
    browserClient.close();

    loading.abort();
    await load;
    pageAgent.destroy();
    expect(failures).toEqual([]);
    expect(resets.slice(2)).toEqual([]);
    expect(stops).toHaveLength(9);
    expect(stops.filter(({ exitCode, isInTime }) => exitCode !== 0 || !isInTime)).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  });
});

function expectStatus(status: number, expected: number): void {
  if (status !== expected) throw new Error(`status ${status}`);
}
