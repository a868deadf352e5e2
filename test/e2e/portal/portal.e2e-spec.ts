import { request, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { connect as secureConnect, type DetailedPeerCertificate } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runSandboxCommand } from '../../support/apps/commands.js';
import { defaultPorts, reservePorts } from '../../support/apps/ports.js';
import { freePort, freePorts } from '../../support/free-port.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

let sandbox: TestSandbox;
let origin: string;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  origin = sandbox.description.portal.url;
});

afterAll(() => sandbox?.stop());

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

interface Asking {
  method?: string;
  headers?: Record<string, string>;
  form?: Record<string, string>;
  body?: string;
}

function ask(path: string, { method, headers = {}, form, body }: Asking = {}): Promise<Answer> {
  const content = form === undefined ? body : new URLSearchParams(form).toString();
  const type = content === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const options = { method: method ?? (content === undefined ? 'GET' : 'POST'), headers: { ...type, ...headers } };
  return new Promise((resolve, reject) => {
    const asking = request(`${origin}${path}`, options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
    });
    asking.on('error', reject).end(content);
  });
}

/** @returns the fingerprints of the certificates that a server presents, its own first */
function chainOf(url: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    // Without the CA, which would complete the chain.
    const socket = secureConnect(
      { host: 'localhost', port: Number(new URL(url).port), rejectUnauthorized: false },
      () => {
        const chain: string[] = [];
        let certificate: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
        while (certificate !== undefined && !chain.includes(certificate.fingerprint256)) {
          chain.push(certificate.fingerprint256);
          certificate = certificate.issuerCertificate;
        }
        socket.destroy();
        resolve(chain);
      },
    );
    socket.on('error', reject);
  });
}

const tokenOf = ({ text }: Answer): string => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';

describe('the sandbox portal answers only to its own address', () => {
  it('answers to localhost, redirects numbers there, and refuses every other name (DNS rebinding)', async () => {
    const { host, port } = new URL(origin);
    expect((await ask('/', { headers: { host } })).status).toBe(200);
    expect(await ask('/board?x=1', { headers: { host: `127.0.0.1:${port}` } })).toMatchObject({
      status: 307,
      headers: { location: `${origin}/board?x=1` },
    });
    for (const other of [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      `localhost:1`,
      `localhost.evil.example:${port}`,
    ]) {
      const { status, text } = await ask('/', { headers: { host: other } });
      expect([other, status, text.includes('form_token')]).toEqual([other, 421, false]);
    }
  });

  it('accepts a form with the token of this run from its own pages, and nothing else', async () => {
    const form_token = tokenOf(await ask('/'));
    const form = { form_token, csv: 'x' };
    expect((await ask('/runs', { form })).status).toBe(422);
    expect((await ask('/runs', { form, headers: { origin } })).status).toBe(422);
    expect((await ask('/runs', { form: { csv: 'x' } })).status).toBe(403);
    expect((await ask('/runs', { form: { ...form, form_token: `${form_token}x` } })).status).toBe(403);
    expect((await ask('/runs', { method: 'POST' })).status).toBe(403);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${origin}.evil.example` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      expect([headers, (await ask('/runs', { form, headers })).status]).toEqual([headers, 403]);
    }
    expect((await ask('/events', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    const json = { 'content-type': 'application/json' };
    expect((await ask('/runs', { body: '{}', headers: json })).status).toBe(415);
  });

  it('allows only its own script, no framing and no caching', async () => {
    const { headers } = await ask('/');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('shows a CSV as text, whatever is in it, and bounds it', async () => {
    const form_token = tokenOf(await ask('/'));
    const hostile = '</textarea><script>alert(1)</script>';
    const { status, text } = await ask('/runs', { form: { form_token, csv: hostile } });
    expect(status).toBe(422);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;/textarea&gt;&lt;script&gt;');
    const named = `Name,Sort code,Account number,Amount,Reference,<b>\n"<img src=x>",200000,12345678,1.00,a,b`;
    const made = await ask('/runs', { form: { form_token, csv: named } });
    expect(made.status).toBe(303);
    const page = (await ask(made.headers.location ?? '')).text;
    expect(page).toContain('&lt;img src=x&gt;');
    expect(page).not.toContain('<img');
    expect(page).toContain('Line 2: Column &quot;&lt;b&gt;&quot; is not carried.');
    const tooLong = await ask('/runs', { form: { form_token, csv: 'x'.repeat(140_000) } });
    expect([tooLong.status, tooLong.text]).toEqual([422, expect.stringContaining('longer than 128 KB')]);
    expect((await ask('/runs', { form: { form_token, csv: 'x'.repeat(600_000) } })).status).toBe(413);
    expect((await ask('/callback', { form: { form_token, answer: 'x'.repeat(40_000) } })).status).toBe(413);
  });

  it('lists the newest runs on its first page, with their states', async () => {
    const form_token = tokenOf(await ask('/'));
    const csv = 'Name,Sort code,Account number,Amount,Reference\nAshford Timber,200000,12345678,1234.50,a';
    const run = (await ask('/runs', { form: { form_token, csv } })).headers.location ?? '';
    const listed = async (): Promise<string> =>
      new RegExp(`<li><a href="${run}">(.+?)</li>`).exec((await ask('/')).text)?.[1] ?? '';
    expect(await listed()).toBe('1 payment, £1,234.50</a>: not sent yet');
    await ask(`${run}/stage`, { form: { form_token } });
    expect(await listed()).toBe('1 payment, £1,234.50</a>: waits for the customer');
  });

  it('shows what is wrong with a single payment beside its fields, which keep their values', async () => {
    const form_token = tokenOf(await ask('/one'));
    const fields = { name: '"Dole", & Co', 'sort-code': '20-00', 'account-number': '10000001', amount: '10.50' };
    const form = { form_token, kind: 'domestic-payment', ...fields, reference: 'INV-1' };
    const { status, text } = await ask('/runs', { form });
    expect([status, text]).toEqual([422, expect.stringContaining('The sort code must have six digits')]);
    expect(text).toContain('value="&quot;Dole&quot;, &amp; Co"');
    expect(text).not.toContain('Line ');
    const run = (await ask('/runs', { form: { ...form, 'sort-code': '20-00-00' } })).headers.location ?? '';
    expect((await ask(run)).text).toContain('<dd id="payee">&quot;Dole&quot;, &amp; Co</dd>');
    expect((await ask('/')).text).toContain(`<a href="${run}">&quot;Dole&quot;, &amp; Co, £10.50</a>: not sent yet`);
  });

  it('locks, closes and reopens a customer, and accepts no other state', async () => {
    const form_token = tokenOf(await ask('/customers'));
    const chosen = async (): Promise<string | undefined> =>
      /id="state-dave"[^]*?value="(\w+)"\s+selected/.exec((await ask('/customers')).text)?.[1];
    for (const state of ['Locked', 'Closed', 'Active']) {
      const { status, headers } = await ask('/customers/state', { form: { form_token, username: 'dave', state } });
      expect([status, headers.location, await chosen()]).toEqual([303, '/customers', state]);
    }
    for (const form of [
      { username: 'dave', state: 'Dead' },
      { username: 'nobody', state: 'Locked' },
      { state: 'Locked' },
    ] as Record<string, string>[]) {
      expect((await ask('/customers/state', { form: { form_token, ...form } })).status).toBe(400);
    }
    expect(await chosen()).toBe('Active');
  });

  it("serves HTTPS on the same port, for a browser that the bank's pages told to use it (RFC 6797 s8.3)", async () => {
    const status = await new Promise((resolve, reject) => {
      const address = `${origin.replace('http:', 'https:')}/customers`;
      secureRequest(address, { agent: sandbox.agent }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  it('shows the same certificate chain as every server that a browser meets: Chromium warns of it once', async () => {
    const { authorization_endpoint, token_endpoint, base_url, directory } = sandbox.description;
    const urls = [origin, authorization_endpoint, token_endpoint, base_url, directory.base_url];
    const [chain, ...others] = await Promise.all(urls.map(chainOf));
    expect(chain).toHaveLength(2);
    expect(others).toEqual(others.map(() => chain));
  });

  it('survives malformed input', async () => {
    for (const bytes of ['\u0016\u0003\u0001nonsense', 'nonsense\r\n\r\n', '\u0000']) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.end(bytes, 'latin1'));
        socket.on('error', () => undefined).on('close', () => resolve());
        socket.resume();
      });
    }
    expect((await ask('/')).status).toBe(200);
    expect((await ask('/runs/unknown')).status).toBe(404);
    expect((await ask('/nowhere')).status).toBe(404);
  });
});

describe('the portal and the rest of the sandbox', () => {
  it('sandbox.json names it apart from the TPPs for others, and the commands know its TPP', async () => {
    const { portal, tpps } = sandbox.description;
    expect(portal.tpp.redirect_uris).toEqual([`${portal.url}/callback`]);
    expect(tpps.map(({ software_id }) => software_id)).not.toContain(portal.tpp.software_id);
    expect(await runSandboxCommand(sandbox.directory, ['clock', portal.tpp.name, '+1s'])).toContain(portal.tpp.name);
    expect(await runSandboxCommand(sandbox.directory, ['trust'])).toContain('nothing is changed yet');
    expect(await runSandboxCommand(sandbox.directory, ['trust', '--undo'])).toContain('stop trusting');
  });

  it('the bank registers its redirect URI, and no other address on this machine', () => {
    const { portal } = sandbox.description;
    expect(sandbox.config.registration.loopbackRedirectUris).toEqual([`${portal.url}/callback`]);
  });

  it('falls back to a free port if the default 8447 is in use, and reports a requested port that is in use', async () => {
    const ports = await freePorts();
    const taken = Number(new URL(origin).port);
    await expect(reservePorts({ ...ports, portal: taken })).rejects.toThrow(
      `Port ${taken} (portal) is in use: stop what listens there, or choose another port with PORTAL_PORT=<port>.`,
    );
    const { createServer } = await import('node:net');
    const holder = createServer();
    const isOurs = await new Promise<boolean>((resolve) => {
      holder.once('error', () => resolve(false)).listen(defaultPorts.portal, '127.0.0.1', () => resolve(true));
    });
    const reserved = await reservePorts({ ...ports, bank: await freePort(), portal: defaultPorts.portal });
    expect(reserved.portal).not.toBe(defaultPorts.portal);
    if (isOurs) await new Promise((resolve) => holder.close(resolve));
  });
});
