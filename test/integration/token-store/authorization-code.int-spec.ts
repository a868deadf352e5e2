import { describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { AuthorizationCodeStore } from '#libs/token-store';
import {
  aClient,
  aCode,
  aConsent,
  anAssertion,
  aToken,
  clientId,
  codes,
  count,
  database,
  inSeconds,
  lookup,
  now,
  redeem,
  tokens,
  useTokenStore,
} from './token-store-world.js';

useTokenStore();

// Codes and the tokens issued for them, once (RFC 6749 s4.1.2).
describe('an authorization code', () => {
  it('is found as it was stored', async () => {
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

  it('yields a token bound to its PSU and consent', async () => {
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

  it('revokes its token if its client uses it again (RFC 6749 s4.1.2)', async () => {
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

  it('stays valid if the assertion was used before, also beside a request with a new one', async () => {
    const used = anAssertion();
    await tokens.issueAccessToken(aToken('before-the-codes'), used);
    const [one, other] = [await aCode(), await aCode()];
    const results = [redeem(await aCode(), 'first'), redeem(one, 'again', used), redeem(other, 'new', anAssertion())];
    await expect(Promise.all(results)).resolves.toEqual(['Redeemed', 'AssertionReplayed', 'Redeemed']);
    await expect(redeem(one, 'at-last', anAssertion())).resolves.toBe('Redeemed');
  });

  it('yields nothing after it has expired', async () => {
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
