import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  ApprovalRequestQueue,
  AuthorizationSessionService,
  PushedAuthorizationRequestService,
  type PendingAuthorizationRequest,
} from '#libs/authorization-session';
import { type ApprovalRequest, type ApproverNotification, BankRefusedError, BankUnavailableError } from '#libs/bank';
import type { Config } from '#libs/config';
import { Database, openPool } from '#libs/persistence';
import { dataSourceOptions } from '#libs/typeorm';
import { ApproverNotifier } from '../../apps/worker/src/approver-notifier.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../apps/sandbox/src/postgres/index.js';
import { SetClock } from '../support/scripted-scheme.js';

const now = new Date('2026-11-21T10:00:00Z');
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const sha256 = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest();
const file = Buffer.from('{"File":{"Data":{"DomesticPayments":[]}}}');
const redirectUri = 'https://tpp.example.com/callback?dummy1=lorem';
const account = { schemeName: 'UK.OBIE.IBAN', identification: 'GB82WEST', name: 'Business', approvalsRequired: 2 };
const request: PendingAuthorizationRequest = {
  clientId: 'as in the table',
  redirectUri,
  responseMode: 'fragment',
  responseType: 'code id_token',
  scope: ['openid', 'payments'],
  state: 'state',
  nonce: 'nonce-1',
  clientName: 'Payroll',
  orgId: 'org',
  orgName: 'Payroll Ltd',
  requestHash: 'hash-1',
  idTokenSignedResponseAlg: 'PS256',
};

let folder: string;
let postgres: EmbeddedPostgres;
let dataSource: DataSource;
let database: Database;
let sessions: AuthorizationSessionService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'authorization-session-'));
  postgres = await startEmbeddedPostgres({ directory: folder, settings: { fsync: 'off' } });
  await postgres.createDatabase('service');
  const settings = { url: postgres.url('service'), poolSize: 10, applicationName: 'test' };
  const pool = openPool(settings);
  dataSource = new DataSource(dataSourceOptions(pool));
  await dataSource.initialize();
  await dataSource.runMigrations();
  database = new Database(pool, settings);
  sessions = new AuthorizationSessionService(database);
});

afterAll(async () => {
  await dataSource?.destroy();
  await database?.pool.end();
  await postgres?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function aClient(): Promise<string> {
  const clientId = randomUUID();
  await dataSource.query(
    `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types,
       response_types, scope, token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg, jwks_uri,
       secret_hash, metadata, client_id_issued_at, updated_at)
     VALUES ($1, 'Active', 'org', 'Org', 'software', 'Payroll', $2, '{authorization_code}', '{code id_token}', 'openid payments',
       'private_key_jwt', 'PS256', 'PS256', 'https://keys.example.com', '\\x00', '{}', $3, $3)`,
    [clientId, [redirectUri], now],
  );
  return clientId;
}

async function aConsent(clientId: string, status = 'AwaitingAuthorisation'): Promise<string> {
  const consentId = randomUUID();
  await dataSource.query(
    `INSERT INTO file_payment_consents (consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation,
       charges, local_instrument, number_of_transactions, control_sum)
     VALUES ($1, $2, $3, $4, $4, $5, '{"FileType":"x"}', '[]', 'UK.OBIE.FPS', 1, 1.10)`,
    [consentId, clientId, status, later(-60), later(86_400)],
  );
  await dataSource.query('INSERT INTO payment_files VALUES ($1, $2, $3, $4)', [consentId, file, ['p1'], later(-30)]);
  return consentId;
}

interface SessionOptions {
  withConsent?: boolean;
  /** another session whose client and consent to share */
  like?: { clientId: string; consentId?: string | undefined };
}

async function aStartedSession({ withConsent = true, like }: SessionOptions = {}) {
  const clientId = like?.clientId ?? (await aClient());
  const consentId = like?.consentId ?? (withConsent ? await aConsent(clientId) : undefined);
  const key = { sessionId: randomUUID(), sessionHash: sha256(randomBytes(32)) };
  const started = await sessions.startSession({
    key,
    clientId,
    ...(consentId !== undefined && { consentId }),
    request,
    now,
    expiresAt: later(600),
  });
  expect(started).toBe('Started');
  return { key, clientId, consentId };
}

async function aSignedInSession(options: SessionOptions = {}) {
  const { key, clientId, consentId } = await aStartedSession(options);
  const second = { ...key, sessionHash: sha256(randomBytes(32)) };
  const third = { ...key, sessionHash: sha256(randomBytes(32)) };
  const psu = { psuId: 'psu-1', psuName: 'Alex Green' };
  expect(await sessions.enterSecondFactor({ key, newSessionHash: second.sessionHash, ...psu, now })).toBe(true);
  const acr = 'urn:openbanking:psd2:sca';
  const step = { key: second, newSessionHash: third.sessionHash, acr, authenticatedAt: later(20), now: later(21) };
  expect(await sessions.enterConsent(step)).toBe(true);
  return { key: third, clientId, consentId };
}

const anApproval = (code = randomBytes(32)) => ({
  payment: { fileHash: sha256(file), account },
  code: { codeHash: sha256(code), expiresAt: later(120), subject: 'pairwise-subject' },
  now: later(60),
});

async function consentOf(consentId: string | undefined): Promise<Record<string, unknown>> {
  const [row] = await dataSource.query('SELECT * FROM file_payment_consents WHERE consent_id = $1', [consentId]);
  return row;
}

async function codesOf(clientId: string): Promise<Record<string, unknown>[]> {
  return dataSource.query('SELECT * FROM authorization_codes WHERE client_id = $1', [clientId]);
}

describe('starting an authorization session', () => {
  it.each(['AwaitingUpload', 'Authorised', 'Consumed', 'Rejected'])(
    'refuses a consent that is %s and leaves it so (FP-185, FP-188)',
    async (status) => {
      const clientId = await aClient();
      const consentId = await aConsent(clientId, status);
      const key = { sessionId: randomUUID(), sessionHash: sha256('a') };
      const start = { key, clientId, consentId, request, now, expiresAt: later(600) };
      expect(await sessions.startSession(start)).toBe('ConsentNotAwaitingAuthorisation');
      expect(await consentOf(consentId)).toMatchObject({ status });
      expect(await sessions.findSession(key)).toBeUndefined();
    },
  );

  it('refuses a consent that has run out, an unknown one and that of another client in the same way as unknown', async () => {
    const clientId = await aClient();
    const consentId = await aConsent(clientId);
    const start = (values: object) => ({
      key: { sessionId: randomUUID(), sessionHash: sha256('a') },
      clientId,
      consentId,
      request,
      now,
      expiresAt: later(600),
      ...values,
    });
    expect(await sessions.startSession(start({ now: later(86_401) }))).toBe('ConsentNotAwaitingAuthorisation');
    expect(await sessions.startSession(start({ consentId: randomUUID() }))).toBe('UnknownConsent');
    expect(await sessions.startSession(start({ clientId: await aClient() }))).toBe('UnknownConsent');
  });

  it('takes a request object with a jti once, also in a race', async () => {
    const clientId = await aClient();
    const attempts = Array.from({ length: 8 }, () =>
      sessions.startSession({
        key: { sessionId: randomUUID(), sessionHash: sha256('a') },
        clientId,
        request,
        now,
        expiresAt: later(600),
        requestObjectId: { jti: 'jti-1', expiresAt: later(300) },
      }),
    );
    const results = await Promise.all(attempts);
    expect(results.filter((result) => result === 'Started')).toHaveLength(1);
    expect(results.filter((result) => result === 'RequestObjectReplayed')).toHaveLength(7);
  });
});

describe('the steps of a session', () => {
  it('gives nothing for the value from before the sign-in', async () => {
    const { key } = await aStartedSession();
    const psu = { psuId: 'psu-1', psuName: 'Alex Green' };
    expect(await sessions.enterSecondFactor({ key, newSessionHash: sha256('new'), ...psu, now })).toBe(true);
    expect(await sessions.findSession(key)).toBeUndefined();
    expect(await sessions.findSession({ ...key, sessionHash: sha256('new') })).toMatchObject({
      stage: 'SecondFactor',
      request,
      ...psu,
    });
  });

  it('cannot be skipped, repeated or taken after the session ran out', async () => {
    const { key } = await aStartedSession();
    const step = { key, newSessionHash: sha256('x'), acr: 'acr', authenticatedAt: now, now };
    expect(await sessions.enterConsent(step)).toBe(false);
    expect(await sessions.approve({ key, ...anApproval() })).toBe('NotOpen');
    const first = { key, newSessionHash: sha256('y'), psuId: 'p', psuName: 'n' };
    expect(await sessions.enterSecondFactor({ ...first, now: later(600) })).toBe(false);
    const both = await Promise.all([1, 2].map(() => sessions.enterSecondFactor({ ...first, now })));
    expect(both.sort()).toEqual([false, true]);
  });

  it('shows the file only to a PSU who has signed in', async () => {
    const started = await aStartedSession();
    const before = await sessions.findSessionWithConsent(started.key);
    expect(before?.consent).toMatchObject({ consentId: started.consentId, status: 'AwaitingAuthorisation' });
    expect(before?.consent?.file).toBeUndefined();
    const signedIn = await aSignedInSession();
    const after = await sessions.findSessionWithConsent(signedIn.key);
    expect(after?.consent).toMatchObject({ file, fileHash: sha256(file), localInstrument: 'UK.OBIE.FPS' });
  });
});

describe('coming back with the same request', () => {
  it('finds the open session of this browser only, and only for the same request', async () => {
    const { key, clientId } = await aStartedSession();
    const other = await aStartedSession();
    const search = { keys: [other.key, key], clientId, requestHash: 'hash-1', now: later(1) };
    expect(await sessions.findSessionOfRequest(search)).toMatchObject({ sessionId: key.sessionId, stage: 'SignIn' });
    expect(await sessions.findSessionOfRequest({ ...search, requestHash: 'hash-2' })).toBeUndefined();
    expect(await sessions.findSessionOfRequest({ ...search, keys: [other.key] })).toBeUndefined();
    const stolen = { ...key, sessionHash: sha256('guess') };
    expect(await sessions.findSessionOfRequest({ ...search, keys: [stolen] })).toBeUndefined();
    expect(await sessions.findSessionOfRequest({ ...search, now: later(600) })).toBeUndefined();
    await sessions.endSession({ key, rejectConsent: false, now });
    expect(await sessions.findSessionOfRequest(search)).toBeUndefined();
  });

  it('learns when the redirect URI is no longer registered', async () => {
    const { key, clientId } = await aStartedSession();
    expect(await sessions.findSession(key)).toMatchObject({ isRedirectUriRegistered: true });
    await dataSource.query(`UPDATE clients SET redirect_uris = '{}' WHERE client_id = $1`, [clientId]);
    expect(await sessions.findSession(key)).toMatchObject({ isRedirectUriRegistered: false });
  });
});

describe('approving', () => {
  it('authorises the consent, stores the code and ends the session (FP-187, FP-189)', async () => {
    const { key, clientId, consentId } = await aSignedInSession();
    const code = randomBytes(32);
    expect(await sessions.approve({ key, ...anApproval(code) })).toBe('Approved');
    expect(await consentOf(consentId)).toMatchObject({
      status: 'Authorised',
      status_updated_at: later(60),
      authorised_at: later(60),
      psu_id: 'psu-1',
      approvals_required: 2,
      debtor_account: { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB82WEST', Name: 'Business' },
      initiation: '{"FileType":"x"}',
    });
    expect(await codesOf(clientId)).toEqual([
      expect.objectContaining({
        code_hash: sha256(code),
        consent_id: consentId,
        redirect_uri: redirectUri,
        scope: 'openid payments',
        psu_id: 'psu-1',
        subject: 'pairwise-subject',
        nonce: 'nonce-1',
        acr: 'urn:openbanking:psd2:sca',
        authenticated_at: later(20),
        consented_at: later(60),
        code_challenge: null,
        redeemed_at: null,
      }),
    ]);
    expect(await sessions.findSession(key)).toMatchObject({ stage: 'Completed' });
  });

  it('gives one code for many simultaneous clicks', async () => {
    const { key, clientId } = await aSignedInSession();
    const results = await Promise.all(Array.from({ length: 10 }, () => sessions.approve({ key, ...anApproval() })));
    expect(results.filter((result) => result === 'Approved')).toHaveLength(1);
    expect(results.filter((result) => result === 'NotOpen')).toHaveLength(9);
    expect(await codesOf(clientId)).toHaveLength(1);
  });

  it('gives one code to two sessions with the same consent, and ends both', async () => {
    const first = await aSignedInSession();
    const second = await aSignedInSession({ like: first });
    const results = await Promise.all([first, second].map(({ key }) => sessions.approve({ key, ...anApproval() })));
    expect(results.sort()).toEqual(['Approved', 'ConsentChanged']);
    expect(await codesOf(first.clientId)).toHaveLength(1);
    expect(await sessions.findSession(first.key)).toMatchObject({ stage: 'Completed' });
    expect(await sessions.findSession(second.key)).toMatchObject({ stage: 'Completed' });
  });

  it('is bound to the file that was shown', async () => {
    const { key, clientId, consentId } = await aSignedInSession();
    const approval = anApproval();
    const payment = { ...approval.payment, fileHash: sha256('another file') };
    expect(await sessions.approve({ key, ...approval, payment })).toBe('ConsentChanged');
    expect(await consentOf(consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
    expect(await codesOf(clientId)).toEqual([]);
  });

  it.each([
    ['the client was suspended', `UPDATE clients SET status = 'Suspended' WHERE client_id = $1`],
    [
      'the redirect URI was withdrawn',
      `UPDATE clients SET redirect_uris = '{https://other.example}' WHERE client_id = $1`,
    ],
  ])('gives no code when %s meanwhile', async (_case, change) => {
    const { key, clientId, consentId } = await aSignedInSession();
    await dataSource.query(change, [clientId]);
    expect(await sessions.approve({ key, ...anApproval() })).toBe('ClientChanged');
    expect(await consentOf(consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
    expect(await codesOf(clientId)).toEqual([]);
  });

  it('needs no consent where the scope needs none', async () => {
    const { key, clientId } = await aSignedInSession({ withConsent: false });
    const { code, now: at } = anApproval();
    expect(await sessions.approve({ key, code, now: at })).toBe('Approved');
    expect(await codesOf(clientId)).toEqual([expect.objectContaining({ consent_id: null, psu_id: 'psu-1' })]);
  });

  it('does nothing once the session ran out', async () => {
    const { key, clientId } = await aSignedInSession();
    expect(await sessions.approve({ key, ...anApproval(), now: later(600) })).toBe('NotOpen');
    expect(await codesOf(clientId)).toEqual([]);
  });
});

const eventsOf = (consentId: string | undefined): Promise<{ action: string; interaction_id: string | null }[]> =>
  dataSource.query("SELECT action, interaction_id FROM audit_events WHERE details ->> 'consentId' = $1", [consentId]);

describe('the audit events of decisions', () => {
  it('name the request that made them, and no later one on the same connection', async () => {
    const [approved, declined, expired] = [await aSignedInSession(), await aStartedSession(), await aStartedSession()];
    await sessions.approve({ key: approved.key, ...anApproval(), interactionId: 'interaction-1' });
    await sessions.endSession({ key: declined.key, rejectConsent: true, now, interactionId: 'interaction-2' });
    const others = Array.from({ length: 20 }, () => sessions.endSession({ ...expired, rejectConsent: true, now }));
    await Promise.all(others);
    const found = await Promise.all([approved, declined, expired].map(({ consentId }) => eventsOf(consentId)));
    expect(found).toEqual([
      [{ action: 'consent.authorised', interaction_id: 'interaction-1' }],
      [{ action: 'consent.rejected', interaction_id: 'interaction-2' }],
      [{ action: 'consent.rejected', interaction_id: null }],
    ]);
  });
});

describe('ending without a code', () => {
  it('rejects the consent when the PSU declines, once (FP-186)', async () => {
    const { key, consentId } = await aStartedSession();
    expect(await sessions.endSession({ key, rejectConsent: true, now: later(5) })).toBe(true);
    expect(await consentOf(consentId)).toMatchObject({ status: 'Rejected', status_updated_at: later(5) });
    expect(await sessions.endSession({ key, rejectConsent: true, now: later(6) })).toBe(false);
  });

  it('leaves a consent alone that is no longer waiting, or that another PSU may still approve', async () => {
    const authorised = await aSignedInSession();
    await dataSource.query(`UPDATE file_payment_consents SET status = 'Authorised' WHERE consent_id = $1`, [
      authorised.consentId,
    ]);
    expect(await sessions.endSession({ key: authorised.key, rejectConsent: true, now })).toBe(true);
    expect(await consentOf(authorised.consentId)).toMatchObject({ status: 'Authorised' });
    const open = await aStartedSession();
    expect(await sessions.endSession({ key: open.key, rejectConsent: false, now })).toBe(true);
    expect(await consentOf(open.consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
  });

  it('has either a yes or a no, never both', async () => {
    const { key, clientId, consentId } = await aSignedInSession();
    const [approval, ended] = await Promise.all([
      sessions.approve({ key, ...anApproval() }),
      sessions.endSession({ key, rejectConsent: true, now: later(60) }),
    ]);
    const { status } = await consentOf(consentId);
    expect([approval === 'Approved', ended, status, (await codesOf(clientId)).length]).toEqual(
      approval === 'Approved' ? [true, false, 'Authorised', 1] : [false, true, 'Rejected', 0],
    );
  });

  it('deletes sessions an hour after they ran out', async () => {
    const { key } = await aStartedSession();
    await sessions.deleteExpired({ now: later(600 + 3599), batchSize: 1000 });
    expect(await sessions.findSession(key)).toBeDefined();
    await sessions.deleteExpired({ now: later(600 + 3601), batchSize: 1000 });
    expect(await sessions.findSession(key)).toBeUndefined();
  });
});

describe('pushed authorization requests (RFC 9126)', () => {
  it('are deleted once nobody has brought them in time, and no sooner', async () => {
    const pushedRequests = new PushedAuthorizationRequestService(database);
    const clientId = await aClient();
    const push = { requestUriHash: randomBytes(32), clientId, request: 'a.b.c', expiresAt: later(60) };
    expect(await pushedRequests.push(push)).toBe('Pushed');
    const count = async (): Promise<number> => {
      const sql = 'SELECT FROM pushed_authorization_requests WHERE request_uri_hash = $1';
      return (await database.query('count-pushed', sql, [push.requestUriHash])).rowCount ?? 0;
    };
    await sessions.deleteExpired({ now: later(60), batchSize: 1000 });
    expect(await count()).toBe(1);
    await sessions.deleteExpired({ now: later(61), batchSize: 1000 });
    expect(await count()).toBe(0);
  });
});

describe('telling further approvers (OBMultiAuthorisation1)', () => {
  const config = {
    authUrl: 'https://auth.bank.example',
    authorization: { approvalSeconds: 86_400 },
  } as unknown as Config;
  const clock = new SetClock();
  const queue = (): ApprovalRequestQueue => new ApprovalRequestQueue(database, config, clock);
  let told: ApprovalRequest[];
  let answer: () => 'Requested' | 'NotOffered';
  const notification: ApproverNotification = {
    requestApprovals: async ({ approval }) => {
      told.push(approval);
      return answer();
    },
  };
  const notifier = (): ApproverNotifier => new ApproverNotifier(queue(), notification, config);

  beforeEach(async () => {
    told = [];
    answer = () => 'Requested';
    await dataSource.query('DELETE FROM approval_requests');
  });

  async function aFilePayment({
    approvalsRequired = 2,
    deadline = undefined as Date | undefined,
  } = {}): Promise<string> {
    const clientId = await aClient();
    const consentId = await aConsent(clientId, 'Consumed');
    await dataSource.query(
      `UPDATE file_payment_consents SET psu_id = 'bob', authorisation = $3, approvals_required = $2,
         debtor_account = '{"SchemeName": "UK.OBIE.IBAN", "Identification": "GB82WEST"}' WHERE consent_id = $1`,
      [
        consentId,
        approvalsRequired,
        deadline && JSON.stringify({ AuthorisationType: 'Any', CompletionDateTime: deadline.toISOString() }),
      ],
    );
    const filePaymentId = randomUUID();
    await dataSource.query(
      `INSERT INTO file_payments (file_payment_id, consent_id, client_id, status, created_at, status_updated_at,
         approvals_required, approvals_received, approvals_updated_at)
       VALUES ($1, $2, $3, 'InitiationPending', $4, $4, $5, 1, $4)`,
      [filePaymentId, consentId, clientId, clock.now(), approvalsRequired],
    );
    return filePaymentId;
  }

  it('once, of what waits and until when; not of what needs one person alone', async () => {
    const deadline = new Date(clock.time + 3_600_000);
    const filePaymentId = await aFilePayment({ deadline });
    await aFilePayment({ approvalsRequired: 1 });
    const workers = [notifier(), notifier(), notifier()];
    await Promise.all(workers.map((worker) => worker.notifyNext()));
    clock.time += 7_200_000;
    await notifier().notifyNext();
    expect(told).toEqual([
      {
        filePaymentId,
        psuId: 'bob',
        debtorAccount: { schemeName: 'UK.OBIE.IBAN', identification: 'GB82WEST' },
        total: '1.10',
        currency: 'GBP',
        numberOfPayments: 1,
        requestedBy: 'Payroll',
        approvalsRequired: 2,
        approvalsReceived: 1,
        approvalsUrl: 'https://auth.bank.example/approvals',
        approveBefore: deadline.toISOString(),
      },
    ]);
  });

  it('later, with growing pauses, while the bank is away; the bank’s own time ends it where the TPP has named none', async () => {
    Logger.overrideLogger(false);
    await aFilePayment();
    const ownDeadline = new Date(clock.time + 86_400_000).toISOString();
    answer = () => {
      throw new BankUnavailableError('away');
    };
    const attempts: number[] = [];
    // Pauses of 10, 20 and 40 seconds.
    for (const passed of [0, 9, 1, 20, 39]) {
      clock.time += passed * 1_000;
      await notifier().notifyNext();
      attempts.push(told.length);
    }
    expect(attempts).toEqual([1, 1, 2, 3, 3]);
    expect(told[0]?.approveBefore).toBe(ownDeadline);
  });

  it.each([
    [
      'refuses it',
      () => {
        throw new BankRefusedError('never');
      },
    ],
    ['tells nobody', () => 'NotOffered' as const],
  ])('no more when the bank %s', async (_title, said) => {
    Logger.overrideLogger(false);
    await aFilePayment();
    answer = said;
    for (let hour = 0; hour < 3; hour += 1) {
      await notifier().notifyNext();
      clock.time += 3_600_000;
    }
    expect(told).toHaveLength(1);
  });

  it('no more once somebody has decided', async () => {
    const declined = await aFilePayment();
    const approved = await aFilePayment();
    await dataSource.query(`UPDATE file_payments SET status = 'InitiationFailed' WHERE file_payment_id = $1`, [
      declined,
    ]);
    await dataSource.query(`UPDATE file_payments SET approvals_received = 2 WHERE file_payment_id = $1`, [approved]);
    await notifier().notifyNext();
    expect(told).toEqual([]);
    expect(await dataSource.query('SELECT FROM approval_requests')).toEqual([]);
  });
});
