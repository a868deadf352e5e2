import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '#libs/config';
import { Database, openPool } from '#libs/persistence';
import {
  AccessTokenStore,
  AuthorizationCodeStore,
  RefreshGrantStore,
  RefreshTokenStore,
  StoredAccessTokenLookup,
  TokenHousekeeping,
  TokenRevocation,
  type ClientAssertionId,
  type NewAccessToken,
  type NewRefreshToken,
} from '#libs/token-store';
import { runMigrations } from '#libs/typeorm';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../apps/sandbox/src/postgres/index.js';
import { until } from '../support/expectations.js';

const now = new Date('2026-11-21T12:00:00Z');
const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

let directory: string;
let postgres: EmbeddedPostgres;
let database: Database;
let tokens: AccessTokenStore;
let codes: AuthorizationCodeStore;
let lookup: StoredAccessTokenLookup;
let housekeeping: TokenHousekeeping;
let clientId: string;

class FixedClock extends Clock {
  override now(): Date {
    return now;
  }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'token-store-'));
  postgres = await startEmbeddedPostgres({ directory });
  await postgres.createDatabase('token_store');
  const url = postgres.url('token_store');
  await runMigrations(url);
  const settings = { url, poolSize: 20, applicationName: 'token-store.int-spec' };
  database = new Database(openPool(settings), settings);
  tokens = new AccessTokenStore(database);
  codes = new AuthorizationCodeStore(database);
  lookup = new StoredAccessTokenLookup(database, new FixedClock());
  housekeeping = new TokenHousekeeping(database);
});

afterAll(async () => {
  await database?.onApplicationShutdown();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  clientId = await aClient();
});

async function aClient({ status = 'Active' }: { status?: string } = {}): Promise<string> {
  const id = randomUUID();
  await database.query(
    'test-insert-client',
    `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types, response_types, scope,
       token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg, jwks_uri, secret_hash, metadata,
       client_id_issued_at, updated_at)
     VALUES ($1, $2, 'org-1', 'Org', 'software-1', 'TPP', '{}', '{}', '{}', 'openid payments', 'private_key_jwt', 'PS256', 'PS256',
       'https://keys.example/software-1.jwks', '\\x00', '{}', $3, $3)`,
    [id, status, now],
  );
  return id;
}

async function aConsent({ status = 'Authorised' }: { status?: string } = {}): Promise<string> {
  const id = randomUUID();
  await database.query(
    'test-insert-consent',
    `INSERT INTO file_payment_consents (consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges)
     VALUES ($1, $2, $3, $4, $4, $5, '{}', '[]')`,
    [id, clientId, status, now, inSeconds(3600)],
  );
  return id;
}

const aToken = (token: string, differences: Partial<NewAccessToken> = {}): NewAccessToken => ({
  tokenHash: sha256(token),
  clientId,
  scope: ['payments'],
  certificateThumbprint: 'thumbprint-of-the-client',
  issuedAt: now,
  expiresAt: inSeconds(300),
  ...differences,
});

const anAssertion = (jti: string = randomUUID()): ClientAssertionId => ({ jti, expiresAt: inSeconds(60) });

/** A code as the PSU's approval leaves it behind. */
async function aCode(
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

const redeem = (
  codeHash: Buffer,
  token: string,
  assertion?: ClientAssertionId,
  byClient = clientId,
  { interactionId = randomUUID(), refreshToken }: { interactionId?: string; refreshToken?: NewRefreshToken } = {},
) =>
  codes.redeemAuthorizationCode({
    codeHash,
    token: aToken(token, { clientId: byClient }),
    refreshToken,
    assertion,
    interactionId,
  });

const aRefreshToken = (token: string): NewRefreshToken => ({
  tokenHash: sha256(token),
  certificateSubject: 'CN=tpp',
  expiresAt: inSeconds(600),
});

/** What the end of a grant leaves in the audit trail. */
const both = (interactionId: string): string[][] =>
  ['refresh-grant.revoke', 'token.revoke'].map((action) => [action, interactionId]);

/** @returns what the audit trail says of the client's tokens, in order */
async function auditOfTokens(): Promise<(string | null)[][]> {
  const { rows } = await database.query<{ action: string; interaction_id: string | null }>(
    'test-audit-of-tokens',
    'SELECT action, interaction_id FROM audit_events WHERE client_id = $1 AND action LIKE $2 ORDER BY occurred_at, action',
    [clientId, '%.revoke'],
  );
  return rows.map(({ action, interaction_id }) => [action, interaction_id]);
}

const count = (results: readonly string[], wanted: string): number => results.filter((each) => each === wanted).length;

// Twice: codes go when their tokens are gone.
async function deleteEverything(): Promise<void> {
  await housekeeping.deleteExpired({ now: inSeconds(100_000), batchSize: 10_000 });
  await housekeeping.deleteExpired({ now: inSeconds(100_000), batchSize: 10_000 });
}

describe('a client credentials token', () => {
  it('is found with its client while it is active', async () => {
    await expect(tokens.issueAccessToken(aToken('found'), anAssertion())).resolves.toBe('Issued');

    await expect(lookup.find('found')).resolves.toEqual({
      clientId,
      grantType: 'client_credentials',
      scope: ['payments'],
      certificateThumbprint: 'thumbprint-of-the-client',
      expiresAt: inSeconds(300),
      orgId: 'org-1',
      softwareId: 'software-1',
      jwksUri: 'https://keys.example/software-1.jwks',
      signingAlgorithms: ['PS256'],
    });
  });

  it('is issued without an assertion for the methods that have none', async () => {
    await expect(tokens.issueAccessToken(aToken('no-assertion'))).resolves.toBe('Issued');
    await expect(lookup.find('no-assertion')).resolves.toMatchObject({ clientId });
  });

  it('is issued once for 100 simultaneous uses of one jti on ten instances (RFC 7523 s3 item 7)', async () => {
    const assertion = anAssertion();
    const instances = Array.from({ length: 10 }, () => new AccessTokenStore(database));
    const results = await Promise.all(
      instances.flatMap((instance, number) =>
        Array.from({ length: 10 }, (_, index) =>
          instance.issueAccessToken(aToken(`race-${number}-${index}`), assertion),
        ),
      ),
    );

    expect(count(results, 'Issued')).toBe(1);
    expect(count(results, 'AssertionReplayed')).toBe(99);
    const { rows } = await database.query<{ issued: number }>(
      'test-count-tokens-of-client',
      'SELECT count(*)::int AS issued FROM access_tokens WHERE client_id = $1',
      [clientId],
    );
    expect(rows).toEqual([{ issued: 1 }]);
  });

  it('is issued to each of 100 simultaneous requests with assertions of their own, and to nobody else', async () => {
    const used = anAssertion();
    await tokens.issueAccessToken(aToken('before'), used);
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        tokens.issueAccessToken(aToken(`mixed-${index}`), [used, anAssertion(), undefined][index % 3]),
      ),
    );

    expect(results).toEqual(results.map((_, index) => (index % 3 === 0 ? 'AssertionReplayed' : 'Issued')));
    const found = await Promise.all(results.map((_, index) => lookup.find(`mixed-${index}`)));
    expect(found.map((each) => each !== undefined)).toEqual(results.map((each) => each === 'Issued'));
  });

  it('is not issued where the request cannot be stored, while its neighbours are', async () => {
    const results = await Promise.allSettled([
      tokens.issueAccessToken(aToken('good-1'), anAssertion()),
      tokens.issueAccessToken(aToken('bad', { clientId: 'not a uuid' }), anAssertion()),
      tokens.issueAccessToken(aToken('good-2'), anAssertion()),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(lookup.find('good-2')).resolves.toMatchObject({ clientId });
  });

  it('is issued to another client with the same jti: a jti is unique per client', async () => {
    const assertion = anAssertion();
    const other = await aClient();
    await expect(tokens.issueAccessToken(aToken('mine'), assertion)).resolves.toBe('Issued');
    await expect(tokens.issueAccessToken(aToken('theirs', { clientId: other }), assertion)).resolves.toBe('Issued');
  });

  it('is not issued for an expired jti whose row is still there', async () => {
    const expired = { jti: randomUUID(), expiresAt: inSeconds(-1) };
    await tokens.issueAccessToken(aToken('first-use'), expired);
    await expect(tokens.issueAccessToken(aToken('second-use'), expired)).resolves.toBe('AssertionReplayed');
  });

  it('is unknown to the lookup if it was never issued', async () => {
    await expect(lookup.find('never issued')).resolves.toBeUndefined();
  });

  it('does not count when it has expired', async () => {
    await tokens.issueAccessToken(aToken('expired', { expiresAt: now }));
    await expect(lookup.find('expired')).resolves.toBeUndefined();
  });

  it.each(['Suspended', 'Deleted'])('does not count while its client is %s', async (status) => {
    const other = await aClient({ status });
    await tokens.issueAccessToken(aToken(`of-${status}`, { clientId: other }));
    await expect(lookup.find(`of-${status}`)).resolves.toBeUndefined();
  });
});

describe('an authorization code', () => {
  it('comes back as it was stored', async () => {
    const consentId = await aConsent();
    const codeHash = await aCode({ consentId, nonce: 'n-1', codeChallenge: 'challenge' });

    await expect(codes.findAuthorizationCode(codeHash)).resolves.toEqual({
      codeHash,
      clientId,
      consentId,
      redirectUri: 'https://tpp.example/callback',
      scope: ['openid', 'payments'],
      psuId: 'psu-1',
      subject: 'pairwise-1',
      nonce: 'n-1',
      acr: 'urn:openbanking:psd2:sca',
      authenticatedAt: now,
      consentedAt: now,
      codeChallenge: 'challenge',
      expiresAt: inSeconds(60),
    });
    await expect(codes.findAuthorizationCode(randomBytes(32))).resolves.toBeUndefined();
  });

  it('buys a token bound to its PSU and consent', async () => {
    const consentId = await aConsent();
    const codeHash = await aCode({ consentId });

    await expect(redeem(codeHash, 'of-the-psu', anAssertion())).resolves.toBe('Redeemed');
    await expect(lookup.find('of-the-psu')).resolves.toMatchObject({
      grantType: 'authorization_code',
      consentId,
      psuId: 'psu-1',
    });
    await expect(codes.findAuthorizationCode(codeHash)).resolves.toMatchObject({ redeemedAt: now });
  });

  it('is redeemed once by 100 simultaneous requests (RFC 6749 s4.1.2)', async () => {
    const codeHash = await aCode();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => redeem(codeHash, `code-race-${index}`, anAssertion())),
    );

    expect(count(results, 'Redeemed')).toBe(1);
    expect(count(results, 'CodeUsed')).toBe(99);
    const { rows } = await database.query<{ issued: number }>(
      'test-count-tokens',
      'SELECT count(*)::int AS issued FROM access_tokens WHERE code_hash = $1',
      [codeHash],
    );
    expect(rows).toEqual([{ issued: 1 }]);
  });

  it('is redeemed once by ten instances that each exchange twenty codes at a time, in whatever order', async () => {
    const codeHashes = await Promise.all(Array.from({ length: 20 }, () => aCode()));
    const instances = Array.from({ length: 10 }, () => new AuthorizationCodeStore(database));
    const outcomes = await Promise.all(
      instances.map((instance, number) => {
        const order = [...codeHashes.slice(number), ...codeHashes.slice(0, number)];
        if (number % 2 === 1) order.reverse();
        return Promise.all(
          order.map(async (codeHash, index) => {
            const request = {
              codeHash,
              token: aToken(`crowd-${number}-${index}`),
              refreshToken: undefined,
              assertion: anAssertion(),
              interactionId: randomUUID(),
            };
            return { codeHash, outcome: await instance.redeemAuthorizationCode(request) };
          }),
        );
      }),
    );

    for (const codeHash of codeHashes) {
      const ofThisCode = outcomes.flat().filter((each) => each.codeHash === codeHash);
      expect(
        count(
          ofThisCode.map(({ outcome }) => outcome),
          'Redeemed',
        ),
      ).toBe(1);
      expect(ofThisCode).toHaveLength(10);
    }
  });

  it('is redeemed while a request beside it cannot be stored, and with the jti of that request', async () => {
    const [one, other] = [await aCode(), await aCode()];
    const assertion = anAssertion();
    const results = await Promise.allSettled([
      redeem(one, 'beside-a-bad-one', anAssertion()),
      redeem(other, 'bad', assertion, 'not a uuid'),
      redeem(other, 'beside-a-bad-one-too', assertion),
    ]);
    expect(results.map((result) => result.status === 'fulfilled' && result.value)).toEqual([
      'Redeemed',
      false,
      'Redeemed',
    ]);
  });

  it('is redeemed once by 100 copies of one request, and the copies change nothing', async () => {
    const codeHash = await aCode();
    const assertion = anAssertion();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => redeem(codeHash, `copy-${index}`, assertion)),
    );

    expect(count(results, 'Redeemed')).toBe(1);
    expect(count(results, 'AssertionReplayed')).toBe(99);
    const winner = results.indexOf('Redeemed');
    await expect(lookup.find(`copy-${winner}`)).resolves.toMatchObject({ clientId });
  });

  it('takes its token with it when its client uses it again (RFC 6749 s4.1.2)', async () => {
    const codeHash = await aCode();
    await redeem(codeHash, 'bought', anAssertion());

    await expect(redeem(codeHash, 'bought-again', anAssertion())).resolves.toBe('CodeUsed');
    await expect(lookup.find('bought')).resolves.toBeUndefined();
    await expect(lookup.find('bought-again')).resolves.toBeUndefined();
  });

  it('works for the methods without an assertion, once', async () => {
    const codeHash = await aCode();
    await expect(redeem(codeHash, 'without-assertion')).resolves.toBe('Redeemed');
    await expect(redeem(codeHash, 'without-assertion-again')).resolves.toBe('CodeUsed');
  });

  it('is not touched by another client: ownership comes first', async () => {
    const other = await aClient();
    const fresh = await aCode();
    await expect(redeem(fresh, 'stolen', anAssertion(), other)).resolves.toBe('CodeUsed');
    await expect(redeem(fresh, 'owned', anAssertion())).resolves.toBe('Redeemed');

    await expect(redeem(fresh, 'stolen-later', anAssertion(), other)).resolves.toBe('CodeUsed');
    await expect(lookup.find('owned')).resolves.toMatchObject({ clientId });
    await expect(lookup.find('stolen')).resolves.toBeUndefined();
  });

  it('stays good when the assertion was used before', async () => {
    const assertion = anAssertion();
    await tokens.issueAccessToken(aToken('first'), assertion);
    const codeHash = await aCode();

    await expect(redeem(codeHash, 'replayed', assertion)).resolves.toBe('AssertionReplayed');
    await expect(redeem(codeHash, 'authenticated', anAssertion())).resolves.toBe('Redeemed');
  });

  it('buys nothing after it has expired', async () => {
    const codeHash = await aCode({ expiresAt: now });
    await expect(redeem(codeHash, 'too-late')).resolves.toBe('CodeUsed');
  });

  it.each([
    ['Authorised', 'Redeemed'],
    ['Consumed', 'Redeemed'],
    ['Rejected', 'CodeUsed'],
    ['AwaitingAuthorisation', 'CodeUsed'],
  ])('of a consent that is now %s is %s', async (status, expected) => {
    const codeHash = await aCode({ consentId: await aConsent({ status }) });
    await expect(redeem(codeHash, `of-a-${status}-consent`)).resolves.toBe(expected);
  });
});

describe('the deletion of a client', () => {
  it('ends its tokens and codes and nobody else’s', async () => {
    const other = await aClient();
    const codeHash = await aCode();
    await tokens.issueAccessToken(aToken('ends'));
    await tokens.issueAccessToken(aToken('stays', { clientId: other }));

    await database.transaction((runner) => tokens.revokeAllOfClient(runner, { clientId, now }));

    await expect(lookup.find('ends')).resolves.toBeUndefined();
    await expect(lookup.find('stays')).resolves.toMatchObject({ clientId: other });
    await expect(redeem(codeHash, 'of-the-deleted')).resolves.toBe('CodeUsed');
  });

  it('is done although exchanges of its codes at that moment take them in another order', async () => {
    for (let each = 0; each < 3; each += 1) await aCode();
    await tokens.issueAccessToken(aToken('beside-its-codes'));
    const [first, middle, last] = await codesInOrder();
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`SELECT ${locked('$1')}`, [middle]);
      // It has the first, and waits.
      const deletion = deleteImpatiently();
      await untilWaiting(1);
      const exchangeSql = `SELECT ${locked('$1')}, ${locked('$2')}, ${locked('$3')}`;
      const exchange = database.transaction(async (runner) => {
        await runner.query('test-exchange', exchangeSql, [last, middle, first]);
      });
      await untilWaiting(2);
      await holder.query('COMMIT');
      await expect(Promise.all([deletion, exchange])).resolves.toEqual([undefined, undefined]);
    } finally {
      holder.release(true);
    }
    await expect(lookup.find('beside-its-codes')).resolves.toBeUndefined();
    expect(await codesInOrder()).toEqual([]);
  });

  it('is done although a customer withdraws at that moment what lasts', async () => {
    const grantHash = await aCode();
    await redeem(grantHash, 'of-both', undefined, clientId, { refreshToken: aRefreshToken('of-both') });
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM access_tokens WHERE token_hash = $1 FOR UPDATE', [sha256('of-both')]);
      const deletion = deleteImpatiently();
      await untilWaiting(1);
      const end = { grantHash, psuId: 'psu-1', now, interactionId: randomUUID() };
      const withdrawal = new RefreshGrantStore(database).endOfPsu(end);
      await untilWaiting(2);
      await holder.query('COMMIT');
      await expect(Promise.all([deletion, withdrawal])).resolves.toEqual([undefined, expect.any(Boolean)]);
    } finally {
      holder.release(true);
    }
    await expect(lookup.find('of-both')).resolves.toBeUndefined();
  });
});

/** In a SELECT: locks a code. They are evaluated in the order in which they stand. */
const locked = (parameter: string): string =>
  `(SELECT true FROM authorization_codes WHERE code_hash = ${parameter}::bytea FOR UPDATE)`;

/** As the deletion of a client does it, and sooner than others to notice that they wait for each other. */
async function deleteImpatiently(): Promise<void> {
  await database.transaction(async (runner) => {
    await runner.query('test-impatience', `SET LOCAL deadlock_timeout = '100ms'`, []);
    await tokens.revokeAllOfClient(runner, { clientId, now });
  });
}

/** @returns the client's unused codes in the order in which a statement finds them */
async function codesInOrder(): Promise<Buffer[]> {
  const sql = 'SELECT code_hash FROM authorization_codes WHERE client_id = $1 AND redeemed_at IS NULL';
  const { rows } = await database.query<{ code_hash: Buffer }>('test-codes-in-order', sql, [clientId]);
  return rows.map(({ code_hash }) => code_hash);
}

/** Until so many statements wait for the lock of somebody else. */
async function untilWaiting(count: number): Promise<void> {
  const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until(async () => (await database.query('test-waiting', sql, [])).rowCount === count);
}

describe('whatever is revoked', () => {
  it('by a second use of the code has the interaction id of that use in the audit trail', async () => {
    const codeHash = await aCode();
    const options = { refreshToken: aRefreshToken('of-the-code') };
    await redeem(codeHash, 'first-of-the-code', undefined, clientId, options);
    const interactionId = randomUUID();
    await redeem(codeHash, 'second-of-the-code', undefined, clientId, { interactionId });
    expect(await auditOfTokens()).toEqual(both(interactionId));
  });

  it('by a second use of a refresh token has the interaction id of that use', async () => {
    const options = { refreshToken: aRefreshToken('used-twice') };
    await redeem(await aCode(), 'before-the-uses', undefined, clientId, options);
    const [first, second] = [randomUUID(), randomUUID()];
    const refreshTokens = new RefreshTokenStore(database);
    for (const interactionId of [first, second]) {
      const nextTokenHash = sha256(`next of ${interactionId}`);
      const token = aToken(`refreshed in ${interactionId}`);
      await refreshTokens.useRefreshToken({
        tokenHash: sha256('used-twice'),
        token,
        nextTokenHash,
        now,
        interactionId,
      });
    }
    expect(await auditOfTokens()).toEqual(both(second));
  });

  it('by its client has the interaction id of the request (RFC 7009)', async () => {
    const options = { refreshToken: aRefreshToken('given-back') };
    await redeem(await aCode(), 'came-with-it', undefined, clientId, options);
    await tokens.issueAccessToken(aToken('alone'));
    const [ofGrant, ofToken] = [randomUUID(), randomUUID()];
    const revocation = new TokenRevocation(database);
    await revocation.revokeToken({ tokenHash: sha256('given-back'), clientId, now, interactionId: ofGrant });
    await revocation.revokeToken({ tokenHash: sha256('alone'), clientId, now, interactionId: ofToken });
    expect(await auditOfTokens()).toEqual([...both(ofGrant), ['token.revoke', ofToken]]);
  });
});

describe('a customer who withdraws what lasts', () => {
  it('ends it whatever renews it at the same moment: no access token of it is good afterwards', async () => {
    const grants = new RefreshGrantStore(database);
    const refreshTokens = new RefreshTokenStore(database);
    for (let round = 0; round < 10; round += 1) {
      const codeHash = await aCode();
      const options = { refreshToken: aRefreshToken(`raced-${round}`) };
      await redeem(codeHash, `bought-${round}`, undefined, clientId, options);
      const end = { grantHash: codeHash, psuId: 'psu-1', now, interactionId: randomUUID() };
      const token = aToken(`renewed-${round}`);
      const nextTokenHash = sha256(`next-${round}`);
      const use = { tokenHash: sha256(`raced-${round}`), token, nextTokenHash, now, interactionId: randomUUID() };
      const [isEnded] = await Promise.all([grants.endOfPsu(end), refreshTokens.useRefreshToken(use)]);
      expect(isEnded).toBe(true);
      for (const each of [`bought-${round}`, `renewed-${round}`])
        await expect(lookup.find(each)).resolves.toBeUndefined();
      await expect(grants.endOfPsu(end)).resolves.toBe(false);
    }
  });

  it('sees it until it runs out, and nobody else does', async () => {
    const grants = new RefreshGrantStore(database);
    const codeHash = await aCode();
    await redeem(codeHash, 'seen', undefined, clientId, { refreshToken: aRefreshToken('seen-refresh') });
    const seen = await grants.findOfPsu('psu-1', now);
    expect(seen.filter(({ grantHash }) => grantHash.equals(codeHash))).toEqual([
      {
        grantHash: codeHash,
        clientName: 'TPP',
        orgName: 'Org',
        scope: ['payments'],
        consentedAt: now,
        expiresAt: inSeconds(600),
        usedAt: now,
      },
    ]);
    await expect(grants.findOfPsu('psu-2', now)).resolves.toEqual([]);
    await expect(grants.findOfPsu('psu-1', inSeconds(600))).resolves.toEqual([]);
    await expect(grants.endOfPsu({ grantHash: codeHash, psuId: 'psu-2', now, interactionId: '' })).resolves.toBe(false);
  });
});

describe('housekeeping', () => {
  beforeEach(deleteEverything);

  it('deletes what has expired, a batch at a time', async () => {
    for (let index = 0; index < 5; index += 1) {
      await tokens.issueAccessToken(aToken(`old-${index}`, { expiresAt: inSeconds(-1) }), {
        jti: `old-${index}`,
        expiresAt: inSeconds(-301),
      });
    }
    await tokens.issueAccessToken(aToken('young'), anAssertion());

    const batch = { now, batchSize: 3 };
    await expect(housekeeping.deleteExpired(batch)).resolves.toEqual({
      accessTokens: 3,
      refreshGrants: 0,
      authorizationCodes: 0,
      usedJwtIds: 3,
    });
    await expect(housekeeping.deleteExpired(batch)).resolves.toEqual({
      accessTokens: 2,
      refreshGrants: 0,
      authorizationCodes: 0,
      usedJwtIds: 2,
    });
    await expect(housekeeping.deleteExpired(batch)).resolves.toEqual({
      accessTokens: 0,
      refreshGrants: 0,
      authorizationCodes: 0,
      usedJwtIds: 0,
    });
    await expect(lookup.find('young')).resolves.toMatchObject({ clientId });
  });

  it('keeps a jti beyond its expiry, for as long as a tolerant clock might accept it', async () => {
    await tokens.issueAccessToken(aToken('tolerated'), { jti: 'tolerated', expiresAt: inSeconds(-60) });
    await expect(housekeeping.deleteExpired({ now, batchSize: 10 })).resolves.toMatchObject({ usedJwtIds: 0 });
  });

  it('keeps a used code while one of its tokens is there, so that a second use is noticed', async () => {
    const codeHash = await aCode({ expiresAt: inSeconds(1) });
    await redeem(codeHash, 'alive', anAssertion());

    await expect(housekeeping.deleteExpired({ now: inSeconds(120), batchSize: 10 })).resolves.toMatchObject({
      authorizationCodes: 0,
    });
    await expect(redeem(codeHash, 'second-use', anAssertion())).resolves.toBe('CodeUsed');
    await expect(lookup.find('alive')).resolves.toBeUndefined();
  });
});
