import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Test } from '@nestjs/testing';
import {
  accountAccessKind,
  AccessConsentService,
  fundsConfirmationKind,
  eraseAccess,
  eraseOldAccess,
  noteAccessUse,
} from '#libs/access-consent';
import { GivenAccessService } from '#libs/customer-session';
import { Clock, Config, ConfigModule } from '#libs/config';
import { hashToken } from '#libs/oauth';
import { PersistenceModule } from '#libs/persistence';
import { AccessEndService, RefreshTokenStore, StoredAccessTokenLookup, TokenIntrospection } from '#libs/token-store';
import {
  aCode,
  aConsent,
  anAccessConsent,
  aRefreshToken,
  aToken,
  auditOfTokens,
  clientId,
  database,
  databaseSettings,
  FixedClock,
  inSeconds,
  lookup,
  now,
  redeem,
  tokens,
  useTokenStore,
} from './token-store-world.js';

useTokenStore();

const setStatus = (consentId: string, status: string) =>
  database.query(
    'test-end-access',
    'UPDATE access_consents SET status = $2, status_updated_at = $3 WHERE consent_id = $1',
    [consentId, status, now],
  );

/** @returns a consent that was authorised, and is now in this state */
async function stored(status: string, { expiresAt }: { expiresAt?: Date } = {}): Promise<string> {
  const consentId = await anAccessConsent(expiresAt === undefined ? {} : { expiresAt });
  if (status !== 'Authorised') await setStatus(consentId, status);
  return consentId;
}

const erase = (limit: number): Promise<number> => eraseOldAccess(database, { endedBefore: inSeconds(-1), limit, now });

/** @returns whether the refresh token gave a token */
async function renew(refreshToken: string, token: string, at = now, rotates = true): Promise<boolean> {
  const use = await new RefreshTokenStore(database).useRefreshToken({
    tokenHash: hashToken(refreshToken),
    token: aToken(token),
    ...(rotates && { nextTokenHash: hashToken(`${refreshToken}-next`) }),
    now: at,
    interactionId: randomUUID(),
  });
  return use === 'Used';
}

describe('tokens of access that lasts', () => {
  it('are invalid once the customer has withdrawn access, even if they authorise the same consent again', async () => {
    const consentId = await anAccessConsent();
    const name = `withdrawn ${randomUUID()}`;
    await redeem(await aCode({ consentId }), name, undefined, clientId, { refreshToken: aRefreshToken(`r ${name}`) });
    const unused = await aCode({ consentId });
    await expect(lookup.find(name)).resolves.toMatchObject({ consentId });
    const end = { consentId, now: inSeconds(1), interactionId: randomUUID() };
    await new AccessEndService(database).endOfPsu({ ...end, psuId: 'psu-2' });
    await expect(lookup.find(name)).resolves.toBeDefined();
    await new AccessEndService(database).endOfPsu({ ...end, psuId: 'psu-1' });
    await expect(lookup.find(name)).resolves.toBeUndefined();
    expect(await renew(`r ${name}`, `renewed ${name}`)).toBe(false);
    await database.query(
      'test-authorise-again',
      `UPDATE access_consents SET status = 'Authorised', authorised_at = withdrawn_at + interval '1 second' WHERE
         consent_id = $1`,
      [consentId],
    );
    await expect(lookup.find(name)).resolves.toBeUndefined();
    await expect(new TokenIntrospection(database).findActiveToken(hashToken(name), now)).resolves.toBeUndefined();
    expect(await renew(`r ${name}`, `renewed ${name}`)).toBe(false);
    await expect(redeem(unused, `late ${name}`)).resolves.toBe('CodeUsed');
  });

  it.each(['client', 'customer'])(
    'end with their refresh grants when the %s ends the consent, on the record with the interaction id',
    async (who) => {
      const consentId = await anAccessConsent();
      const names = [randomUUID(), randomUUID()];
      for (const name of names)
        await redeem(await aCode({ consentId }), name, undefined, clientId, {
          refreshToken: aRefreshToken(`r ${name}`),
        });
      const other = await anAccessConsent();
      await redeem(await aCode({ consentId: other }), other, undefined, clientId, {
        refreshToken: aRefreshToken(`r ${other}`),
      });
      const ends = new AccessEndService(database);
      const end = { consentId, now: inSeconds(1), interactionId: randomUUID() };
      const endIt = () =>
        who === 'client' ? ends.endOfClient({ ...end, clientId }) : ends.endOfPsu({ ...end, psuId: 'psu-1' });
      // However often it is asked for, or at the same time.
      await Promise.all([endIt(), endIt()]);
      await endIt();
      expect(await auditOfTokens()).toEqual([['refresh-grant.revoke', end.interactionId]]);
      const { rows } = await database.query(
        'test-ended-grants',
        `SELECT consent_id, revoked_at, count(*)::int AS count FROM refresh_grants
          WHERE client_id = $1 GROUP BY 1, 2 ORDER BY 2`,
        [clientId],
      );
      expect(rows).toEqual([
        { consent_id: consentId, revoked_at: end.now, count: 2 },
        { consent_id: other, revoked_at: null, count: 1 },
      ]);
    },
  );

  it('are active, and can be renewed, no longer than the consent', async () => {
    const consentId = await anAccessConsent({ expiresAt: inSeconds(30) });
    const name = `expiring ${randomUUID()}`;
    await redeem(await aCode({ consentId }), name, undefined, clientId, { refreshToken: aRefreshToken(`r ${name}`) });
    const introspection = new TokenIntrospection(database);
    expect(await introspection.findActiveToken(hashToken(name), inSeconds(30))).toBeUndefined();
    expect(await introspection.findActiveToken(hashToken(name), inSeconds(29))).toMatchObject({ consentId });
    expect(await renew(`r ${name}`, `renewed ${name}`, inSeconds(30))).toBe(false);
    expect(await renew(`r ${name}`, `renewed ${name}`, inSeconds(29))).toBe(true);
  });

  it('are not renewed by a used refresh token, though tokens rotate no more: their grant ends', async () => {
    const [consentId, name] = [await anAccessConsent(), `rotated ${randomUUID()}`];
    await redeem(await aCode({ consentId }), name, undefined, clientId, { refreshToken: aRefreshToken(`r ${name}`) });
    expect(await renew(`r ${name}`, `renewed ${name}`)).toBe(true);
    expect(await renew(`r ${name}`, `again ${name}`, now, false)).toBe(false);
    expect(await renew(`r ${name}-next`, `late ${name}`, now, false)).toBe(false);
  });

  it('are listed for their customer: all valid access, however much has ended since', async () => {
    const psuId = `psu ${randomUUID()}`;
    const standing = await anAccessConsent({ psuId });
    const overSince = await anAccessConsent({ psuId, expiresAt: inSeconds(30), authorisedAt: inSeconds(1) });
    for (let count = 0; count < 101; count += 1)
      await setStatus(await anAccessConsent({ psuId, authorisedAt: inSeconds(2) }), 'Revoked');
    const given = await new GivenAccessService(database).findOfPsu(psuId, inSeconds(10));
    expect(given.map(({ consentId }) => consentId)).toEqual(expect.arrayContaining([standing, overSince]));
    expect(given.filter(({ endedAt }) => endedAt !== undefined)).toHaveLength(100);
    const later = await new GivenAccessService(database).findOfPsu(psuId, inSeconds(60));
    expect(later.find(({ consentId }) => consentId === standing)?.endedAt).toBeUndefined();
  });

  it('keep their accounts while the customer may give the same access again', async () => {
    const ends = new AccessEndService(database);
    const [inTime, withoutEnd] = [await anAccessConsent({ expiresAt: inSeconds(60) }), await anAccessConsent({})];
    for (const consentId of [inTime, withoutEnd])
      await ends.endOfPsu({ consentId, psuId: 'psu-1', now, interactionId: randomUUID() });
    await expect(eraseAccess(database, { consentId: inTime, now })).resolves.toBe(false);
    await setStatus(inTime, 'Expired');
    await expect(eraseAccess(database, { consentId: inTime, now })).resolves.toBe(true);
    await expect(eraseAccess(database, { consentId: withoutEnd, now })).resolves.toBe(true);
    await expect(setStatus(withoutEnd, 'Authorised')).rejects.toThrow();
  });

  it('keep their accounts until they ended long ago, and lose them then', async () => {
    const erased = [await stored('Revoked'), await stored('Expired'), await stored('Withdrawn')];
    const kept = [await stored('Authorised'), await stored('Withdrawn', { expiresAt: inSeconds(60) })];
    const endedAt = 'UPDATE access_consents SET status_updated_at = $2 WHERE consent_id = ANY ($1)';
    await database.query('test-ended-at', endedAt, [[...erased, ...kept], inSeconds(-2)]);
    const young = await stored('Revoked');
    await database.query('test-ended-at', endedAt, [[young], inSeconds(-1)]);
    expect([await erase(2), await erase(100), await erase(100)]).toEqual([2, 1, 0]);
    const { rows } = await database.query<{ consent_id: string }>(
      'test-erased',
      'SELECT consent_id, status, accounts, erased_at FROM access_consents WHERE consent_id = ANY ($1)',
      [[...erased, ...kept, young]],
    );
    const accounts = { accounts: [], erased_at: null };
    const left = new Map(rows.map(({ consent_id, ...row }) => [consent_id, row]));
    expect([...erased, ...kept, young].map((consentId) => left.get(consentId))).toEqual([
      { status: 'Revoked', accounts: null, erased_at: now },
      { status: 'Expired', accounts: null, erased_at: now },
      { status: 'Revoked', accounts: null, erased_at: now },
      { status: 'Authorised', ...accounts },
      { status: 'Withdrawn', ...accounts },
      { status: 'Revoked', ...accounts },
    ]);
    const ends = `SELECT details ->> 'consentId' AS ended FROM audit_events WHERE client_id = $1 `;
    expect((await database.query('test-erasing-ends', ends, [clientId])).rows).toEqual([{ ended: erased[2] }]);
  });

  it('end with their consent in time, and no consent of another kind is found', async () => {
    const service = new AccessConsentService(database, { consent: { expirySeconds: 60 } } as Config, new FixedClock());
    const terms = { permissions: [], expirationDateTime: inSeconds(30).toISOString() };
    const staging = { kind: accountAccessKind, clientId, apiVersion: '4.0', terms };
    const { consentId: waiting } = await service.create(staging);
    const { consentId: young } = await service.create({ ...staging, terms: { permissions: [] } });
    expect(await service.find(fundsConfirmationKind, waiting)).toBeUndefined();
    expect(await service.find(accountAccessKind, waiting)).toMatchObject({ status: 'AwaitingAuthorisation', clientId });
    const expiresAt = inSeconds(30);
    const given = await stored('Authorised', { expiresAt });
    const withdrawn = await stored('Withdrawn', { expiresAt });
    const revoked = await stored('Revoked', { expiresAt });
    const own = [waiting, given, withdrawn, revoked, young];
    const states = async (at: Date) => {
      const clock = Object.assign(new FixedClock(), { ofDatabase: () => at });
      await new AccessConsentService(database, {} as Config, clock).expire(100);
      const sql = 'SELECT consent_id, status FROM access_consents WHERE consent_id = ANY ($1)';
      const { rows } = await database.query<{ consent_id: string; status: string }>('test-states', sql, [own]);
      return own.map((consentId) => rows.find((row) => row.consent_id === consentId)?.status);
    };
    const open = ['AwaitingAuthorisation', 'Authorised', 'Withdrawn', 'Revoked', 'AwaitingAuthorisation'];
    expect(await states(inSeconds(29))).toEqual(open);
    expect(await states(inSeconds(30))).toEqual(['Rejected', 'Expired', 'Expired', 'Revoked', 'AwaitingAuthorisation']);
    expect((await states(inSeconds(60)))[4]).toBe('Rejected');
  });

  it('of expired access do not change, whoever ends it', async () => {
    const consentId = await anAccessConsent({ expiresAt: inSeconds(-20), psuId: 'psu-1' });
    await new AccessEndService(database).endOfClient({
      consentId,
      clientId,
      now,
      interactionId: randomUUID(),
    });
    const { rows } = await database.query('test-status', 'SELECT status FROM access_consents WHERE consent_id = $1', [
      consentId,
    ]);
    expect(rows).toEqual([{ status: 'Authorised' }]);
    const [given] = (await new GivenAccessService(database).findOfPsu('psu-1', now)).filter(
      (each) => each.consentId === consentId,
    );
    expect(given?.endedAt).toEqual(inSeconds(-20));
  });

  it.each(['Revoked', 'Expired'])('are not renewed once it is %s, and end with it', async (status) => {
    const consentId = await anAccessConsent();
    const name = `of ${status} ${randomUUID()}`;
    await redeem(await aCode({ consentId }), name, undefined, clientId, { refreshToken: aRefreshToken(`r ${name}`) });
    expect(await renew(`r ${name}`, `renewed ${name}`)).toBe(true);
    await expect(lookup.find(`renewed ${name}`)).resolves.toMatchObject({ consentId });
    await setStatus(consentId, status);
    expect(await isGood(`renewed ${name}`)).toEqual([false, false]);
    expect(await renew(`r ${name}-next`, `again ${name}`)).toBe(false);
  });
});

const registerScope = (scope: string) =>
  database.query('test-replace-scope', 'UPDATE clients SET scope = $2 WHERE client_id = $1', [clientId, scope]);
const introspect = (name: string) => new TokenIntrospection(database).findActiveToken(hashToken(name), now);

const lastUse = async () => (await new GivenAccessService(database).findOfPsu('psu-3', now))[0]?.lastUsedAt;

describe('the use of an access', () => {
  it('is written once a day, however many ask at once', async () => {
    const consentId = await anAccessConsent({ psuId: 'psu-3' });
    const name = `used ${randomUUID()}`;
    await registerScope('openid accounts payments');
    await redeem(await aCode({ consentId }), name, undefined, clientId, { scope: ['openid', 'accounts'] });
    const introspection = new TokenIntrospection(database);
    const use = async (at: Date) => introspection.noteUse((await introspect(name))!, at);
    expect(await lastUse()).toBeUndefined();
    const unused = (await introspect(name))!;
    await Promise.all([now, inSeconds(1), inSeconds(2)].map((at) => introspection.noteUse(unused, at)));
    const first = await lastUse();
    await use(inSeconds(3));
    // Another process has read the row before.
    await introspection.noteUse(unused, inSeconds(4));
    expect(await lastUse()).toEqual(first);
    await use(inSeconds(86_400));
    expect(await lastUse()).toEqual(inSeconds(86_400));
  });

  it('is not waited for while the access is being changed: the next answer writes it', async () => {
    const psuId = `psu ${randomUUID()}`;
    const use = { consentId: await anAccessConsent({ psuId }), lastUsedAt: undefined };
    const lastUsedAt = async () => (await new GivenAccessService(database).findOfPsu(psuId, now))[0]?.lastUsedAt;
    await database.transaction(async (other) => {
      await other.query('test-hold', 'SELECT FROM access_consents WHERE consent_id = $1 FOR UPDATE', [use.consentId]);
      await noteAccessUse(database, { ...use, now });
      expect(await lastUsedAt()).toBeUndefined();
    });
    await noteAccessUse(database, { ...use, now: inSeconds(1) });
    expect(await lastUsedAt()).toEqual(inSeconds(1));
  });
});

describe('tokens of a client that has given up a scope (RFC 7592 s2.2)', () => {
  it('allow what is left of it, and all of it again once it is back', async () => {
    const name = `narrowed ${randomUUID()}`;
    await redeem(await aCode(), name, undefined, clientId, { scope: ['openid', 'payments'] });
    await registerScope('openid accounts');
    await expect(lookup.find(name)).resolves.toMatchObject({ scope: ['openid'] });
    await expect(introspect(name)).resolves.toMatchObject({ scope: 'openid' });
    await registerScope('accounts');
    await expect(lookup.find(name)).resolves.toMatchObject({ scope: [] });
    await expect(introspect(name)).resolves.toBeUndefined();
    await registerScope('payments openid');
    await expect(lookup.find(name)).resolves.toMatchObject({ scope: ['openid', 'payments'] });
    await expect(introspect(name)).resolves.toMatchObject({ scope: 'openid payments' });
  });
});

const isGood = async (token: string): Promise<boolean[]> => [
  (await lookup.find(token)) !== undefined,
  (await introspect(token)) !== undefined,
];

describe('tokens of a client that has given up a grant (RFC 7592 s2.2)', () => {
  it.each<[string, boolean, boolean]>([
    ['{authorization_code,client_credentials,refresh_token}', true, true],
    ['{authorization_code,client_credentials}', true, true],
    ['{authorization_code}', false, true],
    // A customer's access is renewed by it.
    ['{refresh_token}', false, true],
    ['{client_credentials}', true, false],
  ])('with the grants %s left: its own token is good: %s, a customer’s: %s', async (grants, ofClient, ofCustomer) => {
    const [own, customers] = [`own ${randomUUID()}`, `customer's ${randomUUID()}`];
    await tokens.issueAccessToken(aToken(own));
    await redeem(await aCode(), customers);
    await database.query('test-give-up-grant', 'UPDATE clients SET grant_types = $2 WHERE client_id = $1', [
      clientId,
      grants,
    ]);
    expect(await isGood(own)).toEqual([ofClient, ofClient]);
    expect(await isGood(customers)).toEqual([ofCustomer, ofCustomer]);
  });
});

describe('a token', () => {
  it.each([
    ['its client is suspended', `clients SET status = 'Suspended'`],
    ['it has expired', `access_tokens SET expires_at = '${now.toISOString()}'`],
    ['it was revoked', `access_tokens SET revoked_at = issued_at`],
  ])('is good for neither the API nor the bank once %s', async (title, change) => {
    const name = `own ${randomUUID()}`;
    await tokens.issueAccessToken(aToken(name));
    expect(await isGood(name)).toEqual([true, true]);
    await database.query(`test-${title}`, `UPDATE ${change} WHERE client_id = $1`, [clientId]);
    expect(await isGood(name)).toEqual([false, false]);
  });

  it('of a payment is good for the bank while its consent may pay or has paid', async () => {
    const [consentId, name] = [await aConsent(), randomUUID()];
    await redeem(await aCode({ consentId }), name);
    const after = async (status: string) => {
      const sql = 'UPDATE payment_consents SET status = $2 WHERE consent_id = $1';
      await database.query('test-payment-consent', sql, [consentId, status]);
      return (await introspect(name))?.consentId;
    };
    expect([await after('Authorised'), await after('Rejected')]).toEqual([consentId, undefined]);
    const [paid, other] = [await aConsent({ status: 'Consumed' }), randomUUID()];
    await redeem(await aCode({ consentId: paid }), other);
    await expect(introspect(other)).resolves.toMatchObject({ consentId: paid });
  });
});

/** Stores a token that is good for this many seconds by the clock of the database. */
const insertToken = (token: string, seconds: number): Promise<unknown> =>
  database.query(
    'test-insert-token-by-its-age',
    `INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at, expires_at)
     VALUES ($1, $2, 'client_credentials', 'payments', 't', now() - interval '1 hour', now() + $3::integer *
     interval '1 second')`,
    [hashToken(token), clientId, seconds],
  );

describe('a process whose own clock is wrong', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const real = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
  const timers = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;

  it.each([2, -2])(
    'by %d hours: accepts exactly the tokens that are good by the clock of the database',
    async (hours) => {
      jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake: [...real, ...timers] });
      const imports = [ConfigModule.forRoot({} as Config), PersistenceModule.forRoot(databaseSettings)];
      const process = await Test.createTestingModule({ imports, providers: [StoredAccessTokenLookup] }).compile();
      const name = `clock ${randomUUID()}`;
      await insertToken(`${name} good`, 60);
      await insertToken(`${name} expired`, -60);
      const found = process.get(StoredAccessTokenLookup);
      await expect(found.find(`${name} good`)).resolves.toMatchObject({ clientId });
      await expect(found.find(`${name} expired`)).resolves.toBeUndefined();
      // What it writes, others read by the same clock.
      expect(Math.abs(process.get(Clock).now().getTime() + hours * 3_600_000 - Date.now())).toBeLessThan(60_000);
      await process.close();
    },
  );
});
