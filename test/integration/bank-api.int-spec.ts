import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { load } from 'js-yaml';
import { AuditNotes } from '#libs/audit';
import {
  ApproverNotification,
  BankAnswerError,
  BankModule,
  BankFencedError,
  BankRefusedError,
  DeclineReports,
  FundsChecks,
  FundsChecksModule,
  PayeeChecks,
  PaymentAccounts,
  type PaymentBatch,
  PaymentScheme,
  PsuAuthentication,
  PsuChallenges,
  PsuStates,
  PsuStatesModule,
  type Challenge,
  type ChallengeBinding,
  type PaymentBinding,
  type BankPayment,
} from '#libs/bank';
import { ConfigModule, type Config } from '#libs/config';
import type { BankConnection } from '../../libs/bank/src/bank-connection.js';
import {
  ensureBankSchema,
  createBankServer,
  customers,
  answerPushChallenge,
  type HttpsServer,
} from '../support/apps/bank.js';
import { aCertificate } from '../support/certificates.js';
import { openTestPool } from '../support/open-test-pool.js';
import { emptyDatabase, type RunDatabase } from '../support/run-database.js';
import { useChallenges } from '../support/used-challenges.js';

/** One request as received by the bank, and its answer. */
interface Exchange {
  method: string;
  route: string;
  headers: Record<string, unknown>;
  body: unknown;
  status: number;
  answer: string;
}

interface Operation {
  operationId: string;
  parameters?: { $ref?: string }[];
  requestBody?: object;
  responses: Record<string, object>;
}

const exchanges: Exchange[] = [];
const call = { interactionId: randomUUID() };
const document = load(await readFile(new URL('../../deploy/bank-openapi.yaml', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: object;
};
const [, bob, carol, dave, erin] = customers;
let runDatabase: RunDatabase;
let pool: Pool;
let bank: HttpsServer;
let ports: TestingModule;
let settings: object;
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

beforeAll(async () => {
  runDatabase = await emptyDatabase();
  pool = openTestPool({ connectionString: runDatabase.url, max: 4 });
  await ensureBankSchema(pool);
  const authority = await aCertificate({ profile: 'authority', name: 'authority' });
  const server = await aCertificate({ profile: 'server', name: 'localhost', issuer: authority });
  const client = await aCertificate({ profile: 'bank-client', name: 'service' });
  const clientCertificate = client.certificate;
  const credential = { ...server, certificateFile: '', privateKeyFile: '' };
  bank = createBankServer({ pool, credential, clientCertificate, log: pino({ level: 'silent' }) });
  bank.addHook('onSend', async (request, reply, payload) => {
    const { method, headers, body, routeOptions } = request;
    const answer = typeof payload === 'string' ? payload : '';
    exchanges.push({ method, route: routeOptions.url ?? '', headers, body, status: reply.statusCode, answer });
  });
  await bank.listen({ port: 0, host: '127.0.0.1' });
  settings = { ca: authority.certificate, clientCertificate, clientPrivateKey: client.privateKeyPem };
  ports = await connect();
});

afterAll(async () => {
  await ports?.close();
  await bank?.close();
  await pool?.end();
  await runDatabase?.drop();
});

class NoAudit {}
/** The sign-in's audit events do not matter here. */
const noAudit = {
  module: NoAudit,
  global: true,
  providers: [{ provide: AuditNotes, useValue: { note: () => undefined } }],
  exports: [AuditNotes],
};

const account = { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20000155779911' };
const filePaymentId = randomUUID();
const batch = {
  filePaymentId,
  consentId: randomUUID(),
  psuId: bob?.psuId ?? '',
  debtorAccount: account,
  total: '12.50000',
  currency: 'GBP',
  numberOfPayments: 1,
  payeesHash: randomBytes(32).toString('base64url'),
  challengeIds: ['nobody'],
  localInstrument: 'UK.OBIE.FPS',
};

/** The batch with changes, and with the challenges by which both people approved it. */
const approved = async (changes: Partial<PaymentBatch> = {}, people = [bob, carol]): Promise<PaymentBatch> => {
  const own = { ...batch, ...changes };
  const psuIds = people.map((person) => person?.psuId ?? '');
  return { ...own, challengeIds: await useChallenges(pool, psuIds, { ...own, fileId: own.consentId }) };
};
const approval = {
  filePaymentId,
  psuId: bob?.psuId ?? '',
  debtorAccount: account,
  total: '12.50000',
  currency: 'GBP',
  numberOfPayments: 1,
  requestedBy: 'Payroll & Söhne',
  approvalsRequired: 2,
  approvalsReceived: 1,
  approvalsUrl: 'https://auth.bank.example/approvals',
  approveBefore: new Date().toISOString(),
};

const party = {
  name: 'P',
  schemeName: 'UK.OBIE.BICFI',
  identification: 'NWBKGB2L',
  lei: '5493001KJTIIGC8Y1R12',
  postalAddress: { TownName: 'T' },
};

/** Every member that only payments of v4.0 have. */
const everyDetail = {
  creditorAgent: party,
  ultimateCreditor: party,
  ultimateDebtor: party,
  structuredRemittance: [
    {
      documents: [
        { code: 'CINV', issuer: 'I', number: 'N', relatedDate: '2030-01-01T00:00:00+00:00', lineDetails: ['L'] },
      ],
      documentAmount: '1.5',
      creditorReference: { code: 'SCOR', issuer: 'I', reference: 'R' },
      invoicer: 'I',
      invoicee: 'I',
      taxRemittance: 'T',
      additionalInformation: ['A'],
    },
  ],
  regulatoryReporting: [
    {
      indicator: 'BOTH',
      authority: { name: 'A', country: 'GB' },
      details: [
        {
          type: 'T',
          date: '2030-01-01T00:00:00Z',
          country: 'GB',
          amount: '1',
          currency: 'EUR',
          information: ['I'],
        },
      ],
    },
  ],
};

const aBinding = (values: object = {}): ChallengeBinding => ({
  purpose: 'Payment',
  psuId: carol?.psuId ?? '',
  interactionId: randomUUID(),
  fileId: randomUUID(),
  total: '163870.69000',
  currency: 'GBP',
  numberOfPayments: 150,
  payeesHash: randomBytes(32).toString('base64url'),
  debtorAccount: account,
  tpp: { clientName: 'TPP One', organisationName: 'One Ltd', organisationId: '0015800001041RHAAY' },
  ...values,
});

async function started(binding: ChallengeBinding): Promise<Challenge> {
  const start = await ports.get(PsuChallenges).start({ binding, call });
  if (start.outcome !== 'Started') throw new Error(start.outcome);
  return start.challenge;
}

const verify = (challengeId: string, binding: ChallengeBinding, oneTimeCode = carol?.oneTimeCode) =>
  ports.get(PsuChallenges).verify({ challengeId, binding, ...(oneTimeCode !== undefined && { oneTimeCode }), call });

const answerInApp = (challengeId: string, status: 'Approved' | 'Refused') =>
  answerPushChallenge(pool, { challengeId, status }, new Date());

/** Every kind of challenge, and every answer of the three operations. */
async function tryAllOfChallenges(): Promise<void> {
  const { tpp } = aBinding() as PaymentBinding;
  const { psuId = '' } = carol ?? {};
  const { interactionId } = call;
  for (const binding of [
    aBinding(),
    { purpose: 'Access', psuId, interactionId, data: ['openid', 'accounts'], lastsSeconds: 7_776_000, tpp },
    { purpose: 'SignIn', psuId, interactionId },
  ] as ChallengeBinding[]) {
    const { challengeId } = await started(binding);
    expect(await ports.get(PsuChallenges).findStatus({ challengeId, call })).toBe('Pending');
    expect(await verify(challengeId, binding, '000000')).toEqual({ outcome: 'InvalidCredentials' });
    expect(await verify(challengeId, binding)).toMatchObject({ outcome: 'Verified', acr: 'urn:openbanking:psd2:sca' });
    expect(await verify(challengeId, binding)).toEqual({ outcome: 'Over' });
  }
  expect(await ports.get(PsuChallenges).findStatus({ challengeId: 'nobody', call })).toBe('Used');
  expect(await verify('nobody', aBinding())).toEqual({ outcome: 'Over' });
}

/** The names of the accounts that the bank shows a customer. */
const namesFor = async (psuId = ''): Promise<unknown[]> => {
  const accounts = await ports.get(PaymentAccounts).findPaymentAccounts({ psuId, call });
  return accounts.map(({ approvers }) => approvers?.map(({ displayName }) => displayName));
};

/** A payee whose account number begins so: that decides the sandbox bank's answer. */
const aPayee = (beginning: string, name = 'Acme Ltd') => ({
  schemeName: account.schemeName,
  identification: `200001${beginning.padEnd(8, '0')}`,
  name,
});

/** A payee marked as new is known once paid from an account of the same customer. */
async function expectPaidPayeeKnown(like: BankPayment): Promise<void> {
  const checks = ports.get(PayeeChecks);
  const scheme = ports.get(PaymentScheme);
  const { schemeName, identification } = aPayee('664');
  const payees = [{ schemeName, identification, secondaryIdentification: '7/A' }];
  const paidLater = await approved({ filePaymentId: randomUUID() });
  await scheme.reserveBatch({ batch: paidLater, attempt: 1, call });
  const paymentId = randomUUID().replaceAll('-', '');
  const { filePaymentId } = paidLater;
  const payment = { ...like, paymentId, filePaymentId, creditorAccount: { ...payees[0]!, name: 'New' } };
  const isKnown = (psuId = '', of = payees) => checks.findKnown({ psuId, payees: of, call });
  expect(await isKnown(bob?.psuId)).toEqual([false]);
  await scheme.handOverPayment({ payment, attempt: 1, call });
  expect(await isKnown(bob?.psuId)).toEqual([true]);
  // Another roll number is another payee, and another customer another payer; carol acts for the same account.
  expect(await isKnown(bob?.psuId, [{ ...payees[0]!, secondaryIdentification: '8/B' }])).toEqual([false]);
  expect(await isKnown(carol?.psuId)).toEqual([true]);
  expect(await isKnown(dave?.psuId)).toEqual([false]);
}

/** Every answer to the two questions about payees. */
async function tryAllOfPayees(): Promise<void> {
  const { psuId = '' } = bob ?? {};
  const iban = { schemeName: 'UK.OBIE.IBAN', identification: 'GB29NWBK60161366126819', name: 'Acme Ltd' };
  const card = { ...aPayee('1'), schemeName: 'UK.OBIE.PAN' };
  const payees = [...['1', '661', '662', '663', '664', '665'].map((beginning) => aPayee(beginning)), iban, card];
  const names = await ports.get(PayeeChecks).checkNames({ psuId, payees, call });
  expect(names).toEqual([
    { match: 'Match' },
    { match: 'NoMatch' },
    { match: 'CloseMatch', name: 'Acme Limited' },
    { match: 'Unavailable' },
    { match: 'Match' },
    { match: 'NoMatch' },
    { match: 'NoMatch' },
    { match: 'Unavailable' },
  ]);
  const accounts = payees.map(({ schemeName, identification }) => ({ schemeName, identification }));
  const known = await ports.get(PayeeChecks).findKnown({ psuId, payees: accounts, call });
  expect(known).toEqual([true, true, true, true, false, false, true, true]);
}

function askForFunds(of: { identification: string; amount: string; currency?: string; psuId?: string | undefined }) {
  const { identification, amount, currency = 'GBP', psuId = dave?.psuId ?? '' } = of;
  const named = { schemeName: account.schemeName, identification };
  const check = { consentId: randomUUID(), psuId, account: named, amount, currency, call };
  return ports.get(FundsChecks).isAvailable(check);
}

/**
 * Yes to the last penny, and no to one more, in another currency, of a blocked account, of one that may not be paid
 * from, and of somebody else's.
 */
async function tryAllOfFunds(): Promise<void> {
  const current = '20000144556677';
  expect(await askForFunds({ identification: current, amount: '12.50' })).toBe(true);
  for (const no of [
    { identification: current, amount: '12.51' },
    { identification: current, amount: '0.001' },
    { identification: current, amount: '1.00', currency: 'EUR' },
    { identification: '20000144556699', amount: '1.00' },
    { identification: '20000144556655', amount: '1.00' },
    { identification: current, amount: '1.00', psuId: bob?.psuId },
  ]) {
    expect(await askForFunds(no)).toBe(false);
  }
}

describe('whether an amount is available', () => {
  it.each([{}, { isAvailable: 'true' }, { isAvailable: null }, { available: true }])(
    'is invalid with the answer %j',
    async (body) => {
      const connection = { send: () => Promise.resolve({ status: 200, body }) } as unknown as BankConnection;
      const check = { consentId: randomUUID(), psuId: 'P', account, amount: '1.00', currency: 'GBP', call };
      await expect(new FundsChecks(connection).isAvailable(check)).rejects.toThrow(BankAnswerError);
    },
  );
});

describe('a challenge of the bank (SCA-RTS art. 5)', () => {
  const changes: [string, object][] = [
    ['one digit of the total', { total: '163870.68000' }],
    ['a payee', { payeesHash: randomBytes(32).toString('base64url') }],
    ['the number of payments', { numberOfPayments: 149 }],
    ['the account', { debtorAccount: { ...account, identification: '20000133445566' } }],
    ['the file', { fileId: randomUUID() }],
    ['the currency', { currency: 'EUR' }],
    ['who asks', { tpp: { clientName: 'TPP Two', organisationName: 'Two Ltd', organisationId: 'two' } }],
    ['the request', { interactionId: randomUUID() }],
  ];

  it.each(changes)('stays invalid once %s has changed', async (_title, change) => {
    const binding = aBinding();
    const { challengeId } = await started(binding);
    expect(await verify(challengeId, { ...binding, ...change })).toEqual({ outcome: 'Over' });
    // Even the right values do not restore it.
    expect(await verify(challengeId, binding)).toEqual({ outcome: 'Over' });
  });

  it('is valid for its own values only', async () => {
    const [one, other] = [aBinding(), aBinding()];
    const [first, second] = [await started(one), await started(other)];
    expect(await verify(first.challengeId, other)).toEqual({ outcome: 'Over' });
    expect(await verify(second.challengeId, other)).toMatchObject({ outcome: 'Verified' });
  });

  it('is valid once for 200 parallel requests, which do not count as failures', async () => {
    const binding = aBinding();
    const { challengeId } = await started(binding);
    const answers = await Promise.all(Array.from({ length: 200 }, () => verify(challengeId, binding)));
    expect(answers.filter(({ outcome }) => outcome === 'Verified')).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome === 'Over')).toHaveLength(199);
    const next = aBinding();
    expect(await verify((await started(next)).challengeId, next)).toMatchObject({ outcome: 'Verified' });
  });

  it('expires', async () => {
    const binding = aBinding();
    const { challengeId } = await started(binding);
    await pool.query("UPDATE challenges SET expires_at = now() - interval '1 s' WHERE challenge_id = $1", [
      challengeId,
    ]);
    expect(await ports.get(PsuChallenges).findStatus({ challengeId, call })).toBe('Expired');
    expect(await verify(challengeId, binding)).toEqual({ outcome: 'Over' });
  });

  it('counts wrong codes over all challenges of a customer: the fifth in a row locks', async () => {
    const { psuId = '', oneTimeCode } = dave ?? {};
    const binding = aBinding({ psuId });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { challengeId } = await started(binding);
      expect(await verify(challengeId, binding, '000000')).toEqual({ outcome: 'InvalidCredentials' });
    }
    expect(await ports.get(PsuChallenges).start({ binding, call })).toEqual({ outcome: 'Locked' });
    await pool.query('UPDATE psus SET failed_attempts = 4, locked_until = NULL WHERE psu_id = $1', [psuId]);
    const [last, after] = [await started(binding), await started(binding)];
    expect(await verify(last.challengeId, binding, '000000')).toEqual({ outcome: 'InvalidCredentials' });
    expect(await verify(after.challengeId, binding, oneTimeCode)).toEqual({ outcome: 'Locked' });
  });

  it('is approved in the bank’s app if the customer uses it', async () => {
    const binding = aBinding({ psuId: erin?.psuId });
    const push = (challengeId: string) => ports.get(PsuChallenges).verify({ challengeId, binding, call });
    const [approved, refused, open] = [await started(binding), await started(binding), await started(binding)];
    expect(approved.method).toBe('Push');
    expect(await push(approved.challengeId)).toEqual({ outcome: 'Over' });
    expect(await answerInApp(approved.challengeId, 'Approved')).toBe(true);
    expect(await answerInApp(approved.challengeId, 'Refused')).toBe(false);
    expect(await answerInApp(refused.challengeId, 'Refused')).toBe(true);
    const statuses = [approved, refused, open].map(({ challengeId }) =>
      ports.get(PsuChallenges).findStatus({ challengeId, call }),
    );
    expect(await Promise.all(statuses)).toEqual(['Approved', 'Refused', 'Pending']);
    expect(await push(refused.challengeId)).toEqual({ outcome: 'Over' });
    // A code does not approve in the app.
    expect(await verify(open.challengeId, binding, '111111')).toMatchObject({
      outcome: expect.not.stringMatching('Verified'),
    });
    const twins = await Promise.all(Array.from({ length: 200 }, () => push(approved.challengeId)));
    expect(twins.filter(({ outcome }) => outcome === 'Verified')).toHaveLength(1);
  });

  it('is not offered by a bank without challenges, which works only with the setting for it', async () => {
    const without = await connect('/another-api');
    expect(await without.get(PsuChallenges).start({ binding: aBinding(), call })).toEqual({ outcome: 'NotOffered' });
    await without.close();
    const unbound = await connect('', { unboundOneTimeCodes: true });
    const challenges = unbound.get(PsuChallenges);
    const binding = aBinding();
    const start = await challenges.start({ binding, call });
    const challengeId = start.outcome === 'Started' ? start.challenge.challengeId : '';
    const right = { challengeId, binding, oneTimeCode: carol?.oneTimeCode ?? '', call };
    expect(await challenges.verify({ ...right, oneTimeCode: '000000' })).toEqual({ outcome: 'InvalidCredentials' });
    expect(await challenges.verify(right)).toMatchObject({ outcome: 'Verified' });
    expect(await challenges.verify({ challengeId, binding, call })).toEqual({ outcome: 'Over' });
    await unbound.close();
  });
});

const reserve = (own: PaymentBatch) =>
  ports.get(PaymentScheme).reserveBatch({ batch: { ...own, filePaymentId: randomUUID() }, attempt: 1, call });

describe('the money of a file', () => {
  const refused = { decision: 'Refused', reason: 'NotApproved' };

  it.each([
    ['file', { consentId: randomUUID() }],
    ['sum', { total: '12.51' }],
    ['number of payments', { numberOfPayments: 2 }],
    ['payees', { payeesHash: randomBytes(32).toString('base64url') }],
    ['account', { debtorAccount: { ...account, identification: '20000112345678' } }],
    ['customer', { psuId: dave?.psuId ?? '' }],
  ])('is not reserved if the challenges were for another %s', async (_title, change) => {
    expect(await reserve({ ...(await approved()), ...change })).toEqual(refused);
  });

  it('is reserved once everybody has used a challenge for it, and not with one that is unknown or open', async () => {
    const both = await approved();
    const [first = '', second = ''] = both.challengeIds;
    const binding = { ...aBinding(), ...batch, psuId: bob?.psuId, fileId: batch.consentId } as ChallengeBinding;
    for (const challengeIds of [['x'], [first], [first, 'x'], [first, second, 'x']]) {
      expect(await reserve({ ...both, challengeIds })).toEqual(refused);
    }
    expect(await reserve(await approved({}, [bob, bob]))).toEqual(refused);
    expect(await reserve(await approved({}, [bob, dave]))).toEqual(refused);
    const open = await started(binding);
    expect(await reserve({ ...both, challengeIds: [open.challengeId, second] })).toEqual(refused);
    // A challenge that other values have made invalid is used up, and proves nothing.
    await verify(open.challengeId, aBinding());
    expect(await reserve({ ...both, challengeIds: [open.challengeId, second] })).toEqual(refused);
    expect(await reserve({ ...both, total: '12.5' })).toEqual({ decision: 'Accepted' });
  });
});

describe('deploy/bank-openapi.yaml', () => {
  it('describes every request of the adapter and every answer of the sandbox bank', async () => {
    exchanges.length = 0;
    const authentication = ports.get(PsuAuthentication);
    const { username = '', password = '', psuId = '', oneTimeCode = '' } = bob ?? {};
    expect(await authentication.verifyPassword({ username, password: 'x', call })).toEqual({
      outcome: 'InvalidCredentials',
    });
    expect(await authentication.verifyPassword({ username, password, call })).toMatchObject({ outcome: 'Verified' });
    expect(await authentication.verifyOneTimeCode({ psuId, oneTimeCode, call })).toMatchObject({ outcome: 'Verified' });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await authentication.verifyOneTimeCode({ psuId, oneTimeCode: '000000', call });
    }
    expect(await authentication.verifyOneTimeCode({ psuId, oneTimeCode, call })).toEqual({ outcome: 'Locked' });
    expect(await ports.get(PaymentAccounts).findPaymentAccounts({ psuId, call })).toHaveLength(2);
    expect(await ports.get(PsuStates).findState({ psuId, call })).toBe('Active');
    expect(await ports.get(PsuChallenges).start({ binding: aBinding({ psuId }), call })).toEqual({ outcome: 'Locked' });
    await tryAllOfChallenges();
    await tryAllOfPayees();
    await tryAllOfFunds();

    const scheme = ports.get(PaymentScheme);
    const good = await approved();
    expect(await scheme.reserveBatch({ batch: good, attempt: 1, call })).toEqual({ decision: 'Accepted' });
    const large = await approved({ filePaymentId: randomUUID(), total: '1500000000000000.00000' });
    expect(await scheme.reserveBatch({ batch: large, attempt: 1, call })).toMatchObject({ decision: 'Refused' });
    const paymentId = randomUUID().replaceAll('-', '');
    const payment = {
      paymentId,
      filePaymentId,
      debtorAccount: account,
      creditorAccount: {
        ...account,
        name: 'C',
        secondaryIdentification: 'R1',
        proxy: { code: 'MBNO', identification: '07700900000', type: 'T' },
      },
      amount: '12.50',
      currency: 'GBP',
      localInstrument: 'UK.OBIE.FPS',
      endToEndIdentification: 'E',
      reference: 'R',
      unstructured: 'U',
      creditorPostalAddress: { Country: 'GB', CareOf: 'C', AddressType: 'Business' },
      requestedExecutionDate: '2030-01-01',
      ...everyDetail,
    };
    await scheme.handOverPayment({ payment, attempt: 1, call });
    const next = { ...payment, paymentId: randomUUID().replaceAll('-', '') };
    const german = { schemeName: 'UK.OBIE.IBAN', identification: 'DE89370400440532013000', name: 'C' };
    for (const beyond of [{ amount: '1000000.01' }, { creditorAccount: german }]) {
      const refused = scheme.handOverPayment({ payment: { ...next, ...beyond }, attempt: 1, call });
      await expect(refused).rejects.toThrow(BankRefusedError);
    }
    expect(await scheme.fenceBatch({ filePaymentId, attempt: 3, call })).toBe('Fenced');
    const late = scheme.handOverPayment({ payment: next, attempt: 2, call });
    await expect(late).rejects.toThrow(BankFencedError);
    await expect(scheme.reserveBatch({ batch: good, attempt: 2, call })).rejects.toThrow(BankFencedError);
    expect(await scheme.reserveBatch({ batch: good, attempt: 3, call })).toEqual({ decision: 'Accepted' });
    expect(await scheme.findPayment({ paymentId, call })).toBeDefined();
    expect(await scheme.findPayment({ paymentId: 'nobody', call })).toBeUndefined();
    const { rows } = await pool.query('SELECT instruction FROM payments WHERE payment_id = $1', [paymentId]);
    expect(rows).toEqual([{ instruction: payment }]);
    const book = [{ paymentId, amount: '12.50', currency: 'GBP', status: 'Pending', statusDetail: expect.anything() }];
    const find = (id: string) => scheme.findPaymentsOfFile({ filePaymentId: id, call });
    expect(await find(filePaymentId)).toEqual({ decision: 'Accepted', payments: book });
    expect(await find(large.filePaymentId)).toEqual({ decision: 'Refused', payments: [] });
    expect(await find(randomUUID())).toEqual({ decision: 'Unknown', payments: [] });

    await expectPaidPayeeKnown(payment);

    const notification = ports.get(ApproverNotification);
    expect(await notification.requestApprovals({ approval, call })).toBe('Requested');
    const report = { psuId: bob?.psuId ?? '', reason: 'SuspectedFraud', requestedBy: 'Traders' } as const;
    const declined = { ...report, fileId: randomUUID(), filePaymentId };
    for (const each of [report, declined])
      expect(await ports.get(DeclineReports).report({ report: each, call })).toBe('Reported');
    const reported = await pool.query('SELECT report FROM decline_reports ORDER BY reported_at');
    expect(reported.rows).toEqual([{ report }, { report: declined }]);
    expect(exchanges.map(faultsOf).flat()).toEqual([]);
    const described = Object.values(document.paths).flatMap((path) => Object.values(path));
    const seen = exchanges.map((exchange) => operationOf(exchange)?.operationId);
    expect(new Set(seen)).toEqual(new Set(described.map(({ operationId }) => operationId)));
  });

  it('notifies everybody else of the account once, however often it is asked', async () => {
    const notification = ports.get(ApproverNotification);
    await Promise.all([1, 2, 3].map(() => notification.requestApprovals({ approval, call })));
    const { rows } = await pool.query('SELECT psu_id, text FROM messages WHERE idempotency_key = $1', [filePaymentId]);
    expect(rows).toEqual([{ psu_id: carol?.psuId, text: expect.stringContaining(approval.approvalsUrl) }]);
    const alone = { ...approval, filePaymentId: randomUUID(), debtorAccount: { ...account, identification: 'x' } };
    await expect(notification.requestApprovals({ approval: alone, call })).rejects.toThrow(BankRefusedError);
  });

  it('may lack operations: 404, so that nobody is notified and no book is compared', async () => {
    const without = await connect('/another-api');
    expect(await without.get(ApproverNotification).requestApprovals({ approval, call })).toBe('NotOffered');
    expect(await without.get(PaymentScheme).findPaymentsOfFile({ filePaymentId, call })).toBe('NotOffered');
    const report = { psuId: 'p', reason: 'Other', requestedBy: 'Traders' } as const;
    expect(await without.get(DeclineReports).report({ report, call })).toBe('NotOffered');
    const asked = { psuId: bob?.psuId ?? '', payees: [aPayee('1')], call };
    expect(await without.get(PayeeChecks).checkNames(asked)).toBe('NotOffered');
    expect(await without.get(PayeeChecks).findKnown(asked)).toBe('NotOffered');
    await without.close();
  });

  it('refuses an answer that is not the book of a file', async () => {
    const payment = { paymentId: 'P1', amount: '0.99', currency: 'GBP', status: 'Rejected' };
    const answers: [unknown, boolean][] = [
      [{ decision: 'Accepted', payments: [payment, payment] }, true],
      [{ decision: 'Accepted', payments: Array.from({ length: 200 }, () => payment) }, true],
      [{ decision: 'Accepted', payments: Array.from({ length: 201 }, () => payment) }, false],
      [{ decision: 'Perhaps', payments: [] }, false],
      [{ decision: 'Accepted' }, false],
      [{ decision: 'Accepted', payments: [payment, null] }, false],
      ...['paymentId', 'amount', 'currency', 'status'].map((name): [unknown, boolean] => [
        { decision: 'Accepted', payments: [{ ...payment, [name]: undefined }] },
        false,
      ]),
      [{ decision: 'Accepted', payments: [{ ...payment, amount: 0.99 }] }, false],
      [{ decision: 'Accepted', payments: [{ ...payment, amount: '-0.99' }] }, false],
      [{ decision: 'Accepted', payments: [{ ...payment, status: 'Lost' }] }, false],
    ];
    for (const [body, isUsable] of answers) {
      const connection = { send: () => Promise.resolve({ status: 200, body }) } as unknown as BankConnection;
      const found = new PaymentScheme(connection).findPaymentsOfFile({ filePaymentId, call });
      await (isUsable ? expect(found).resolves.toEqual(body) : expect(found).rejects.toThrow(BankAnswerError));
    }
  });
});

/** The result of the adapter for an answer about two payees. */
function askAboutTwo(body: object) {
  const connection = { send: () => Promise.resolve({ status: 200, body }) } as unknown as BankConnection;
  const query = { psuId: 'P', payees: [aPayee('1'), aPayee('2')], call };
  const checks = new PayeeChecks(connection);
  return { names: checks.checkNames(query), known: checks.findKnown(query) };
}

describe('the bank’s answers about payees', () => {
  it.each([
    {},
    { results: {}, known: true },
    { results: [{ match: 'Match' }], known: [true] },
    { results: [], known: [] },
  ])('are invalid as %j for two payees', async (body) => {
    const { names, known } = askAboutTwo(body);
    await expect(names).rejects.toThrow(BankAnswerError);
    await expect(known).rejects.toThrow(BankAnswerError);
  });

  it.each([null, 'Match', {}, { match: 'Perhaps' }, { match: 'CloseMatch' }, { match: 'CloseMatch', name: 'A\nB' }])(
    'with a result like %j count as not checked, and the others unchanged',
    async (result) => {
      const { names } = askAboutTwo({ results: [result, { match: 'NoMatch' }], known: [true, true] });
      expect(await names).toEqual([{ match: 'Unavailable' }, { match: 'NoMatch' }]);
    },
  );

  it('count every payee that is not clearly known as new', async () => {
    expect(await askAboutTwo({ known: ['true', true], results: [null, null] }).known).toEqual([false, true]);
  });

  it('say why accounts cannot pay', async () => {
    const accounts = await ports.get(PaymentAccounts).findPaymentAccounts({ psuId: dave?.psuId ?? '', call });
    expect(accounts.map(({ name, unusable }) => [name, unusable])).toEqual([
      ['Dixon Current', undefined],
      ['Dixon Savings', undefined],
      ['Dixon Frozen', 'Blocked'],
      ['Dixon Trust', 'NoPermission'],
    ]);
  });

  it('name the approvers of a shared account to each of them, and to nobody else', async () => {
    const [schemeName, identification] = ['UK.OBIE.SortCodeAccountNumber', '20000155779911'];
    await pool.query('INSERT INTO account_holders VALUES ($1, 9, $2, $3, false)', [
      dave?.psuId,
      schemeName,
      identification,
    ]);
    try {
      const both = [undefined, ['Bob Brown', 'Carol Clark']];
      expect([await namesFor(bob?.psuId), await namesFor(carol?.psuId)]).toEqual([both, both]);
      expect((await namesFor(dave?.psuId)).filter(Boolean)).toEqual([]);
    } finally {
      await pool.query('DELETE FROM account_holders WHERE position = 9');
    }
  });
});

/** The adapter, towards the sandbox bank. */
function connect(path = '', difference: object = {}): Promise<TestingModule> {
  const url = `https://localhost:${(bank.server.address() as AddressInfo).port}${path}`;
  const config = { bank: { ...settings, url, timeoutMilliseconds: 20_000, ...difference } } as unknown as Config;
  return Test.createTestingModule({
    imports: [ConfigModule.forRoot(config), noAudit, BankModule, PsuStatesModule, FundsChecksModule],
  }).compile();
}

function operationOf({ method, route }: Exchange): Operation | undefined {
  return document.paths[route.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
}

/** @returns the deviations from the document */
function faultsOf(exchange: Exchange): string[] {
  const operation = operationOf(exchange);
  if (operation === undefined) return [`${exchange.method} ${exchange.route} is not in the document`];
  const { operationId, parameters = [], requestBody, responses } = operation;
  const headers = parameters.map(({ $ref = '' }) => resolve<Parameter>($ref)).filter((each) => each?.in === 'header');
  const [status, answer] = [String(exchange.status), responses[String(exchange.status)]];
  if (answer === undefined) return [`${operationId} ${status} is not in the document`];
  return [
    ...headers.flatMap((header) =>
      faultsIn(`${operationId} ${header?.name}`, header?.schema, headerValue(exchange, header)),
    ),
    ...faultsIn(operationId, closed(schemaIn(requestBody)), exchange.body ?? undefined),
    ...faultsIn(`${operationId} ${status}`, schemaIn(answer), exchange.answer && JSON.parse(exchange.answer)),
  ];
}

interface Parameter {
  name: string;
  in: string;
  schema: { type?: string };
}

/** The value in the type that the document gives it: on the wire a number is text as well. */
function headerValue({ headers }: Exchange, header: Parameter | undefined): unknown {
  const value = headers[header?.name.toLowerCase() ?? ''];
  return header?.schema.type === 'integer' && typeof value === 'string' ? Number(value) : value;
}

function schemaIn(content: object | undefined): object | undefined {
  const { $ref } = (content ?? {}) as { $ref?: string };
  const described = $ref === undefined ? content : resolve<object>($ref);
  return (described as { content?: Record<string, { schema: object }> })?.content?.['application/json']?.schema;
}

function resolve<Value>(reference: string): Value | undefined {
  const names = reference.replace('#/', '').split('/');
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], document) as Value;
}

/** Nothing may be sent that the document does not name. */
function closed(schema: object | undefined): object | undefined {
  return schema && { ...schema, unevaluatedProperties: false };
}

function faultsIn(place: string, schema: object | undefined, value: unknown): string[] {
  // A refusal may have a reason for people; the adapter does not read it.
  if (schema === undefined)
    return value === undefined || place.endsWith('404') || value === '' ? [] : [`${place}: has a body`];
  const validate = ajv.compile({ ...schema, components: document.components });
  return validate(value) ? [] : [`${place}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`];
}
