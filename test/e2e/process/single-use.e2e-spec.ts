import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectOAuthError } from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { SandboxProcess } from '../../support/sandbox-process.js';
import { registerFapiClient, type FapiClient } from '../../support/a-client.js';
import { decideInPages } from '../../support/page-browser.js';

let sandbox: SandboxProcess;
let client: FapiClient;
beforeAll(async () => {
  sandbox = await SandboxProcess.create({ REFRESH_TOKEN_ROTATION: 'always' });
  const [tpp] = sandbox.description.tpps;
  if (tpp === undefined) throw new Error('The sandbox has a TPP.');
  const metadata = { grant_types: ['authorization_code', 'client_credentials', 'refresh_token'] };
  client = await registerFapiClient(sandbox, tpp, { method: 'private_key_jwt', metadata });
});
afterAll(async () => {
  client?.close();
  await sandbox?.remove();
});

const grant = { grant_type: 'client_credentials', scope: 'accounts' };

async function aCode(): Promise<string> {
  const url = client.authorizationUrl(client.requestObject({ scope: 'openid accounts' }));
  return (await decideInPages(sandbox, url, 'approve')).fragment.get('code') ?? '';
}

const refresh = (token: unknown): Promise<TestResponse> =>
  client.token({ grant_type: 'refresh_token', refresh_token: token });

async function isGood(token: unknown): Promise<boolean> {
  const url = client.provider.token_endpoint.replace(/token$/, 'userinfo');
  const headers = { authorization: `Bearer ${String(token)}` };
  return (await httpsRequest({ url, headers, agent: client.agent })).status === 200;
}

async function killAndStart(): Promise<void> {
  await sandbox.kill();
  client.agent.destroy();
  await sandbox.start();
}

/** A database that is slow after a crash may make a client repeat a request, but no request fails. */
function isFailure({ status, headers }: TestResponse): boolean {
  return status >= 500 && !(status === 503 && headers['retry-after'] !== undefined);
}

describe('single-use values after kill -9', () => {
  it('assertion, code and refresh token that were used stay used (CVE-2020-15222, CVE-2026-9802)', async () => {
    const form = client.assertion();
    expect((await client.token(grant, { authentication: { form } })).status).toBe(200);
    const code = await aCode();
    const first = (await client.token(client.exchange(code))).json();
    const second = (await refresh(first['refresh_token'])).json();
    await killAndStart();
    expectOAuthError(await client.token(grant, { authentication: { form } }), 401, 'invalid_client');
    expect(await isGood(second['access_token'])).toBe(true);
    // The second use of the old one ends the grant, although another process had seen the first.
    expectOAuthError(await refresh(first['refresh_token']), 400, 'invalid_grant');
    expectOAuthError(await refresh(second['refresh_token']), 400, 'invalid_grant');
    for (const { access_token: token } of [first, second]) expect(await isGood(token)).toBe(false);
    expectOAuthError(await client.token(client.exchange(code)), 400, 'invalid_grant');
  });

  it('of 100 uses of one code, one jti and one refresh token during a crash, at most one succeeds', async () => {
    const [code, other] = [await aCode(), await aCode()];
    const { refresh_token: token } = (await client.token(client.exchange(other))).json();
    const form = client.assertion();
    const uses = {
      code: () => client.token(client.exchange(code)),
      jti: () => client.token(grant, { authentication: { form } }),
      refresh: () => refresh(token),
    };
    const attempts = (): Promise<PromiseSettledResult<TestResponse>[]>[] =>
      Object.values(uses).map((use) => Promise.allSettled(Array.from({ length: 100 }, use)));
    const before = attempts();
    await new Promise((resolve) => setTimeout(resolve, 60));
    await killAndStart();
    const settled = [await Promise.all(before), await Promise.all(attempts())];
    for (const [index, name] of Object.keys(uses).entries()) {
      const all = settled.flatMap((round) => round[index] ?? []);
      const won = all.filter((each) => each.status === 'fulfilled' && each.value.status === 200);
      expect({ name, hasOneAtMost: won.length <= 1 }).toEqual({ name, hasOneAtMost: true });
      const failed = all.filter((each) => each.status === 'fulfilled' && isFailure(each.value));
      expect({ name, failed: failed.length }).toEqual({ name, failed: 0 });
    }
  });
});
