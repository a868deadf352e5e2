import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { RefreshGrantStore, RefreshTokenStore, TokenRevocation } from '#libs/token-store';
import {
  aCode,
  aRefreshToken,
  aToken,
  auditOfTokens,
  clientId,
  database,
  grantEndEvents,
  inSeconds,
  lookup,
  now,
  redeem,
  sha256,
  tokens,
  useTokenStore,
} from './token-store-world.js';

useTokenStore();

describe('whatever is revoked', () => {
  it('by a second use of the code has the interaction id of that use in the audit trail', async () => {
    const codeHash = await aCode();
    const options = { refreshToken: aRefreshToken('of-the-code') };
    await redeem(codeHash, 'first-of-the-code', undefined, clientId, options);
    const interactionId = randomUUID();
    await redeem(codeHash, 'second-of-the-code', undefined, clientId, { interactionId });
    expect(await auditOfTokens()).toEqual(grantEndEvents(interactionId));
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
    expect(await auditOfTokens()).toEqual(grantEndEvents(second));
  });

  it('by its client has the interaction id of the request (RFC 7009)', async () => {
    const options = { refreshToken: aRefreshToken('given-back') };
    await redeem(await aCode(), 'came-with-it', undefined, clientId, options);
    await tokens.issueAccessToken(aToken('alone'));
    const [ofGrant, ofToken] = [randomUUID(), randomUUID()];
    const revocation = new TokenRevocation(database);
    await revocation.revokeToken({ tokenHash: sha256('given-back'), clientId, now, interactionId: ofGrant });
    await revocation.revokeToken({ tokenHash: sha256('alone'), clientId, now, interactionId: ofToken });
    expect(await auditOfTokens()).toEqual([...grantEndEvents(ofGrant), ['token.revoke', ofToken]]);
  });
});

describe('a customer who withdraws lasting access', () => {
  it('ends it, whatever renews it at the same moment: none of its access tokens is valid afterwards', async () => {
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

  it('sees it until it expires, and nobody else does', async () => {
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
