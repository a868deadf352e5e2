import { once } from 'node:events';
import type { Agent } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectBodiless } from '../../support/expectations.js';
import { aTppIdentity } from '../../support/a-tpp.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const pisp = '/open-banking/v3.1/pisp';
const register = '/open-banking/v3.2/register';
const file = `${pisp}/file-payment-consents/01932b5e-0000-7000-8000-000000000001/file`;

let sandbox: TestSandbox;
let knownAgent: Agent;
let certificates: { ca: string; cert: string; key: string };

beforeAll(async () => {
  sandbox = await startTestSandbox({ only: ['api'] });
  const { agent, credentials } = await aTppIdentity(sandbox);
  certificates = { ca: sandbox.ca, cert: credentials.transportCertificate, key: credentials.transportKey };
  knownAgent = agent;
});

afterAll(async () => {
  knownAgent?.destroy();
  await sandbox?.stop();
});

/** Announces a body of 1 MB and never sends it: whoever waits for it answers nothing. */
const announce = (method: string, path: string): Promise<TestResponse> =>
  httpsRequest({
    url: `${sandbox.description.base_url}${path}`,
    method,
    // The connection is of no more use: what came next on it would be the body.
    headers: { 'content-type': 'application/json', 'content-length': '1000000', connection: 'close' },
    agent: sandbox.agent,
  });

const post = (path: string, length: number, agent = knownAgent): Promise<TestResponse> =>
  httpsRequest({
    url: `${sandbox.description.base_url}${path}`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.alloc(length, ' '),
    agent,
  });

describe('a caller without a client certificate', () => {
  it.each([
    ['POST', file],
    ['POST', `${pisp}/file-payments`],
    ['POST', register],
    ['PUT', `${register}/some-client`],
  ])('is refused with 401 before the body is read (%s %s)', async (method, path) => {
    const answer = await announce(method, path);
    expectBodiless(answer, 401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="open-banking"');
  });

  it('hears first of paths and methods that do not exist, and nothing of their bodies is read either', async () => {
    expectBodiless(await announce('POST', '/nowhere'), 404);
    expectBodiless(await announce('POST', `${pisp}/nowhere`), 404);
    const notAllowed = await announce('PUT', file);
    expectBodiless(notAllowed, 405);
    expect(notAllowed.headers['allow']).toBe('GET, HEAD, POST');
  });

  it('is told so whatever the length of the body', async () => {
    expectBodiless(await post(file, 3_000_000, sandbox.agent), 401);
  });
});

describe('the longest body that is read', () => {
  it.each([
    ['64 KiB for a registration', register, 65_536, 415],
    ['256 KiB for a consent', `${pisp}/file-payment-consents`, 262_144, 401],
    ['700 kB for a file', file, 700_000, 401],
  ])('is %s; beyond it the format is wrong', async (_title, path, longest, status) => {
    expect((await post(path, longest)).status).toBe(status);
    const refused = await post(path, longest + 1);
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({ Errors: [{ ErrorCode: 'UK.OBIE.Resource.InvalidFormat' }] });
  });
});

/** A connection of a known TPP on which the head of an upload has been sent. */
async function startUpload(framing: string): Promise<TLSSocket> {
  const port = sandbox.ports.api;
  const socket = connect({ port, host: 'localhost', servername: 'localhost', ...certificates });
  await once(socket, 'secureConnect');
  socket.write(`POST ${file} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`);
  return socket;
}

describe('a body beyond the limit', () => {
  it('is refused by its Content-Length before any of it is there', async () => {
    const socket = await startUpload('Content-Length: 700001');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.toString()).toMatch(/\r\nconnection: close\r\n/i);
    socket.destroy();
  });

  const bytes = Buffer.alloc(2_000_000, ' ');
  const chunk = Buffer.concat([
    Buffer.from(`${(65_536).toString(16)}\r\n`),
    Buffer.alloc(65_536, ' '),
    Buffer.from('\r\n'),
  ]);
  it.each([
    ['of a stated length', `Content-Length: ${bytes.length}`, bytes],
    [
      'in chunks',
      'Transfer-Encoding: chunked',
      Buffer.concat([...Array<Buffer>(31).fill(chunk), Buffer.from('0\r\n\r\n')]),
    ],
  ])('%s is answered even if the client sends everything before it reads', async (_how, framing, body) => {
    const socket = await startUpload(framing);
    const send = (bytes: Buffer): Promise<void> =>
      new Promise((sent, failed) => socket.write(bytes, (error) => (error ? failed(error) : sent())));
    // The answer is out long before the end of it. Few pieces: it is waited for two seconds.
    const piece = 700_000;
    for (let at = 0; at < body.length; at += piece) {
      await send(body.subarray(at, at + piece));
      await setTimeout(20);
    }
    const chunks: Buffer[] = [];
    socket.on('data', (byte: Buffer) => chunks.push(byte));
    await once(socket, 'close');
    const answer = Buffer.concat(chunks).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('UK.OBIE.Resource.InvalidFormat');
  });

  it('is not read forever: the rest of an endless one is discarded, and the connection closes', async () => {
    const socket = await startUpload('Transfer-Encoding: chunked');
    socket.on('error', () => {}).resume();
    let sent = 0;
    while (!socket.destroyed) {
      await new Promise((taken) => socket.write(chunk, taken));
      sent += chunk.length;
    }
    // The limit, what is discarded, and what fits between the two programs.
    expect(sent).toBeLessThan(30_000_000);
  });
});
