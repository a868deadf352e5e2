import type { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectBodiless, until } from '../../support/expectations.js';
import { PageBrowser, type AuthorizationOutcome } from '../../support/page-browser.js';
import { aTppIdentity } from '../../support/a-tpp.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const limit = 10;
const signInLimit = 3;

let sandbox: TestSandbox;
let tppAgent: Agent;

beforeAll(async () => {
  const environment = {
    RATE_LIMIT_PER_CLIENT: String(limit),
    // Callers without a certificate are counted where addresses are.
    RATE_LIMIT_PER_ADDRESS: '10000',
    RATE_LIMIT_WINDOW_SECONDS: '60',
    SIGN_INS_PER_ADDRESS: String(signInLimit),
  };
  sandbox = await startTestSandbox({ environment, only: ['authorize', 'token'] });
  tppAgent = (await aTppIdentity(sandbox)).agent;
});

afterAll(async () => {
  tppAgent?.destroy();
  await sandbox?.stop();
});

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

  it('guess no passwords and lock no customers: the forms of both sign-ins share a tighter limit of their own', async () => {
    const { origin } = new URL(sandbox.description.authorization_endpoint);
    const statuses: number[] = [];
    let refused: TestResponse | undefined;
    for (const path of ['/sign-in', '/challenge', '/approvals/sign-in', '/approvals/challenge']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await httpsRequest({
        url: `${origin}${path}`,
        method: 'POST',
        headers,
        body: 'a=b',
        agent: sandbox.agent,
      });
      statuses.push(answer.status);
      if (answer.status === 429) refused = answer;
    }
    expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true]);
    expect(refused?.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(refused?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(refused?.text).toContain('Too many');
    // Pages are not attempts.
    const pages: number[] = [];
    for (let count = 0; count < limit; count += 1) {
      pages.push((await httpsRequest({ url: `${origin}/approvals`, agent: sandbox.agent })).status);
    }
    // The general limit has counted the forms too.
    expect(pages).toEqual([...Array.from({ length: limit - 4 }, () => 200), ...Array.from({ length: 4 }, () => 429)]);
  });
});

describe('guesses of passwords that come from everywhere', () => {
  let guessed: TestSandbox;

  beforeAll(async () => {
    const environment = { SIGN_INS_PER_USER_NAME: '3', SIGN_INS_PER_SESSION: '5', SIGN_INS_PER_MINUTE: '30' };
    guessed = await startTestSandbox({ environment, only: ['authorize'] });
  });

  afterAll(() => guessed?.stop());

  /** Sends a password as a browser does that has never been here. */
  async function guess(username: string, held?: PageBrowser): Promise<AuthorizationOutcome> {
    const browser = held ?? new PageBrowser(guessed);
    const page = await browser.get(`${new URL(guessed.description.authorization_endpoint).origin}/approvals`);
    return browser.submit(page, '/approvals/sign-in', { username, password: 'Summer2026!' });
  }

  /** Which limits the audit trail has seen; it names no user name. */
  async function limitsReached(): Promise<string[]> {
    const { rows } = await guessed.database.query<{ details: { reason: string } }>(
      "SELECT details FROM audit_events WHERE action = 'sign-in.limit-reached'",
    );
    expect(JSON.stringify(rows)).not.toMatch(/nobody|one-|all-/i);
    return [...new Set(rows.map(({ details }) => details.reason))].sort();
  }

  it('are stopped for one user name, however it is written; for one browser; and for all together', async () => {
    // What no page of ours has made is not counted: a stranger must not shut everybody out.
    const origin = new URL(guessed.description.authorization_endpoint).origin;
    for (let count = 0; count < 40; count += 1) {
      const forged = { url: `${origin}/approvals/sign-in`, agent: guessed.agent, method: 'POST' as const };
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await httpsRequest({ ...forged, headers, body: 'username=nobody&password=x' })).status).toBe(403);
    }
    // Signed in before the guesses begin.
    const customer = new PageBrowser(guessed);
    let page = await customer.get(`${origin}/approvals`);
    page = await customer.submit(page, '/approvals/sign-in', { username: 'carol', password: 'carol-password' });
    const statuses: number[] = [];
    for (const name of ['nobody', 'NOBODY', ' nobody', 'nobody', 'Nobody']) statuses.push((await guess(name)).status);
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
    const browser = new PageBrowser(guessed);
    const ofOneBrowser: number[] = [];
    for (let count = 0; count < 7; count += 1) ofOneBrowser.push((await guess(`one-${count}`, browser)).status);
    expect(ofOneBrowser).toEqual([400, 400, 400, 400, 400, 429, 429]);
    const ofAll: number[] = [];
    for (let count = 0; count < 20; count += 1) ofAll.push((await guess(`all-${count}`)).status);
    expect(ofAll).toEqual([...Array.from({ length: 17 }, () => 400), 429, 429, 429]);
    page = await customer.submit(page, '/approvals/second-factor', { one_time_code: '333333' });
    expect(page.html).toContain('id="sign-out"');
    await until(async () => (await limitsReached()).length === 3);
    expect(await limitsReached()).toEqual(['OverAll', 'Session', 'UserName']);
  });
});
