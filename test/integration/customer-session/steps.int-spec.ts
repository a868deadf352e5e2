import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mostChallenges } from '#libs/customer-session';
import {
  aChallenge,
  aClient,
  aConsent,
  anAccessConsent,
  anApproval,
  anAskedSession,
  aSignedInSession,
  askFor,
  aStartedSession,
  consentOf,
  dataSource,
  instructions,
  later,
  now,
  request,
  sessions,
  sha256,
  useCustomerSessions,
} from './customer-session-world.js';

useCustomerSessions();

describe('starting an authorization session', () => {
  it.each(['AwaitingUpload', 'Authorised', 'Consumed', 'Rejected'])(
    'refuses a consent that is %s and leaves it so (FP-185, FP-188)',
    async (status) => {
      const clientId = await aClient();
      const consentId = await aConsent(clientId, { status });
      const key = { sessionId: randomUUID(), sessionHash: sha256('a') };
      const start = { key, clientId, consentId, request, now, expiresAt: later(600) };
      expect(await sessions.startSession(start)).toBe('ConsentNotAwaitingAuthorisation');
      expect(await consentOf(consentId)).toMatchObject({ status });
      expect(await sessions.findSession(key)).toBeUndefined();
    },
  );

  it('refuses a consent that has run out; an unknown one and that of another client are both unknown', async () => {
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

  it('has a consent authorised under the scope of its kind alone, and for its own client', async () => {
    const [clientId, other] = [await aClient(), await aClient()];
    const consents = {
      payments: await aConsent(clientId),
      accounts: await anAccessConsent(clientId, 'account-access'),
      fundsconfirmations: await anAccessConsent(clientId, 'funds-confirmation'),
    };
    const scopes = ['payments', 'accounts', 'fundsconfirmations', '', 'accounts fundsconfirmations', 'other'];
    const started: string[] = [];
    for (const [kind, consentId] of Object.entries(consents)) {
      for (const words of scopes) {
        const key = { sessionId: randomUUID(), sessionHash: sha256(`${kind} ${words}`) };
        const asked = { ...request, scope: `openid ${words}`.trim().split(' ') };
        const start = { key, clientId, consentId, request: asked, now, expiresAt: later(600) };
        const outcome = await sessions.startSession(start);
        expect(await sessions.startSession({ ...start, clientId: other })).toBe('UnknownConsent');
        if (outcome === 'Started') started.push(`${kind}: ${words}`);
        else expect([kind, words, outcome]).toEqual([kind, words, 'UnknownConsent']);
      }
    }
    const ownKind = Object.keys(consents).map((kind) => `${kind}: ${kind}`);
    expect(started).toEqual(ownKind);
  });

  it('starts in every browser that brings a request of one answer; of those that sign in, one has it', async () => {
    const clientId = await aClient();
    const once = { ids: ['jti-1', 'reference-1'], until: later(3_600).toISOString() };
    const start = (change: object = {}) => {
      const key = { sessionId: randomUUID(), sessionHash: sha256(randomUUID()) };
      const asked = { key, clientId, request: { ...request, once }, now, expiresAt: later(600), ...change };
      return sessions.startSession(asked).then((outcome) => ({ key, outcome }));
    };
    const started = await Promise.all(Array.from({ length: 8 }, () => start()));
    expect(new Set(started.map(({ outcome }) => outcome))).toEqual(new Set(['Started']));
    const psu = { psuId: 'psu-1', psuName: 'Alex Green' };
    const signedIn = await Promise.all(
      started.map(({ key }, index) => {
        const step = { key, newSessionHash: sha256(key.sessionId), ...psu, now };
        const end = { key, rejectConsent: true, ending: 'Declined', now };
        if (index % 3 === 0) return sessions.endSession(end);
        return index % 3 === 1
          ? sessions.enterConsentAtOnce(step)
          : sessions.enterSecondFactor({ ...step, challenge: aChallenge() });
      }),
    );
    expect(signedIn.filter((isFirst) => isFirst)).toHaveLength(1);
    const stages = await Promise.all(started.map(async ({ key }) => (await sessions.findSession(key))?.stage));
    expect(stages.filter((stage) => stage === 'SignIn')).toHaveLength(7);
    expect((await start()).outcome).toBe('RequestAnswered');
    // That answers neither the client's next request nor another client's with the same id; nor does an assertion.
    const next = { request: { ...request, once: { ...once, ids: ['jti-2'] } } };
    await dataSource.query(`INSERT INTO used_jwt_ids VALUES ('client-assertion', $1, 'jti-2', $2)`, [
      clientId,
      later(60),
    ]);
    for (const change of [next, { clientId: await aClient() }]) expect((await start(change)).outcome).toBe('Started');
  });

  it('answers a refused request of one answer once, also in a race', async () => {
    const clientId = await aClient();
    const once = { ids: ['jti-1'], until: later(3_600).toISOString() };
    const refuse = () =>
      sessions.startSession({
        key: { sessionId: randomUUID(), sessionHash: sha256('a') },
        clientId,
        consentId: randomUUID(),
        request: { ...request, once },
        now,
        expiresAt: later(600),
      });
    const outcomes = await Promise.all(Array.from({ length: 4 }, refuse));
    expect(outcomes.toSorted()).toEqual(['RequestAnswered', 'RequestAnswered', 'RequestAnswered', 'UnknownConsent']);
  });
});

describe('the steps of a session', () => {
  it('finds nothing for the session value from before the sign-in', async () => {
    const { key } = await aStartedSession();
    const psu = { psuId: 'psu-1', psuName: 'Alex Green' };
    expect(await sessions.enterConsentAtOnce({ key, newSessionHash: sha256('new'), ...psu, now })).toBe(true);
    expect(await sessions.findSession(key)).toBeUndefined();
    expect(await sessions.findSession({ ...key, sessionHash: sha256('new') })).toMatchObject({
      stage: 'Consent',
      request,
      ...psu,
    });
  });

  it('may ask for both factors first, and the approval has a challenge of its own all the same', async () => {
    const { key } = await aStartedSession();
    const challenge = aChallenge();
    const psu = { psuId: 'p', psuName: 'n' };
    const second = { ...key, sessionHash: sha256('second') };
    expect(await sessions.enterSecondFactor({ key, newSessionHash: second.sessionHash, ...psu, challenge, now })).toBe(
      true,
    );
    const third = { ...key, sessionHash: sha256('third') };
    const { challengeId } = challenge;
    const step = { key: second, newSessionHash: third.sessionHash, acr: 'acr', authenticatedAt: now, now };
    expect(await sessions.completeSignIn({ ...step, challengeId: 'another' })).toBe(false);
    expect(await sessions.completeSignIn({ ...step, challengeId })).toBe(true);
    expect(await sessions.approve(anApproval({ key: third, challengeId }))).toBe('NotOpen');
  });

  it('gives a challenge to one of many answers at a time, and to the next one after a wrong one', async () => {
    const { key, challengeId } = await anAskedSession();
    const claim = () => sessions.claimChallenge({ key, challengeId, now: later(30) });
    // The page of an older one is still open.
    expect(await sessions.claimChallenge({ key, challengeId: randomUUID(), now: later(30) })).toBe(false);
    const claims = await Promise.all(Array.from({ length: 20 }, claim));
    expect(claims.filter(Boolean)).toHaveLength(1);
    // Nor does a new one replace it meanwhile.
    expect(await askFor({ key, challenge: aChallenge(), started: 1, now: later(31) })).toBe(false);
    await sessions.releaseChallenge({ key, challengeId });
    expect(await claim()).toBe(true);
    // Whoever had it never came back.
    expect(await sessions.claimChallenge({ key, challengeId, now: later(91) })).toBe(true);
  });

  it('gets a limited number of challenges', async () => {
    const { key } = await anAskedSession();
    const more = async (started: number) => askFor({ key, challenge: aChallenge(), started, now: later(30) });
    for (let count = 1; count < mostChallenges; count += 1) expect(await more(count)).toBe(true);
    expect(await more(mostChallenges)).toBe(false);
  });

  it('lets one of 200 clicks ask the bank, and the next one if that has failed', async () => {
    const { key } = await aSignedInSession();
    const reserve = (started: number, at: Date, requestedAt?: Date) =>
      sessions.reserveChallenge({ key, started, requestedAt, now: at });
    const clicks = await Promise.all(Array.from({ length: 200 }, () => reserve(0, later(30))));
    expect(clicks.filter(Boolean)).toHaveLength(1);
    // Whoever sees that it is being asked waits, and so does the click that comes in between.
    expect(await sessions.findSession(key)).toMatchObject({
      challengeRequestedAt: later(30),
      challengesStarted: 1,
    });
    expect(await reserve(1, later(31), later(30))).toBe(false);
    // Read while the bank was asked, and sent afterwards: it is still the same click.
    expect(await reserve(1, later(91))).toBe(false);
    expect(await reserve(1, later(91), later(30))).toBe(true);
    // A later answer of the bank belongs to nobody.
    expect(await sessions.enterChallenge({ key, challenge: aChallenge(), started: 1, now: later(92) })).toBe(false);
  });

  it('accepts a limited number of passwords, also of 200 at once', async () => {
    const { key } = await aStartedSession();
    const { sessionId } = key;
    const counts = await Promise.all(Array.from({ length: 200 }, () => sessions.countSignIn({ sessionId, most: 10 })));
    expect(counts.filter(Boolean)).toHaveLength(10);
    expect(await sessions.countSignIn({ sessionId, most: 0 })).toBe(true);
    const other = (await aStartedSession()).key.sessionId;
    expect(await sessions.countSignIn({ sessionId: other, most: 10 })).toBe(true);
  });

  it('lasts while it is used, but not beyond its longest time', async () => {
    const { key } = await aStartedSession();
    const renew = (at: number) => sessions.renew({ key, now: later(at), idleSeconds: 300, sessionSeconds: 1_000 });
    expect(await renew(400)).toEqual(later(700));
    expect(await renew(699)).toEqual(later(999));
    expect(await renew(900)).toEqual(later(1_000));
    expect(await renew(1_000)).toBeUndefined();
  });

  it('shows the list of payments only to a PSU who has signed in', async () => {
    const started = await aStartedSession();
    const before = await sessions.findSessionWithConsent(started.key);
    expect(before?.consent).toMatchObject({ consentId: started.consentId, status: 'AwaitingAuthorisation' });
    expect(before?.consent?.instructions).toBeUndefined();
    const signedIn = await aSignedInSession();
    const after = await sessions.findSessionWithConsent(signedIn.key);
    const approvalHash = sha256(instructions);
    expect(after?.consent).toMatchObject({ instructions, approvalHash, localInstrument: 'UK.OBIE.FPS' });
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
    await sessions.endSession({ key, rejectConsent: false, ending: 'Declined', now });
    expect(await sessions.findSessionOfRequest(search)).toBeUndefined();
  });

  it('learns when the redirect URI is no longer registered', async () => {
    const { key, clientId } = await aStartedSession();
    expect(await sessions.findSession(key)).toMatchObject({ isRedirectUriRegistered: true });
    await dataSource.query(`UPDATE clients SET redirect_uris = '{}' WHERE client_id = $1`, [clientId]);
    expect(await sessions.findSession(key)).toMatchObject({ isRedirectUriRegistered: false });
  });
});
