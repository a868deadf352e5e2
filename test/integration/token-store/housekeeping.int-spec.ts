import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  aCode,
  anAssertion,
  aRefreshToken,
  aToken,
  clientId,
  database,
  deleteEverything,
  housekeeping,
  inSeconds,
  lookup,
  now,
  redeem,
  tokens,
  useTokenStore,
} from './token-store-world.js';

useTokenStore();

describe('housekeeping', () => {
  beforeEach(deleteEverything);

  it('deletes expired rows, a batch at a time', async () => {
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
      isMore: true,
    });
    await expect(housekeeping.deleteExpired(batch)).resolves.toEqual({
      accessTokens: 2,
      refreshGrants: 0,
      authorizationCodes: 0,
      usedJwtIds: 2,
      isMore: false,
    });
    await expect(housekeeping.deleteExpired(batch)).resolves.toEqual({
      accessTokens: 0,
      refreshGrants: 0,
      authorizationCodes: 0,
      usedJwtIds: 0,
      isMore: false,
    });
    await expect(lookup.find('young')).resolves.toMatchObject({ clientId });
  });

  it('passes over what another worker is deleting, instead of waiting for it', async () => {
    for (const name of ['theirs', 'ours']) {
      await tokens.issueAccessToken(aToken(name, { expiresAt: inSeconds(-1) }), {
        jti: name,
        expiresAt: inSeconds(-301),
      });
      await aCode({ expiresAt: inSeconds(-1) });
    }
    const codes = `SELECT FROM authorization_codes LIMIT 1 FOR UPDATE`;
    const jwtIds = `SELECT FROM used_jwt_ids WHERE jti = 'theirs' FOR UPDATE`;
    const accessTokens = `SELECT FROM access_tokens LIMIT 1 FOR UPDATE`;
    await database.transaction(async (other) => {
      for (const sql of [codes, jwtIds, accessTokens]) await other.query(`test-${sql.slice(0, 30)}`, sql, []);
      await expect(housekeeping.deleteExpired({ now, batchSize: 10 })).resolves.toMatchObject({
        accessTokens: 1,
        authorizationCodes: 1,
        usedJwtIds: 1,
      });
    });
  });

  it('keeps a jti beyond its expiry, for as long as a tolerant clock might accept it', async () => {
    await tokens.issueAccessToken(aToken('tolerated'), { jti: 'tolerated', expiresAt: inSeconds(-60) });
    await expect(housekeeping.deleteExpired({ now, batchSize: 10 })).resolves.toMatchObject({ usedJwtIds: 0 });
  });

  it('deletes an expired jti, and none that differs in its purpose, its issuer or itself', async () => {
    await database.query(
      'test-insert-jwt-ids',
      `INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
       SELECT key[1], key[2], key[3], expires_at FROM (
         VALUES ('{registration,a,a}'::text[], $1::timestamptz), ('{request-object,a,a}', $2), ('{registration,b,a}', $2),
           ('{registration,a,b}', $2)) AS jwt (key, expires_at)`,
      [inSeconds(-301), now],
    );
    await expect(housekeeping.deleteExpired({ now, batchSize: 10 })).resolves.toMatchObject({ usedJwtIds: 1 });
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

  it('keeps a used code while its grant is there, and then while a token that outlives the grant is there', async () => {
    const codeHash = await aCode({ expiresAt: inSeconds(1) });
    await redeem(codeHash, 'outlives', anAssertion(), clientId, {
      refreshToken: { ...aRefreshToken('short-grant'), expiresAt: inSeconds(100) },
    });
    const kept = { authorizationCodes: 0 };
    // The grant is there, and decides alone.
    const during = { now: inSeconds(50), batchSize: 10 };
    await expect(housekeeping.deleteExpired(during)).resolves.toMatchObject({ ...kept, refreshGrants: 0 });
    // It has gone, but its token lasts.
    const between = { now: inSeconds(200), batchSize: 10 };
    await expect(housekeeping.deleteExpired(between)).resolves.toMatchObject({ ...kept, refreshGrants: 1 });
    await expect(redeem(codeHash, 'second-use', anAssertion())).resolves.toBe('CodeUsed');
    await expect(lookup.find('outlives')).resolves.toBeUndefined();
    // The token has gone, too.
    const after = { now: inSeconds(301), batchSize: 10 };
    await expect(housekeeping.deleteExpired(after)).resolves.toMatchObject({ accessTokens: 1, authorizationCodes: 1 });
  });

  it('looks once at codes to keep, and deletes the others, however many are kept', async () => {
    for (const name of ['kept-1', 'kept-2', 'kept-3']) {
      await redeem(await aCode({ expiresAt: inSeconds(1) }), name, anAssertion());
    }
    await aCode({ expiresAt: inSeconds(2) });
    const at = { now: inSeconds(120), batchSize: 2 };
    await expect(housekeeping.deleteExpired(at)).resolves.toMatchObject({ authorizationCodes: 0, isMore: true });
    await expect(housekeeping.deleteExpired(at)).resolves.toMatchObject({ authorizationCodes: 1, isMore: true });
    await expect(housekeeping.deleteExpired(at)).resolves.toMatchObject({ authorizationCodes: 0, isMore: false });
    // They are deleted once their tokens have expired.
    const later = { now: inSeconds(100_000), batchSize: 10 };
    await expect(housekeeping.deleteExpired(later)).resolves.toMatchObject({
      accessTokens: 3,
      authorizationCodes: 3,
    });
  });
});
