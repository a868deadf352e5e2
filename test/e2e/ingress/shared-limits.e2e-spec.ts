import { Agent } from 'node:https';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { AppProcess } from './app-process.js';
import { IngressWorld } from './ingress-world.js';
import { missingPrograms, type Form } from './proxy.js';

const missing = missingPrograms();
if (missing !== undefined)
  process.stderr.write(`Limits behind an ingress are not tested: ${missing} is not installed.\n`);

const [stranger, customer] = ['127.0.0.2', '127.0.0.3'];
const forms: readonly Form[] = ['haproxy-pass-through', 'nginx-pass-through'];
/** As they are by default, in a window that lasts as long as a test. */
const defaults = {
  RATE_LIMIT_PER_CLIENT: '600',
  RATE_LIMIT_PER_ADDRESS: '1200',
  RATE_LIMIT_WINDOW_SECONDS: '600',
  SIGN_INS_PER_ADDRESS: '30',
};

/** The ingress as it was before it said where clients are. */
const withoutProxyProtocol = (text: string): string => text.replace(/^.*(send-proxy-v2|proxy_protocol on;)$/m, '');

async function countRefused(requests: number, ask: () => Promise<number>): Promise<number> {
  let refused = 0;
  for (let count = 0; count < requests; count += 1) if ((await ask()) === 429) refused += 1;
  return refused;
}

async function refusalsOf(instance: AppProcess | undefined): Promise<Record<string, unknown>[]> {
  return ((await instance?.log()) ?? []).filter((line) => line['address'] === stranger);
}

(missing === undefined ? describe : describe.skip)('one stranger', () => {
  let world: IngressWorld;

  beforeAll(async () => {
    world = await IngressWorld.create();
  });

  afterAll(() => world?.stop());

  describe.each(forms)('before %s', (form) => {
    let instance: AppProcess | undefined;
    const agents: Agent[] = [];

    afterEach(async () => {
      for (const agent of agents.splice(0)) agent.destroy();
      await instance?.kill();
    });

    async function start(overrides: Readonly<Record<string, string>> = {}): Promise<void> {
      const environment = world.environment(form, { ...defaults, ...overrides });
      instance = await AppProcess.create('authorize', { folder: world.folder, environment });
      await instance.start();
      const { port } = instance;
      await world.startIngress(form, { behind: { authorize: port, token: port, api: port } });
    }

    /** One connection, kept. @returns sends a request on it */
    function connectFrom(localAddress: string): (path: string, body?: string) => Promise<number> {
      const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: world.sandbox.ca, localAddress });
      agents.push(agent);
      return async (path, body) => {
        const url = `${world.url('authorize')}${path}`;
        const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
        return (await httpsRequest({ url, agent, ...(body !== undefined && (form as { body: string })) })).status;
      };
    }

    it('is refused, and nobody else: not for requests, nor for passwords', async () => {
      await start();
      const attack = connectFrom(stranger);
      expect(await countRefused(700, () => attack('/oauth2/jwks'))).toBe(100);
      const other = connectFrom(customer);
      expect(await other('/approvals')).toBe(200);
      // It has used up its own requests: this one comes from its own address.
      const guess = connectFrom('127.0.0.4');
      expect(await countRefused(40, () => guess('/approvals/sign-in', 'a=b'))).toBe(10);
      expect(await other('/approvals/sign-in', 'a=b')).not.toBe(429);
    });

    it('is not counted if callers cannot be distinguished', async () => {
      // As before the ingress spoke the PROXY protocol, with the settings that were said to be right then, and with the
      // defaults.
      const before: Readonly<Record<string, string>>[] = [
        {},
        { INGRESS_ADDRESSES: '', RATE_LIMIT_PER_ADDRESS: '0', SIGN_INS_PER_ADDRESS: '0' },
      ];
      for (const limits of before) {
        await start({ PROXY_PROTOCOL: 'false', ...limits });
        const port = instance?.port ?? 0;
        await world.startIngress(form, {
          behind: { authorize: port, token: port, api: port },
          change: withoutProxyProtocol,
        });
        const attack = connectFrom(stranger);
        await countRefused(700, () => attack('/oauth2/jwks'));
        expect(await connectFrom(customer)('/approvals')).toBe(200);
        await instance?.kill();
      }
    });

    it('cannot say that it is somebody else: neither to the instance nor to the ingress', async () => {
      await start();
      const header = 'PROXY TCP4 127.0.0.3 198.51.100.1 54321 443\r\n';
      for (const [port, from] of [
        [instance?.port ?? 0, stranger],
        [world.publicPorts.authorize, stranger],
      ] as const) {
        const raw = connect({ host: '127.0.0.1', port, localAddress: from });
        let said = '';
        raw.on('data', (chunk) => (said += String(chunk)));
        raw.on('error', () => undefined);
        raw.write(header);
        await new Promise((resolve) => raw.once('close', resolve));
        expect(said).toBe('');
      }
      // And what refuses says so, once a minute.
      await until(async () => (await refusalsOf(instance)).length > 0);
      expect(await refusalsOf(instance)).toMatchObject([
        { message: 'Connections were refused before TLS.', reason: 'not from an address of INGRESS_ADDRESSES' },
      ]);
    });
  });
});
