import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { Clock } from '#libs/config';
import { hashToken } from '#libs/oauth';
import { Database, type DatabaseSettings, openPool } from '#libs/persistence';
import {
  AccessTokenStore,
  AuthorizationCodeStore,
  StoredAccessTokenLookup,
  TokenHousekeeping,
  type ClientAssertionId,
  type NewAccessToken,
  type NewRefreshToken,
} from '#libs/token-store';
import { migratedDatabase, type RunDatabase } from '../../support/run-database.js';

export const now = new Date('2026-11-21T12:00:00Z');
export const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);

let runDatabase: RunDatabase;
export let databaseSettings: DatabaseSettings;
export let database: Database;
export let tokens: AccessTokenStore;
export let codes: AuthorizationCodeStore;
export let lookup: StoredAccessTokenLookup;
export let housekeeping: TokenHousekeeping;
export let clientId: string;
export class FixedClock extends Clock {
  override now(): Date {
    return now;
  }
  override ofDatabase(): Date {
    return now;
  }
}

/** Starts the database before the tests of a spec, and gives each test its own client. */
export function useTokenStore(): void {
  beforeAll(async () => {
    runDatabase = await migratedDatabase();
    const { url } = runDatabase;
    databaseSettings = { url, poolSize: 20, applicationName: 'token-store.int-spec' };
    database = new Database(openPool(databaseSettings), databaseSettings);
    tokens = new AccessTokenStore(database);
    codes = new AuthorizationCodeStore(database);
    lookup = new StoredAccessTokenLookup(database, new FixedClock());
    housekeeping = new TokenHousekeeping(database);
  });

  afterAll(async () => {
    await database?.onApplicationShutdown();
    await runDatabase?.drop();
  });

  beforeEach(async () => {
    clientId = await aClient();
  });
}

export async function aClient({ status = 'Active' }: { status?: string } = {}): Promise<string> {
  const id = randomUUID();
  await database.query(
    'test-insert-client',
    `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types, response_types, scope,
       token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg, jwks_uri, directory_issuer, secret_hash, metadata,
       client_id_issued_at, updated_at)
     VALUES ($1, $2, 'org-1', 'Org', 'software-1', 'TPP', '{}', '{authorization_code,client_credentials,refresh_token}', '{}', 'openid payments',
       'private_key_jwt', 'PS256', 'PS256', 'https://keys.example/software-1.jwks', 'directory', '\\x00', '{}', $3, $3)`,
    [id, status, now],
  );
  return id;
}

export async function aConsent({ status = 'Authorised' }: { status?: string } = {}): Promise<string> {
  const id = randomUUID();
  await database.query(
    'test-insert-consent',
    `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges,
       psu_id, authorised_at, challenge_id, approved_hash, debtor_account)
     VALUES ('file-payment', '3.1', $1, $2, $3, $4, $4, $5, '{}', '[]', 'psu-1', $4, 'c', '', '{}')`,
    [id, clientId, status, now, inSeconds(3600)],
  );
  return id;
}

/** @returns a consent to access that its customer has authorised */
export async function anAccessConsent({
  psuId = 'psu-1',
  expiresAt,
  authorisedAt = now,
}: { psuId?: string; expiresAt?: Date; authorisedAt?: Date } = {}): Promise<string> {
  const id = randomUUID();
  await database.query(
    'test-insert-access-consent',
    `INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, authorised_at, psu_id, expires_at,
       terms, challenge_id, accounts)
     VALUES ($1, $2, 'account-access', '3.1', 'Authorised', $3, $3, $3, $4, $5, '{"permissions":[]}', 'c', '[]')`,
    [id, clientId, authorisedAt, psuId, expiresAt ?? null],
  );
  return id;
}

export const aToken = (token: string, differences: Partial<NewAccessToken> = {}): NewAccessToken => ({
  tokenHash: hashToken(token),
  clientId,
  scope: ['payments'],
  certificateThumbprint: 'thumbprint-of-the-client',
  issuedAt: now,
  expiresAt: inSeconds(300),
  ...differences,
});

export const anAssertion = (jti: string = randomUUID()): ClientAssertionId => ({ jti, expiresAt: inSeconds(60) });

/** A code as the PSU's approval leaves it behind. */
export async function aCode(
  differences: { consentId?: string; expiresAt?: Date; nonce?: string; codeChallenge?: string } = {},
): Promise<Buffer> {
  const codeHash = randomBytes(32);
  const { consentId = null, expiresAt = inSeconds(60), nonce = null, codeChallenge = null } = differences;
  await database.query(
    'a-code',
    `INSERT INTO authorization_codes (code_hash, client_id, consent_id, redirect_uri, scope, psu_id, subject, acr, authenticated_at,
       consented_at, expires_at, nonce, code_challenge)
     VALUES ($1, $2, $3, 'https://tpp.example/callback', 'openid payments', 'psu-1', 'pairwise-1', 'urn:openbanking:psd2:sca', $4, $4, $5, $6,
       $7)`,
    [codeHash, clientId, consentId, now, expiresAt, nonce, codeChallenge],
  );
  return codeHash;
}

export const redeem = (
  codeHash: Buffer,
  token: string,
  assertion?: ClientAssertionId,
  byClient = clientId,
  {
    interactionId = randomUUID(),
    refreshToken,
    scope = ['payments'],
  }: { interactionId?: string; refreshToken?: NewRefreshToken; scope?: readonly string[] } = {},
) =>
  codes.redeemAuthorizationCode({
    codeHash,
    token: aToken(token, { clientId: byClient, scope }),
    refreshToken,
    assertion,
    interactionId,
  });

export const aRefreshToken = (token: string): NewRefreshToken => ({
  tokenHash: hashToken(token),
  certificateSubject: 'CN=tpp',
  expiresAt: inSeconds(600),
});

/** What the end of a grant leaves in the audit trail. */
export const grantEndEvents = (interactionId: string): string[][] =>
  ['refresh-grant.revoke', 'token.revoke'].map((action) => [action, interactionId]);

/** @returns what the audit trail says of the client's tokens, in order */
export async function auditOfTokens(): Promise<(string | null)[][]> {
  const { rows } = await database.query<{ action: string; interaction_id: string | null }>(
    'test-audit-of-tokens',
    'SELECT action, interaction_id FROM audit_events WHERE client_id = $1 AND action LIKE $2 ORDER BY occurred_at, action',
    [clientId, '%.revoke'],
  );
  return rows.map(({ action, interaction_id }) => [action, interaction_id]);
}

export const count = (results: readonly string[], wanted: string): number =>
  results.filter((each) => each === wanted).length;

// Twice: codes go when their tokens are gone.
export async function deleteEverything(): Promise<void> {
  await housekeeping.deleteExpired({ now: inSeconds(100_000), batchSize: 10_000 });
  await housekeeping.deleteExpired({ now: inSeconds(100_000), batchSize: 10_000 });
}
