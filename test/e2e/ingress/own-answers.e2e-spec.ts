import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aCertificate } from '../../support/certificates.js';
import { freePort } from '../../support/free-port.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import { missingPrograms, type Ports, Proxy, renderConfiguration } from './proxy.js';

const missing = missingPrograms();
if (missing !== undefined) process.stderr.write(`What nginx answers is not tested: ${missing} is not installed.\n`);

const portsOf = async () => ({ authorize: await freePort(), token: await freePort(), api: await freePort() });
const id = '93bac548-d2de-4546-b106-880a5018460d';

(missing === undefined ? describe : describe.skip)('what the terminating nginx answers itself', () => {
  let folder: string;
  let proxy: Proxy;
  let ask: (method: string, path: string, sent?: string) => Promise<TestResponse>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-answers-'));
    const issuer = await aCertificate({ profile: 'authority', name: 'authority' });
    const { certificate, privateKeyPem } = await aCertificate({ profile: 'server', name: 'localhost', issuer });
    await mkdir(join(folder, 'tls'));
    for (const name of ['hop', 'auth', 'token', 'api']) {
      await writeFile(join(folder, `tls/${name}-certificate.pem`), certificate);
      await writeFile(join(folder, `tls/${name}-key.pem`), privateKeyPem);
    }
    for (const name of ['application', 'client']) {
      await writeFile(join(folder, `tls/${name}-authorities.pem`), issuer.certificate);
    }
    const [front, gone] = [await portsOf(), await portsOf()];
    // Nobody listens there.
    const instances = { authorize: [gone.authorize], token: [gone.token], api: [gone.api] };
    const ports: Ports = { public: front, instances };
    proxy = new Proxy('nginx-terminating', folder, ports);
    await proxy.start(
      await renderConfiguration('nginx-terminating', folder, ports, (text) =>
        text.replace(/^.*-[23]\.internal.*$/gm, '').replaceAll('auth.bank.example', 'localhost'),
      ),
    );
    const agent = httpsAgent({ ca: issuer.certificate });
    ask = (method, path, sent) =>
      httpsRequest({
        url: `https://localhost:${front.authorize}${path}`,
        method,
        headers: { 'x-fapi-interaction-id': sent },
        agent,
      });
  });

  afterAll(async () => {
    await proxy?.stop();
    await rm(folder, { recursive: true });
  });

  it('has the interaction id of the request and the seconds to wait: without an instance, and above a limit', async () => {
    const answers: TestResponse[] = [];
    for (let count = 0; count < 31; count += 1) answers.push(await ask('POST', '/sign-in', id));
    for (const [answer, status] of [
      [answers[0], 502],
      [answers.at(-1), 429],
    ] as const) {
      expect(answer?.status).toBe(status);
      expect(answer?.headers).toMatchObject({ 'x-fapi-interaction-id': id, 'retry-after': '2' });
    }
  });

  it.each([undefined, 'none'])('has an id of its own where the request has none: %s', async (sent) => {
    const first = (await ask('GET', '/', sent)).headers['x-fapi-interaction-id'];
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect((await ask('GET', '/', sent)).headers['x-fapi-interaction-id']).not.toBe(first);
  });

  it('says nothing of waiting where the request is wrong, and is not taken for the service', async () => {
    const { status, headers } = await ask('POST', `/${'x'.repeat(140_000)}`, id);
    expect(status).toBe(414);
    expect([headers['retry-after'], headers['x-fapi-interaction-id']]).toEqual([undefined, undefined]);
  });
});
