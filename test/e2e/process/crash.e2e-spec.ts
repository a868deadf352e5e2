import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  approve,
  confirm,
  signIn,
  CustomerBrowser,
  HttpsClient,
  register,
  requestToken,
} from '../../support/apps/tpp.js';
import { aConsentRequest, aPaymentRequest, anInitiation } from '../../support/a-consent-request.js';
import type { ApiVersion, TestPaymentFile } from '../../support/a-payment-file.js';
import { aTppIdentity, fetchBankKeys, TestTpp } from '../../support/a-tpp.js';
import { expectEventually, until } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { anInitiation as aSingleInitiation, aRisk } from '../domestic-payments/domestic-world.js';
import { SandboxProcess } from '../../support/sandbox-process.js';

const payments = 150;
const versions: readonly ApiVersion[] = ['3.1', '4.0'];

/** What a TPP sends for a file and where, in its version, and what it reads in the end. */
function aFile(tpp: TestTpp) {
  const file = tpp.file({ payments });
  return {
    consents: '/file-payment-consents',
    payments: '/file-payments',
    paymentId: 'FilePaymentId',
    consentRequest: aConsentRequest({ file }),
    file: file as TestPaymentFile | undefined,
    paymentRequest: (consentId: string) => aPaymentRequest(consentId, anInitiation(file)),
    expected: `${payments} payments`,
    end: 'InitiationCompleted',
    list: { path: '/report-file', member: 'DomesticPayments', count: payments },
  };
}

/** Likewise for a single payment. */
function aSinglePayment({ version }: TestTpp): ReturnType<typeof aFile> {
  const request = (Data: object): string =>
    JSON.stringify({ Data: { ...Data, Initiation: aSingleInitiation(version) }, Risk: aRisk });
  return {
    consents: '/domestic-payment-consents',
    payments: '/domestic-payments',
    paymentId: 'DomesticPaymentId',
    consentRequest: request({}),
    file: undefined,
    paymentRequest: (ConsentId) => request({ ConsentId }),
    expected: '£10.50',
    end: 'AcceptedCreditSettlementCompleted',
    list: { path: '/payment-details', member: 'PaymentStatus', count: 1 },
  };
}

const namesIn40: Readonly<Record<string, string>> = {
  AwaitingAuthorisation: 'AWAU',
  Authorised: 'AUTH',
  Consumed: 'COND',
  InitiationCompleted: 'INCO',
  AcceptedCreditSettlementCompleted: 'ACCC',
};

/** @returns a state in the words of a version */
const nameOf = (version: ApiVersion, state: string): string => (version === '3.1' ? state : (namesIn40[state] ?? ''));

function dataOf(response: { json: () => Record<string, unknown> }): Record<string, unknown> {
  return response.json()['Data'] as Record<string, unknown>;
}

describe('the service killed after every answer of a journey of each kind in each version', () => {
  let sandbox: SandboxProcess;

  beforeAll(async () => {
    sandbox = await SandboxProcess.create();
  });

  afterAll(async () => {
    await sandbox?.remove();
  });

  it('prints the address of the portal first, and last that it is ready', () => {
    const lines = sandbox.output.trimEnd().split('\n');
    expect(lines[0]).toMatch(new RegExp(`^portal +${sandbox.description.portal.url} +start here`));
    expect(lines).toContain('CA certificate: ca/certificate.pem, log: ./service.log');
    expect(lines.at(-1)).toMatch(/^ready in \d+\.\d s$/);
  });

  it('keeps all failed authentications but those of its last second', async () => {
    const identity = await aTppIdentity(sandbox);
    const authorization = `Basic ${Buffer.from(`${randomUUID()}:secret`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const request = { url: sandbox.description.token_endpoint, agent: identity.agent, method: 'POST', headers };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => httpsRequest({ ...request, body: 'grant_type=client_credentials' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(401));
    // Longer than the second that may be lost, for a busy machine.
    await sleep(3_000);
    await sandbox.kill();
    identity.client.close();
    identity.agent.destroy();
    await sandbox.start();
    const [found] = await sandbox.query<{ failures: number }>(
      'open_banking',
      `SELECT coalesce(sum((details ->> 'count')::int), 0)::int AS failures FROM audit_events
        WHERE action = 'client.authentication-failed'`,
    );
    expect(found?.failures).toBe(20);
  });

  it('starts its PostgreSQL again if that alone is killed', async () => {
    const sql = String.raw`SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int AS pid`;
    const findPostmaster = async (): Promise<number | undefined> => {
      const [found] = await sandbox.query<{ pid: number }>('open_banking', sql).catch(() => []);
      return found?.pid;
    };
    const killed = await findPostmaster();
    process.kill(killed ?? Number.NaN, 'SIGKILL');
    await until(async () => ![killed, undefined].includes(await findPostmaster()));
    const address = `http://127.0.0.1:${sandbox.ports.admin}/health/ready`;
    await expectEventually(async () => (await fetch(address)).status, 200);
  });

  it('loses nothing it has acknowledged, and makes each payment once', async () => {
    const identity = await aTppIdentity(sandbox);
    /** Killed with SIGKILL, right after the answer has arrived. */
    const crash = async (): Promise<void> => {
      await sandbox.kill();
      identity.client.close();
      identity.agent.destroy();
      await sandbox.start();
    };
    const bankKeys = await fetchBankKeys(sandbox);
    const clientId = await register(identity);
    await crash();
    const oauth = { ...identity, clientId };
    const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
    const { access_token: accessToken } = await requestToken({ ...oauth, grant });
    await crash();
    const journeys = versions.flatMap((version) => {
      const tpp = new TestTpp({ sandbox, ...oauth, accessToken, bankKeys, version });
      const is = (state: string) => nameOf(version, state);
      return [aFile(tpp), aSinglePayment(tpp)].map((kind) => {
        return { tpp, client: new HttpsClient({ ca: sandbox.ca }), is, ...kind };
      });
    });
    const all = (status: number): number[] => journeys.map(() => status);
    /** Killed with SIGKILL, right after the answers have arrived. */
    const inEach = async <Result>(step: (journey: (typeof journeys)[number], at: number) => Promise<Result>) => {
      const results = await Promise.all(journeys.map(step));
      for (const { client } of journeys) client.close();
      await crash();
      return results;
    };

    const key = { headers: { 'x-idempotency-key': randomUUID() } };
    const stage = ({ tpp, consents, consentRequest }: (typeof journeys)[number]) =>
      tpp.post(consents, consentRequest, key);
    const created = await inEach(stage);
    expect(created.map(({ status }) => status)).toEqual(all(201));
    // A client that never saw the answer repeats the request.
    const again = await Promise.all(journeys.map(stage));
    expect(again.map(({ status, json }) => ({ status, body: json() }))).toEqual(
      created.map(({ json }) => ({ status: 201, body: json() })),
    );
    const consentIds = created.map((answer) => String(dataOf(answer)['ConsentId']));
    const idOf = (at: number): string => consentIds[at] ?? '';
    const expectConsents = async (state: string): Promise<void> => {
      const answers = await Promise.all(journeys.map(({ tpp, consents }, at) => tpp.get(`${consents}/${idOf(at)}`)));
      expect(answers.map((answer) => dataOf(answer)['Status'])).toEqual(journeys.map(({ is }) => is(state)));
    };

    // A single payment has come with its consent.
    const uploaded = await inEach(({ tpp, file, consents }, at) =>
      file === undefined ? tpp.get(`${consents}/${idOf(at)}`) : tpp.upload(idOf(at), file),
    );
    expect(uploaded.map(({ status }) => status)).toEqual(all(200));
    await expectConsents('AwaitingAuthorisation');

    const [customer] = sandbox.description.customers;
    if (!customer) throw new Error('The sandbox has no customer.');
    const opened = await inEach(async ({ tpp, client }, at) => {
      const request = await tpp.createAuthorizationRequest(idOf(at));
      const browser = new CustomerBrowser(client, request.redirectUri);
      await browser.open(request.url);
      return { request, browser };
    });
    const withBrowser = <Result>(step: (browser: CustomerBrowser, expected: string) => Promise<Result>) =>
      inEach(({ expected }, at) => step((opened[at] as (typeof opened)[number]).browser, expected));
    await withBrowser((browser) => signIn(browser, customer));
    const accountName = customer.accounts[0]?.name ?? '';
    await withBrowser((browser, expected) => approve(browser, { accountName, expected: [expected] }));
    const locations = await withBrowser((browser) => confirm(browser, customer));
    await expectConsents('Authorised');
    const psuTokens = await inEach(({ tpp }, at) => {
      const { request } = opened[at] as (typeof opened)[number];
      return tpp.exchangeCode({ consentId: idOf(at), initiation: {}, location: locations[at] ?? '', request });
    });

    const payKey = { headers: { 'x-idempotency-key': randomUUID() } };
    const pay = ({ tpp, ...kind }: (typeof journeys)[number], at: number) =>
      tpp.post(kind.payments, kind.paymentRequest(idOf(at)), {
        ...payKey,
        ...(psuTokens[at] !== undefined && { accessToken: psuTokens[at] }),
      });
    const paid = await inEach(pay);
    expect(paid.map(({ status }) => status)).toEqual(all(201));
    const paidIds = (answers: typeof paid) =>
      answers.map((answer, at) => dataOf(answer)[journeys[at]?.paymentId ?? ''] as string);
    const ids = paidIds(paid);
    const paidAgain = await inEach(pay);
    expect(paidAgain.map(({ status }) => status)).toEqual(all(201));
    expect(paidIds(paidAgain)).toEqual(ids);
    // Most likely in the middle of processing.
    await sleep(100);
    await crash();

    const read = async (journey: (typeof journeys)[number], at: number, rest = ''): Promise<Record<string, unknown>> =>
      dataOf(await journey.tpp.get(`${journey.payments}/${ids[at]}${rest}`));
    for (const [at, journey] of journeys.entries()) {
      const state = async (): Promise<string> => String((await read(journey, at))['Status']);
      await expectEventually(state, journey.is(journey.end));
    }
    await crash();
    for (const [at, journey] of journeys.entries()) {
      const { path, member, count } = journey.list;
      const list = (await read(journey, at, path))[member] as { Status: string }[];
      const settled = journey.is('AcceptedCreditSettlementCompleted');
      expect(list.map(({ Status }) => Status)).toEqual(Array(count).fill(settled));
    }
    await expectConsents('Consumed');

    // What the bank has booked: every payment once, and the sum of all from the account.
    const booked = await sandbox.query(
      'sandbox_bank',
      'SELECT count(*)::int AS count, sum(pence)::int AS sum FROM payments',
    );
    const made = (payments + 1) * versions.length;
    expect(booked).toEqual([{ count: made, sum: made * 1_050 }]);
    const [account] = await sandbox.query<{ balance: string }>(
      'sandbox_bank',
      "SELECT (balance_pence - reserved_pence)::text AS balance FROM accounts WHERE identification = '20000112345678'",
    );
    expect(account?.balance).toBe(String(100_000_000_00 - made * 1_050));
    identity.client.close();
    identity.agent.destroy();
  });
});
