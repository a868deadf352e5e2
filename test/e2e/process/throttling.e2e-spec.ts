import { readFile } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthorizeApp } from '../../../apps/authorize/src/create-authorize-app.js';
import { createTokenApp } from '../../../apps/token/src/create-token-app.js';
import { expectBodiless } from '../../support/expectations.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const limit = 5;

let sandbox: TestSandbox;
let tppAgent: Agent;

beforeAll(async () => {
  const environment = { RATE_LIMIT_PER_CLIENT: String(limit), RATE_LIMIT_WINDOW_SECONDS: '60' };
  sandbox = await startTestSandbox({ environment, apps: { authorize: createAuthorizeApp, token: createTokenApp } });
  const [tpp] = sandbox.description.tpps;
  const certificate = await readFile(resolve(tpp?.transport_cert_file ?? ''), 'utf8');
  const privateKey = await readFile(resolve(tpp?.transport_key_file ?? ''), 'utf8');
  tppAgent = httpsAgent({ ca: sandbox.ca, certificate, privateKey });
}, 120_000);

afterAll(async () => {
  tppAgent?.destroy();
  await sandbox?.stop();
}, 60_000);

/** Posts a form until one answer more than the limit allows is there. */
async function postBeyondLimit(url: string, body: string, agent: Agent): Promise<TestResponse[]> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answers: TestResponse[] = [];
  for (let count = 0; count <= limit; count += 1) {
    answers.push(await httpsRequest({ url, method: 'POST', headers, body, agent }));
  }
  return answers;
}

describe('requests beyond fair usage', () => {
  it('are answered by the token endpoint with 429, the seconds to wait and no body', async () => {
    const answers = await postBeyondLimit(sandbox.description.token_endpoint, 'grant_type=nonsense', tppAgent);
    expect(answers.slice(0, limit).map(({ status }) => status)).not.toContain(429);
    const excess = answers[limit];
    if (excess === undefined) throw new Error('The last answer is missing.');
    expectBodiless(excess, 429);
    expect(excess.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });

  it('guess no passwords: the sign-in of approvers answers with a page of status 429 and the seconds to wait', async () => {
    const url = `${new URL(sandbox.description.authorization_endpoint).origin}/approvals/sign-in`;
    const answers = await postBeyondLimit(url, 'username=alice&password=guess', sandbox.agent);
    expect(answers.slice(0, limit).map(({ status }) => status)).not.toContain(429);
    expect(answers[limit]?.status).toBe(429);
    expect(answers[limit]?.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answers[limit]?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(answers[limit]?.text).toContain('Too many requests');
  });
});
