import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { parseAmount } from '#libs/obie-rules';
import { createInstructionList, writeInstructionList } from '#libs/payment-order';
import {
  type BankAddress,
  BankApi,
  formatJunit,
  formatText,
  isGood,
  runCheck,
  steps,
  type StepResult,
} from '../support/apps/bank-check.js';
import { ensureBankSchema, createBankServer } from '../support/apps/bank.js';
import { aCertificate } from '../support/certificates.js';
import { until } from '../support/expectations.js';
import { freePort } from '../support/free-port.js';
import { openTestPool } from '../support/open-test-pool.js';
import { emptyDatabase, type RunDatabase } from '../support/run-database.js';

const example = await readFile(new URL('../../docs/examples/bank/bank.mjs', import.meta.url), 'utf8');
const alice = { username: 'alice', password: 'alice-password', oneTimeCode: '111111', payee: '20000155779911' };
const ada = { username: 'ada', password: 'ada-password', oneTimeCode: '123456', payee: '20000155779911' };
const children: ChildProcess[] = [];
let runDatabase: RunDatabase;
let pool: Pool;
let folder: string;
let identity: Omit<BankAddress, 'url'>;
let server: Awaited<ReturnType<typeof aCertificate>>;

beforeAll(async () => {
  runDatabase = await emptyDatabase();
  pool = openTestPool({ connectionString: runDatabase.url, max: 4 });
  await ensureBankSchema(pool);
  folder = await mkdtemp(join(tmpdir(), 'bank-check-'));
  const authority = await aCertificate({ profile: 'authority', name: 'authority' });
  server = await aCertificate({ profile: 'server', name: 'localhost', issuer: authority });
  const client = await aCertificate({ profile: 'bank-client', name: 'service' });
  const { certificate, privateKeyPem: key } = client;
  identity = { ca: authority.certificate, certificate, key, timeoutMilliseconds: 5_000 };
  await writeFile(join(folder, 'server.pem'), server.certificate);
  await writeFile(join(folder, 'server.key'), server.privateKeyPem);
  await writeFile(join(folder, 'client.pem'), certificate);
});

afterAll(async () => {
  for (const child of children) child.kill();
  await pool?.end();
  await runDatabase?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The sandbox's bank, whose answers to some operations are changed. */
async function checkSandboxBank(
  ...changes: { method: string; route: string; status?: number; body?: object }[]
): Promise<readonly StepResult[]> {
  const credential = { ...server, certificateFile: '', privateKeyFile: '' };
  const log = pino({ level: 'silent' });
  const bank = createBankServer({ pool, credential, clientCertificate: identity.certificate, log });
  bank.addHook('preHandler', async ({ method, routeOptions }, reply) => {
    const change = changes.find((each) => each.method === method && each.route === routeOptions.url);
    if (change === undefined) return;
    await reply.code(change.status ?? 200).send(change.body);
  });
  await bank.listen({ port: 0, host: '127.0.0.1' });
  const url = `https://localhost:${(bank.server.address() as AddressInfo).port}`;
  try {
    return await runCheck({ address: { ...identity, url }, customer: alice, isMinimum: false });
  } finally {
    await bank.close();
  }
}

/** The bank of the documentation, as changed. */
async function checkExample(from = '', to = '', timeoutMilliseconds = 5_000): Promise<readonly StepResult[]> {
  expect(example).toContain(from);
  const file = join(folder, `bank-${children.length}.mjs`);
  await writeFile(file, example.replace(from, to));
  const port = await freePort();
  const child = spawn(process.execPath, [file], {
    env: {
      BANK_PORT: String(port),
      BANK_CERTIFICATE: join(folder, 'server.pem'),
      BANK_PRIVATE_KEY: join(folder, 'server.key'),
      SERVICE_CA: join(folder, 'client.pem'),
    },
    stdio: 'inherit',
  });
  children.push(child);
  await until(() => canConnect(port));
  const address = { ...identity, url: `https://localhost:${port}`, timeoutMilliseconds };
  const results = await runCheck({ address, customer: ada, isMinimum: true });
  child.kill();
  return results;
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.unref().once('connect', () => socket.end());
  });

const named = (results: readonly StepResult[]): string[] =>
  results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ operation, title, reason }) => `${operation}: ${title}: ${reason}`);

describe('obp bank check', () => {
  it('has a step for every operation, and passes the bank of the sandbox', async () => {
    const api = await BankApi.read();
    expect(new Set(steps.map(({ operation }) => operation))).toEqual(new Set(api.operations.keys()));
    const results = await checkSandboxBank();
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(results.every(({ exchanges }) => exchanges.length > 0)).toBe(true);
    expect(isGood(results)).toBe(true);
    expect(JSON.stringify(results)).not.toContain('alice-password');
  });

  it('finds each fault of a bank, and names it', async () => {
    const results = await checkSandboxBank(
      // A fence that lets older attempts pass, a book without the payments, an unknown state, text instead of true ...
      { method: 'POST', route: '/payment-batches/:filePaymentId/fence', status: 204 },
      {
        method: 'GET',
        route: '/payment-batches/:filePaymentId/payments',
        body: { decision: 'Accepted', payments: [] },
      },
      { method: 'GET', route: '/psus/:psuId/state', body: { state: 'active' } },
      { method: 'POST', route: '/funds-checks', body: { isAvailable: 'true' } },
      { method: 'POST', route: '/payee-name-checks', body: { results: [{ match: 'Match' }] } },
      { method: 'POST', route: '/known-payees', body: {} },
      { method: 'GET', route: '/psu-authentication/challenges/:challengeId', body: { status: 'Approved' } },
      { method: 'POST', route: '/psu-authentication/one-time-code', status: 423, body: { reason: 'Locked' } },
      { method: 'POST', route: '/approval-requests', status: 500, body: {} },
      { method: 'POST', route: '/decline-reports', status: 200, body: {} },
    );
    const found = [
      'findChallenge: tells that a challenge waits, and knows no other: status is "Approved", must be "Pending"',
      'findPaymentsOfFile: has each payment of the file once, and knows no other file: the book has 0 payments',
      'fenceBatch: shuts out older attempts: status 200, must be 409',
      'verifyOneTimeCode: refuses a wrong code and takes the right one: status 423, must be 401',
      'findPsuState: tells that the customer is active, and an unknown one closed: body/state must be equal to one of',
      'checkFunds: says yes to 0.01 and no to more than there can be: body/isAvailable must be boolean',
      'checkPayeeNames: has one result for each payee: 1 answers about 2 payees',
      "findKnownPayees: has one answer for each payee: body must have required property 'known'",
      'requestApprovals: notifies further approvers, or refuses for good where there is none: status 500',
      'reportDecline: takes the reason of a decline: status 200, must be 204',
    ];
    expect(named(results)).toEqual(found.map((each) => expect.stringContaining(each)));
  });

  it('lets a bank lack optional operations (404), and no others', async () => {
    const lacking = await checkSandboxBank({ method: 'GET', route: '/psus/:psuId/state', status: 404 });
    expect(lacking.filter(({ outcome }) => outcome !== 'passed')).toMatchObject([
      { operation: 'findPsuState', outcome: 'not offered', isOptional: true },
    ]);
    expect(isGood(lacking)).toBe(true);
    const poor = await checkSandboxBank({ method: 'POST', route: '/payment-batches', status: 404 });
    expect(isGood(poor)).toBe(false);
    expect(formatText(poor)).toMatch(
      /^not reached +handOverPayment: .*\n +needs the approved file of an earlier step$/m,
    );
    expect(formatText(poor)).toMatch(/^ +asked +POST \/payment-batches \{.*"total":"2\.00"/m);
    expect(formatJunit(poor)).toMatch(/<testcase classname="reserveBatch" [^>]+><failure message="status 404, must be/);
  });
});

describe('docs/how-to/connect-a-bank.md', () => {
  it('has the hash of its example of a list, which has the form of the service’s', async () => {
    const page = await readFile(new URL('../../docs/how-to/connect-a-bank.md', import.meta.url), 'utf8');
    const [, json = ''] = /```text\n(.*)\n```/.exec(page) ?? [];
    const payment = {
      instructionIdentification: 'I1',
      endToEndIdentification: 'E1',
      amount: parseAmount('12.50') ?? 0n,
      currency: 'GBP',
      creditorAccount: {
        SchemeName: 'UK.OBIE.SortCodeAccountNumber',
        Identification: '20000155779911',
        Name: 'Acme Ltd',
      },
      reference: 'INV-1',
    };
    const list = { payments: [payment], localInstrument: 'UK.OBIE.FPS', requestedDay: undefined } as const;
    const written = writeInstructionList(createInstructionList(list));
    expect(json).toBe(written.instructions);
    expect(page).toContain(`\`${written.approvalHash.toString('base64url')}\``);
  });
});

describe('docs/examples/bank', () => {
  it('passes obp bank check --minimum, and has at most 100 lines', async () => {
    expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
    const results = await checkExample();
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(new Set(results.map(({ operation }) => operation)).size).toBe(7);
  });

  it.each<[string, string, string, string]>([
    ['an older attempt counts', 'attempt < (attempts.get(filePaymentId) ?? 0)', 'false', 'refuses an older attempt'],
    ['a repeat is made again', 'book.get(key) ?? {', '{', 'takes a payment, and repeats the answer'],
    ['money goes twice', 'available -= total', 'available -= total * 2n', '400 pence are gone, must be 200'],
    [
      'a key stands for anything',
      "throw refusal(409, 'IdempotencyKeyReused')",
      'void 0',
      'with the same idempotency key',
    ],
    [
      'bindings are compared as text',
      'isDeepStrictEqual(challenge.binding, binding)',
      'JSON.stringify(challenge.binding) === JSON.stringify(binding)',
      'in another order',
    ],
    ['other values are taken', 'isDeepStrictEqual(challenge.binding, binding)', 'true', 'refuses another total'],
    [
      'other values leave the challenge open',
      'challenge.isOpen &&= isSame;',
      "if (!isSame) return refusal(409, 'OtherValues');",
      'and then the right values too',
    ],
    ['a challenge can be used twice', 'isOpen: false, isVerified', 'isVerified', 'uses a challenge up once'],
    ['nobody compares challenges', 'const isApproved = ', 'const isApproved = true || ', 'reserves nothing without'],
    [
      'the number of payments is not compared',
      "'numberOfPayments', ",
      '',
      'reserves nothing but what the challenge was bound to',
    ],
    ['money that is not there', "total > available && 'InsufficientFunds'", 'false', 'reserves no more than there is'],
    ['money never moves', 'available -= total;', '', '0 pence are gone, must be 200'],
    ['anything is paid', 'amount > (batch?.left ?? 0n)', 'false', 'of a file that it has not reserved'],
    ['more is paid than reserved', 'batch.left -= amount', 'void amount', 'above what is left of the reservation'],
    [
      'challenges are values of a file',
      'once(batches, key, batch,',
      'once(batches, key, { ...batch, challengeIds },',
      'the same file approved anew',
    ],
    ['nobody is locked', 'failed >= 5', 'failed >= 500', 'locks a user name after five failures'],
    ['a challenge of an hour', '300_000', '3_600_000', 'for at most fifteen minutes'],
    ['an invalid amount is an outage', "refusal(400, 'InvalidAmount')", "refusal(503, 'X')", 'not an amount'],
    ['strangers are served', 'requestCert: true', 'requestCert: false', 'without a client certificate'],
    [
      'an unknown payment is pending',
      "refusal(404, 'Unknown'))",
      "answer(200, { status: 'Pending' }))",
      'and no other',
    ],
    ['a balance is a number', 'availableBalance,', 'availableBalance: 5,', 'names a GBP account'],
    ['an unknown status is sent', 'AcceptedCreditSettlementCompleted', 'Done', 'takes a payment'],
  ])('finds that %s', async (_title, from, to, found) => {
    const results = await checkExample(from, to);
    expect(named(results).join('\n')).toContain(found);
    expect(isGood(results)).toBe(false);
  });

  it('finds that an answer is late', async () => {
    const results = await checkExample('await text(request)', 'await new Promise((r) => setTimeout(r, 400, ""))', 200);
    expect(named(results).join('\n')).toContain('takes the right password: no answer within 200 ms');
  });
});
