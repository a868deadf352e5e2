import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { connect } from 'node:tls';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

/** A handshake of openssl s_client, with whatever else OpenSSL's security level would hold back. */
interface Handshake {
  isDone: boolean;
  protocol: string | undefined;
  cipher: string | undefined;
  output: string;
}

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox?.stop());

const hosts = ['authorize', 'token', 'api'] as const;
type Host = (typeof hosts)[number];

async function shakeHands(host: Host, ...options: string[]): Promise<Handshake> {
  const [tpp] = sandbox.description.tpps;
  const files = tpp ? ['-cert', resolve(tpp.transport_cert_file), '-key', resolve(tpp.transport_key_file)] : [];
  const output = await run([
    's_client',
    '-connect',
    `127.0.0.1:${sandbox.ports[host]}`,
    '-servername',
    'localhost',
    ...(host === 'authorize' ? [] : files),
    ...options,
  ]);
  const [, protocol, cipher] = /^New, (\S+), Cipher is (\S+)/m.exec(output) ?? [];
  const isDone =
    protocol !== undefined && protocol !== '(NONE)' && !/alert (?:handshake failure|protocol version)/.test(output);
  return { isDone, protocol, cipher, output };
}

function run(parameters: string[]): Promise<string> {
  return new Promise((answered, reject) => {
    const child = spawn('openssl', parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => answered(output));
  });
}

const permitted = ['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES128-GCM-SHA256'];

const describeTlsOf = (host: Host): void =>
  describe(`TLS of the ${host} host (section 5)`, () => {
    it.each([
      ['1.0', '-tls1'],
      ['1.1', '-tls1_1'],
    ])('TLS %s is refused with an alert', async (_version, option) => {
      const { isDone, output } = await shakeHands(host, option, '-cipher', 'ALL:@SECLEVEL=0');
      expect(isDone).toBe(false);
      expect(output).toMatch(/alert protocol version|alert number 70/);
    });

    it('TLS 1.3 is offered, and preferred when both are (5)', async () => {
      expect(await shakeHands(host, '-tls1_3')).toMatchObject({ isDone: true, protocol: 'TLSv1.3' });
      expect(await shakeHands(host)).toMatchObject({ isDone: true, protocol: 'TLSv1.3' });
    });

    it.each(permitted)('TLS 1.2 with %s is accepted', async (cipher) => {
      expect(await shakeHands(host, '-tls1_2', '-cipher', cipher)).toMatchObject({ isDone: true, cipher });
    });

    it('TLS 1.2 with any other suite is refused with handshake_failure', async () => {
      const { isDone, output } = await shakeHands(
        host,
        '-tls1_2',
        '-cipher',
        `ALL:!${permitted.join(':!')}:@SECLEVEL=0`,
      );
      expect(isDone).toBe(false);
      expect(output).toMatch(/alert handshake failure|alert number 40/);
    });

    it('TLS 1.2 with each suite that servers commonly leave on is refused', async () => {
      const suites = (await run(['ciphers', '-tls1_2', '-s', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0'])).trim().split(':');
      const others = suites.filter((suite) => /CHACHA|CBC|SHA$|DHE-RSA|CCM/.test(suite) && !permitted.includes(suite));
      expect(others.length).toBeGreaterThan(20);
      const outcomes = [];
      for (const suite of others)
        outcomes.push([suite, (await shakeHands(host, '-tls1_2', '-cipher', `${suite}:@SECLEVEL=0`)).isDone]);
      expect(outcomes.filter(([, isDone]) => isDone)).toEqual([]);
    });

    it('the certificate has an RSA key, with which the two suites work', async () => {
      const { output } = await shakeHands(host, '-tls1_2');
      expect(output).toMatch(/Server public key is 2048 bit|a:PKEY: rsaEncryption, 2048/);
      expect(output).not.toContain('id-ecPublicKey');
    });
  });

if (spawnSync('openssl', ['version']).status === 0) {
  for (const host of hosts) describeTlsOf(host);
} else {
  process.stderr.write('The TLS probes are skipped: the openssl command is not installed.\n');
}

describe('sessions of one host on another (CVE-2025-23419)', () => {
  it('a session that began on the open port opens nothing on the mutual one', async () => {
    const tickets: Buffer[] = [];
    await once(sandbox.ports.authorize, undefined, (ticket) => tickets.push(ticket));
    for (const ticket of [undefined, ...tickets]) {
      const { statusLine } = await once(sandbox.ports.token, ticket);
      expect(statusLine).not.toMatch(/ 200 /);
    }
  });
});

describe('a handshake on a connection that has had one (RFC 9325 s3.5)', () => {
  it.each(hosts)('is refused by the %s host: who one is cannot change, and costs one handshake', async (host) => {
    const [tpp] = sandbox.description.tpps;
    const socket = connect({
      port: sandbox.ports[host],
      host: '127.0.0.1',
      servername: 'localhost',
      ca: sandbox.ca,
      maxVersion: 'TLSv1.2',
      ...(tpp && {
        cert: readFileSync(resolve(tpp.transport_cert_file)),
        key: readFileSync(resolve(tpp.transport_key_file)),
      }),
    });
    const error = await new Promise<Error | null>((resolved) => {
      socket.on('error', resolved);
      socket.once('secureConnect', () => socket.renegotiate({}, resolved));
    });
    socket.destroy();
    expect(error).toMatchObject({ code: expect.stringMatching(/NO_RENEGOTIATION/) });
  });
});

/** One request without a client certificate, perhaps with a session to resume. */
function once(
  port: number,
  session: Buffer | undefined,
  onSession: (ticket: Buffer) => void = () => undefined,
): Promise<{ statusLine: string }> {
  return new Promise((done) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      ca: sandbox.ca,
      ...(session && { session }),
    });
    let text = '';
    const finish = (): void => done({ statusLine: text.split('\r\n')[0] ?? '' });
    socket.on('session', onSession);
    socket.on('secureConnect', () =>
      socket.write('POST /oauth2/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    );
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', finish);
    socket.on('close', finish);
  });
}
