import { readFile } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiApp } from '../../../apps/api/src/create-api-app.js';
import { expectBodiless } from '../../support/expectations.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const pisp = '/open-banking/v3.1/pisp';
const register = '/open-banking/v3.2/register';
const file = `${pisp}/file-payment-consents/01932b5e-0000-7000-8000-000000000001/file`;

let sandbox: TestSandbox;
let knownAgent: Agent;

beforeAll(async () => {
  sandbox = await startTestSandbox({ apps: { api: createApiApp } });
  const [tpp] = sandbox.description.tpps;
  knownAgent = httpsAgent({
    ca: sandbox.ca,
    certificate: await readFile(resolve(tpp?.transport_cert_file ?? ''), 'utf8'),
    privateKey: await readFile(resolve(tpp?.transport_key_file ?? ''), 'utf8'),
  });
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
    expect(answer.headers['www-authenticate']).toBe('Bearer');
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
    ['2 MiB for a file', file, 2_097_152, 401],
  ])('is %s; beyond it the format is wrong', async (_title, path, longest, status) => {
    expect((await post(path, longest)).status).toBe(status);
    const refused = await post(path, longest + 1);
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({ Errors: [{ ErrorCode: 'UK.OBIE.Resource.InvalidFormat' }] });
  });
});
