import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { hashToken } from '#libs/oauth';
import { type ClientAssertionId, RefreshGrantStore, RefreshTokenStore, TokenRevocation } from '#libs/token-store';
import {
  aClient,
  aCode,
  anAccessConsent,
  anAssertion,
  aRefreshToken,
  aToken,
  auditOfTokens,
  clientId,
  codes,
  database,
  grantEndEvents,
  inSeconds,
  lookup,
  now,
  redeem,
  tokens,
  useTokenStore,
} from './token-store-world.js';

useTokenStore();

interface Held {
  readonly codeHash: Buffer;
  readonly name: string;
}

interface Step {
  readonly by?: string;
  readonly psuId?: string;
  readonly at?: Date;
  readonly interactionId?: string;
  readonly assertion?: ClientAssertionId;
}

const refresh = (token: string, { by = clientId, at = now, interactionId = randomUUID(), assertion }: Step = {}) =>
  new RefreshTokenStore(database).useRefreshToken({
    tokenHash: hashToken(token),
    token: aToken(randomUUID(), { clientId: by }),
    nextTokenHash: hashToken(`${token} next`),
    now: at,
    interactionId,
    ...(assertion && { assertion }),
  });

const revoke = (token: string, { by = clientId, at = now, interactionId = randomUUID(), assertion }: Step = {}) =>
  new TokenRevocation(database).revokeToken({
    tokenHash: hashToken(token),
    clientId: by,
    now: at,
    interactionId,
    ...(assertion && { assertion }),
  });

/** A grant whose refresh token `r NAME` was used, for `r NAME next`. */
async function aGrant(of: { consentId?: string } = {}): Promise<Held> {
  const name = randomUUID();
  const codeHash = await aCode(of);
  await redeem(codeHash, name, undefined, clientId, { refreshToken: aRefreshToken(`r ${name}`) });
  expect(await refresh(`r ${name}`)).toBe('Used');
  return { codeHash, name };
}

/** How many grants and tokens of the client have ended, by code and time. */
const ended = async (): Promise<unknown[]> =>
  (
    await database.query(
      'test-ended',
      `SELECT code_hash, revoked_at, count(*)::int FROM (
         SELECT client_id, code_hash, revoked_at FROM refresh_grants UNION ALL SELECT client_id, code_hash, revoked_at FROM access_tokens) AS own
        WHERE client_id = $1 AND revoked_at IS NOT NULL GROUP BY 1, 2`,
      [clientId],
    )
  ).rows;

describe('a grant', () => {
  it.each<[string, (held: Held, step: Required<Omit<Step, 'assertion'>>) => Promise<unknown>]>([
    [
      'a second use of its code',
      ({ codeHash }, { by, at, interactionId }) => {
        const token = aToken(randomUUID(), { clientId: by, issuedAt: at });
        return codes.redeemAuthorizationCode({
          codeHash,
          token,
          refreshToken: undefined,
          assertion: undefined,
          interactionId,
        });
      },
    ],
    ['a second use of its refresh token', ({ name }, step) => refresh(`r ${name}`, step)],
    ['the revocation of its refresh token (RFC 7009)', ({ name }, step) => revoke(`r ${name} next`, step)],
    [
      'its customer',
      ({ codeHash }, { psuId, at, interactionId }) =>
        new RefreshGrantStore(database).endOfPsu({ grantHash: codeHash, psuId, now: at, interactionId }),
    ],
    [
      'the bank, which has closed its customer',
      ({ codeHash }, { by, psuId, at, interactionId }) => {
        const end = { grantHash: codeHash, clientId: by, psuId, now: at, interactionId };
        return new RefreshGrantStore(database).endOfClosedPsu(end);
      },
    ],
  ])('is ended by %s, with its tokens, once, on the record; others stay, and nobody else ends it', async (_by, end) => {
    const [held, other] = [await aGrant(), await aGrant()];
    await tokens.issueAccessToken(aToken(`own ${held.name}`));
    const stranger = { by: await aClient(), psuId: 'psu-2' };
    await end(held, { ...stranger, at: inSeconds(1), interactionId: randomUUID() });
    expect(await ended()).toEqual([]);
    const interactionId = randomUUID();
    await end(held, { by: clientId, psuId: 'psu-1', at: inSeconds(2), interactionId });
    await end(held, { by: clientId, psuId: 'psu-1', at: inSeconds(3), interactionId: randomUUID() });
    expect(await ended()).toEqual([{ code_hash: held.codeHash, revoked_at: inSeconds(2), count: 3 }]);
    expect(await auditOfTokens()).toEqual(grantEndEvents(interactionId));
    expect(await codes.findAuthorizationCode(held.codeHash)).toMatchObject({ redeemedAt: now });
    expect(await refresh(`r ${held.name} next`)).toBe('TokenUsed');
    expect(await refresh(`r ${other.name} next`)).toBe('Used');
  });

  it('stays when one of its access tokens is revoked, by its client alone, once (RFC 7009)', async () => {
    const { codeHash, name } = await aGrant();
    await revoke(name, { by: await aClient() });
    expect(await ended()).toEqual([]);
    const interactionId = randomUUID();
    await revoke(name, { at: inSeconds(2), interactionId });
    await revoke(name, { at: inSeconds(3) });
    expect(await ended()).toEqual([{ code_hash: codeHash, revoked_at: inSeconds(2), count: 1 }]);
    expect(await auditOfTokens()).toEqual([['token.revoke', interactionId]]);
    expect(await refresh(`r ${name} next`)).toBe('Used');
  });

  it('stays as it is for a client that does not authenticate, another client, and after its time', async () => {
    const { name } = await aGrant();
    const next = `r ${name} next`;
    const used = anAssertion();
    expect(await refresh('unknown', { assertion: used })).toBe('TokenUsed');
    for (const step of [
      refresh(next, { assertion: used }),
      revoke(next, { assertion: used }),
      revoke(name, { assertion: used }),
    ])
      expect(await step).toBe('AssertionReplayed');
    expect(await refresh(next, { by: await aClient() })).toBe('TokenUsed');
    expect(await refresh(next, { at: inSeconds(600) })).toBe('TokenUsed');
    expect([await ended(), await auditOfTokens()]).toEqual([[], []]);
    expect(await refresh(next, { assertion: anAssertion() })).toBe('Used');
  });
});

describe('lasting access', () => {
  it.each([
    [
      'its customer ends it',
      ({ codeHash }: Held) =>
        new RefreshGrantStore(database).endOfPsu({ grantHash: codeHash, psuId: 'psu-1', now, interactionId: '' }),
    ],
    ['its refresh token is revoked (RFC 7009 s2.1)', ({ name }: Held) => revoke(`r ${name}`)],
  ])('is over once %s, whatever renews it at the same moment: none of its tokens is valid', async (_title, end) => {
    for (let round = 0; round < 10; round += 1) {
      const [codeHash, name] = [await aCode(), randomUUID()];
      await redeem(codeHash, name, undefined, clientId, { refreshToken: aRefreshToken(`r ${name}`) });
      const use = {
        tokenHash: hashToken(`r ${name}`),
        token: aToken(`n ${name}`),
        nextTokenHash: hashToken(`r2 ${name}`),
      };
      const renewal = new RefreshTokenStore(database).useRefreshToken({ ...use, now, interactionId: randomUUID() });
      await Promise.all([end({ codeHash, name }), renewal]);
      for (const each of [name, `n ${name}`]) await expect(lookup.find(each)).resolves.toBeUndefined();
      expect(await refresh(`r2 ${name}`)).toBe('TokenUsed');
    }
  });
});

describe('a customer who has given lasting access', () => {
  it('sees what has ended last, and neither the grants of a consent nor those of a deleted client', async () => {
    const grants = new RefreshGrantStore(database);
    const psuId = `psu ${randomUUID()}`;
    const aGrantOf = async (of: { consentId?: string }) => {
      const { codeHash } = await aGrant(of);
      await database.query('test-of-psu', 'UPDATE refresh_grants SET psu_id = $2 WHERE code_hash = $1', [
        codeHash,
        psuId,
      ]);
      return codeHash;
    };
    const [over, valid] = [await aGrantOf({}), await aGrantOf({})];
    await aGrantOf({ consentId: await anAccessConsent() });
    await grants.endOfPsu({ grantHash: over, psuId, now, interactionId: randomUUID() });
    const seen = async () => (await grants.findOfPsu(psuId, now)).map(({ grantHash }) => grantHash);
    expect(await seen()).toEqual([valid, over]);
    const late = { grantHash: valid, psuId, now: inSeconds(600), interactionId: randomUUID() };
    await expect(grants.endOfPsu(late)).resolves.toBe(false);
    await database.query('test-delete-client', `UPDATE clients SET status = 'Deleted' WHERE client_id = $1`, [
      clientId,
    ]);
    expect(await seen()).toEqual([]);
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
