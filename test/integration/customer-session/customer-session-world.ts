import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  AuthorizationSessionService,
  type PendingAuthorizationRequest,
  type SessionChallenge,
  type SessionKey,
} from '#libs/customer-session';
import { Database, openPool } from '#libs/persistence';
import { dataSourceOptions } from '#libs/typeorm';
import { migratedDatabase, type RunDatabase } from '../../support/run-database.js';

export const now = new Date('2026-11-21T10:00:00Z');
export const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
export const sha256 = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest();
const file = Buffer.from('{"File":{"Data":{"DomesticPayments":[]}}}');
export const redirectUri = 'https://tpp.example.com/callback?dummy1=lorem';
export const acr = 'urn:openbanking:psd2:sca';
export const request: PendingAuthorizationRequest = {
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
  isLasting: false,
};

let runDatabase: RunDatabase;
export let dataSource: DataSource;
export let database: Database;
export let sessions: AuthorizationSessionService;

/** Starts the database before the tests of a spec. */
export function useCustomerSessions(): void {
  beforeAll(async () => {
    runDatabase = await migratedDatabase();
    const settings = { url: runDatabase.url, poolSize: 10, applicationName: 'test' };
    const pool = openPool(settings);
    dataSource = new DataSource(dataSourceOptions(pool));
    await dataSource.initialize();
    database = new Database(pool, settings);
    sessions = new AuthorizationSessionService(database);
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await database?.pool.end();
    await runDatabase?.drop();
  });
}

export async function aClient(): Promise<string> {
  const clientId = randomUUID();
  await dataSource.query(
    `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types,
       response_types, scope, token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg,
       jwks_uri, directory_issuer,
       secret_hash, metadata, client_id_issued_at, updated_at)
     VALUES ($1, 'Active', 'org', 'Org', 'software', 'Payroll', $2, '{authorization_code}', '{code id_token}',
     'openid accounts payments',
       'private_key_jwt', 'PS256', 'PS256', 'https://keys.example.com', 'directory', '\\x00', '{}', $3, $3)`,
    [clientId, [redirectUri], now],
  );
  return clientId;
}

/** What the customer is shown of the file, and approves. */
export const instructions = '{"payments":[]}';
const amounts = '{1.10}';

interface ConsentOptions {
  status?: string;
  approvalsRequired?: number;
}

const sharedAccount = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB82WEST' };

export async function aConsent(
  clientId: string,
  { status = 'AwaitingAuthorisation', approvalsRequired = 1 }: ConsentOptions = {},
): Promise<string> {
  const consentId = randomUUID();
  await dataSource.query(
    `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at,
       expires_at, initiation,
       charges, local_instrument, number_of_transactions, control_sum, approval_hash, approved_hash,
       psu_id, debtor_account, approvals_required, authorised_at, challenge_id)
     SELECT 'file-payment', '3.1', $1, $2, $3, $4, $4, $5, '{"FileType":"x"}', '[]', 'UK.OBIE.FPS', 1, 1.10, $6,
     approved.*
     FROM (SELECT) AS consent LEFT JOIN (
       VALUES ($6::bytea, 'bob', $7::jsonb, $8::integer, $4::timestamptz, 'challenge')) AS approved ON $3 IN
       ('Authorised', 'Consumed')`,
    [
      consentId,
      clientId,
      status,
      later(-60),
      later(86_400),
      sha256(instructions),
      JSON.stringify(sharedAccount),
      approvalsRequired,
    ],
  );
  const list = [consentId, instructions, amounts];
  await dataSource.query('INSERT INTO instruction_lists (consent_id, instructions, amounts) VALUES ($1, $2, $3)', list);
  await dataSource.query('INSERT INTO payment_files VALUES ($1, $2, $3)', [consentId, file, later(-30)]);
  return consentId;
}

/** @returns a consent to access that waits for its customer */
export async function anAccessConsent(clientId: string, kind: string): Promise<string> {
  const consentId = randomUUID();
  await dataSource.query(
    `INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at,
       expires_at, terms)
     VALUES ($1, $2, $3, '3.1', 'AwaitingAuthorisation', $4, $4, $5, '{"permissions":[]}')`,
    [consentId, clientId, kind, later(-60), later(86_400)],
  );
  return consentId;
}

/** The bank's challenge for the file of these tests. */
export const aChallenge = (values: Partial<SessionChallenge> = {}): SessionChallenge => ({
  challengeId: randomUUID(),
  method: 'Code',
  expiresAt: later(300).toISOString(),
  interactionId: randomUUID(),
  bound: {},
  approvalHash: sha256(instructions).toString('hex'),
  debtorAccount: { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB82WEST', Name: 'Business' },
  approvalsRequired: 2,
  ...values,
});

interface SessionOptions {
  withConsent?: boolean;
  /** what is asked; undefined: the file */
  challenge?: SessionChallenge;
  /** another session whose client and consent to share */
  like?: { clientId: string; consentId?: string | undefined };
  /** of the request */
  scope?: string[];
}

export async function aStartedSession({ withConsent = true, like, scope = request.scope }: SessionOptions = {}) {
  const clientId = like?.clientId ?? (await aClient());
  const consentId = like?.consentId ?? (withConsent ? await aConsent(clientId) : undefined);
  const key = { sessionId: randomUUID(), sessionHash: sha256(randomBytes(32)) };
  const started = await sessions.startSession({
    key,
    clientId,
    ...(consentId !== undefined && { consentId }),
    request: { ...request, scope },
    now,
    expiresAt: later(600),
  });
  expect(started).toBe('Started');
  return { key, clientId, consentId };
}

export async function aSignedInSession(options: SessionOptions = {}) {
  const { key, clientId, consentId } = await aStartedSession(options);
  const second = { ...key, sessionHash: sha256(randomBytes(32)) };
  const psu = { psuId: 'psu-1', psuName: 'Alex Green' };
  expect(await sessions.enterConsentAtOnce({ key, newSessionHash: second.sessionHash, ...psu, now })).toBe(true);
  return { key: second, clientId, consentId };
}

/** One more challenge, as the pages ask for it: reserved before the bank is asked. */
export async function askFor(step: Parameters<AuthorizationSessionService['enterChallenge']>[0]): Promise<boolean> {
  const { key, started, now: at } = step;
  if (!(await sessions.reserveChallenge({ key, started, requestedAt: undefined, now: at }))) return false;
  return sessions.enterChallenge({ ...step, started: started + 1 });
}

/** A session whose customer has pressed the button, and is asked by the bank. */
export async function anAskedSession(options: SessionOptions = {}) {
  const signedIn = await aSignedInSession(options);
  const { challenge = aChallenge() } = options;
  expect(await askFor({ key: signedIn.key, challenge, started: 0, now: later(21) })).toBe(true);
  return { ...signedIn, challengeId: challenge.challengeId };
}

export const anApproval = (
  { key, challengeId }: { key: SessionKey; challengeId: string },
  code: Buffer = randomBytes(32),
) => ({
  key,
  challengeId,
  acr,
  authenticatedAt: later(20),
  client: { fapiProfile: 'fapi1-advanced', responseTypes: ['code id_token'] } as const,
  code: { codeHash: sha256(code), expiresAt: later(120), subject: 'pairwise-subject' },
  now: later(60),
});

export async function consentOf(consentId: string | undefined): Promise<Record<string, unknown>> {
  const [row] = await dataSource.query('SELECT * FROM payment_consents WHERE consent_id = $1', [consentId]);
  return row;
}

export async function codesOf(clientId: string): Promise<Record<string, unknown>[]> {
  return dataSource.query('SELECT * FROM authorization_codes WHERE client_id = $1', [clientId]);
}
