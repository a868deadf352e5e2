import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ApprovalSessionService, DeclineNoticeQueue, type SessionKey } from '#libs/customer-session';
import { SetClock } from '../../support/scripted-scheme.js';
import {
  aChallenge,
  aClient,
  acr,
  anApproval,
  aStartedSession,
  codesOf,
  anAccessConsent,
  anAskedSession,
  aConsent,
  aSignedInSession,
  consentOf,
  database,
  dataSource,
  later,
  now,
  sessions,
  useCustomerSessions,
} from './customer-session-world.js';

useCustomerSessions();

interface Given {
  readonly key: SessionKey;
  readonly challengeId: string;
  readonly started: number;
}

type Step = (given: Given, at: Date) => Promise<unknown>;

/** What a step must name, and its time: each with something else in its place. */
const mistakes: Record<string, (given: Given, other: Given) => Given> = {
  value: (given) => ({ ...given, key: { ...given.key, sessionHash: randomBytes(32) } }),
  session: (given, other) => ({ ...given, key: { ...given.key, sessionId: other.key.sessionId } }),
  time: (given) => given,
  challenge: (given) => ({ ...given, challengeId: randomUUID() }),
  count: (given) => ({ ...given, started: given.started + 1 }),
};

interface Sessions {
  /** makes one in a stage */
  readonly open: (stage: string) => Promise<Given>;
  readonly table: string;
}

const rowsOf = async (table: string): Promise<string> =>
  JSON.stringify(await dataSource.query(`SELECT * FROM ${table} ORDER BY created_at, session_hash`));

/** @returns in which stages a step changes its session, and which mistakes it refuses in the first of them */
async function tryStep({ open, table }: Sessions, stages: readonly string[], step: Step): Promise<string[][]> {
  const isChanged = async (given: Given, at: Date): Promise<boolean> => {
    const before = await rowsOf(table);
    await step(given, at);
    return (await rowsOf(table)) !== before;
  };
  const found: string[] = [];
  for (const stage of stages) if (await isChanged(await open(stage), later(10))) found.push(stage);
  const other = await open(found[0] ?? '');
  const refused: string[] = [];
  for (const [name, make] of Object.entries(mistakes)) {
    const given = make(await open(found[0] ?? ''), other);
    if (!(await isChanged(given, later(name === 'time' ? 600 : 10)))) refused.push(name);
  }
  return [found, refused];
}

const row = (...given: [title: string, stages: string, refused: string, step: Step]) => given;
const verified = { acr, authenticatedAt: now.toISOString() };
const newHash = () => ({ newSessionHash: randomBytes(32) });
const visits = (): ApprovalSessionService => new ApprovalSessionService(database);

describe('a step of a journey', () => {
  const psu = { psuId: 'psu-1', psuName: 'Alex Green' };
  const signIn = 'value session time';

  it.each([
    row('the password, before a second factor', 'SignIn', signIn, ({ key }, at) =>
      sessions.enterSecondFactor({ key, ...newHash(), ...psu, challenge: aChallenge(), now: at }),
    ),
    row('the password alone', 'SignIn', signIn, ({ key }, at) =>
      sessions.enterConsentAtOnce({ key, ...newHash(), ...psu, now: at }),
    ),
    row('the second factor', 'SecondFactor', 'value session time challenge', ({ key, challengeId }, at) =>
      sessions.completeSignIn({ key, ...newHash(), challengeId, acr, authenticatedAt: now, now: at }),
    ),
    row('another second factor', 'SecondFactor', 'value session time count', ({ key, started }, at) =>
      sessions.replaceSecondFactor({ key, challenge: aChallenge(), started, now: at }),
    ),
    row(
      'the request for a challenge',
      'SignIn SecondFactor Consent Challenge',
      'value session time count',
      ({ key, started }, at) => sessions.reserveChallenge({ key, started, requestedAt: later(-100), now: at }),
    ),
    row('a challenge of a decision', 'Consent Challenge', 'value session time count', ({ key, started }, at) =>
      sessions.enterChallenge({ key, challenge: aChallenge(), started, now: at }),
    ),
    row(
      'a challenge that was not stored',
      'SignIn SecondFactor Consent Challenge Completed',
      'value session count',
      ({ key, started }) => sessions.giveChallengeBack({ key, started }),
    ),
    row(
      'an answer to a challenge',
      'SecondFactor Challenge',
      'value session time challenge',
      ({ key, challengeId }, at) => sessions.claimChallenge({ key, challengeId, now: at }),
    ),
    row(
      'a wrong answer',
      'SignIn SecondFactor Consent Challenge Completed',
      'value session challenge',
      ({ key, challengeId }) => sessions.releaseChallenge({ key, challengeId }),
    ),
    row(
      'the last wrong answer',
      'SignIn SecondFactor Consent Challenge Completed',
      'value session challenge',
      ({ key, challengeId }) => sessions.endChallenge({ key, challengeId }),
    ),
    row(
      'a right answer whose decision was not stored',
      'SignIn SecondFactor Consent Challenge Completed',
      'value session challenge',
      ({ key, challengeId }) => sessions.keepVerification({ key, challengeId, verified }),
    ),
    row('activity', 'SignIn SecondFactor Consent Challenge', signIn, ({ key }, at) =>
      sessions.renew({ key, now: at, idleSeconds: 300, sessionSeconds: 1_000 }),
    ),
    row('the approval', 'Challenge', 'value session time challenge', ({ key, challengeId }, at) =>
      sessions.approve({ ...anApproval({ key, challengeId }), now: at }),
    ),
    row('an end', 'SignIn SecondFactor Consent Challenge', 'value session', ({ key }, at) =>
      sessions.endSession({ key, rejectConsent: false, ending: 'Declined', now: at }),
    ),
  ])('%s: in the stages %s, with the right %s', async (_step, stages, refused, step) => {
    const like = { clientId: await aClient() };
    const open = async (stage: string): Promise<Given> => {
      const { key } = await aStartedSession({ withConsent: false, like });
      const challenge = aChallenge();
      await dataSource.query(
        `UPDATE authorization_sessions SET stage = $2, challenge = $3, challenges_started = 1,
           challenge_checked_at = $4,
           challenge_requested_at = $4, psu_id = 'psu-1' WHERE authorization_session_id = $1`,
        [key.sessionId, stage, challenge, later(-100)],
      );
      return { key, challengeId: challenge.challengeId, started: 1 };
    };
    const all = ['SignIn', 'SecondFactor', 'Consent', 'Challenge', 'Completed'];
    const found = await tryStep({ open, table: 'authorization_sessions' }, all, step);
    expect(found.map((words) => words.join(' '))).toEqual([stages, refused]);
  });
});

/** @returns a visit without the second factor, or with it */
async function aVisit({ acr: reached, psuId = 'psu-1' }: { acr?: string | undefined; psuId?: string }): Promise<Given> {
  const key = { sessionId: randomUUID(), sessionHash: randomBytes(32) };
  const visit = { ...key, psuId, psuName: 'Alex', now, expiresAt: later(600) };
  expect([await visits().start(visit), await visits().start({ ...visit, sessionId: randomUUID() })]).toEqual([
    true,
    false,
  ]);
  const challenge = aChallenge();
  await dataSource.query(
    `UPDATE approval_sessions SET challenge = $2, acr = $3, challenge_checked_at = $4, challenge_requested_at = $4
      WHERE approval_session_id = $1`,
    [key.sessionId, challenge, reached, later(-100)],
  );
  return { key, challengeId: challenge.challengeId, started: 1 };
}

const openVisit = (stage: string): Promise<Given> => aVisit({ acr: stage === 'SignedIn' ? acr : undefined });

describe('a step of a visit', () => {
  it.each([
    row('the second factor', 'SignIn', 'value session time challenge', ({ key, challengeId }, at) =>
      visits().completeSignIn({ key, ...newHash(), challengeId, acr, authenticatedAt: now, now: at }),
    ),
    row('the request for a challenge', 'SignIn SignedIn', 'value session time count', ({ key, started }, at) =>
      visits().reserveChallenge({ key, started, requestedAt: later(-100), now: at }),
    ),
    row('a challenge', 'SignIn SignedIn', 'value session time count', ({ key, started }, at) =>
      visits().enterChallenge({ key, challenge: aChallenge(), started, now: at }),
    ),
    row('a challenge that was not stored', 'SignIn SignedIn', 'value session count', ({ key, started }) =>
      visits().giveChallengeBack({ key, started }),
    ),
    row('an answer to a challenge', 'SignIn SignedIn', 'value session time challenge', ({ key, challengeId }, at) =>
      visits().claimChallenge({ key, challengeId, now: at }),
    ),
    row('a wrong answer', 'SignIn SignedIn', 'value session challenge', ({ key, challengeId }) =>
      visits().releaseChallenge({ key, challengeId }),
    ),
    row(
      'a right answer whose decision was not stored',
      'SignIn SignedIn',
      'value session challenge',
      ({ key, challengeId }) => visits().keepVerification({ key, challengeId, verified }),
    ),
    row('activity', 'SignIn SignedIn', 'value session time', ({ key }, at) =>
      visits().renew({ key, now: at, idleSeconds: 300, sessionSeconds: 1_000 }),
    ),
    row('an end', 'SignIn SignedIn', 'value', ({ key }) => visits().end(key.sessionHash)),
  ])('%s: in the stages %s, with the right %s', async (_step, stages, refused, step) => {
    const world = { open: openVisit, table: 'approval_sessions' };
    const found = await tryStep(world, ['SignIn', 'SignedIn'], step);
    expect(found.map((words) => words.join(' '))).toEqual([stages, refused]);
  });

  it('finds it by its value until it expires, and for its customer those with both factors', async () => {
    const psuId = `psu ${randomUUID()}`;
    const [half, own, newer] = [await aVisit({ psuId }), await aVisit({ psuId, acr }), await aVisit({ psuId, acr })];
    const other = await aVisit({ acr });
    const find = ({ key }: Given, at: number) => visits().find(key.sessionHash, later(at));
    expect(await find(own, 599)).toMatchObject({ psuId, sessionId: own.key.sessionId });
    expect([await find(own, 600), await visits().find(randomBytes(32), now)]).toEqual([undefined, undefined]);
    const ofPsu = async (at: number) =>
      (await visits().findOfPsu(psuId, later(at))).map(({ sessionId }) => sessionId).toSorted();
    expect(await ofPsu(599)).toEqual([own, newer].map(({ key }) => key.sessionId).toSorted());
    expect(await ofPsu(600)).toEqual([]);
    await visits().endOfPsu('psu-1', { sessionId: own.key.sessionId });
    expect(await find(own, 1)).toBeDefined();
    await visits().endOfPsu(psuId, { except: own.key.sessionId });
    expect([await find(half, 1), await find(newer, 1)]).toEqual([undefined, undefined]);
    expect([await find(own, 1), await find(other, 1)]).toEqual([expect.anything(), expect.anything()]);
    const another = await aVisit({ psuId, acr });
    await visits().endOfPsu(psuId, { sessionId: own.key.sessionId });
    expect([await find(own, 1), await find(another, 1)]).toEqual([undefined, expect.anything()]);
  });
});

const accounts = [{ SchemeName: 'UK.OBIE.IBAN', Identification: 'GB82WEST', Name: 'Household' }];
const accessOf = async (consentId: string) =>
  (await dataSource.query('SELECT status, psu_id FROM access_consents WHERE consent_id = $1', [consentId]))[0];

describe('the decision on a consent', () => {
  it.each([
    ['has expired', 'access_consents SET expires_at', later(60)],
    ['was rejected', 'access_consents SET status', 'Rejected'],
    ['is another customer’s', 'access_consents SET psu_id', 'psu-2'],
    [
      'is another client’s',
      'authorization_sessions SET consent_id',
      async () => anAccessConsent(await aClient(), 'account-access'),
    ],
  ])('gives no access by a consent that %s meanwhile', async (_title, change, value) => {
    const clientId = await aClient();
    const consentId = await anAccessConsent(clientId, 'account-access');
    const like = { clientId, consentId };
    const asked = await anAskedSession({ like, scope: ['openid', 'accounts'], challenge: aChallenge({ accounts }) });
    const changed = typeof value === 'function' ? await value() : value;
    await dataSource.query(`UPDATE ${change} = $2 WHERE consent_id = $1`, [consentId, changed]);
    const sql = 'SELECT * FROM access_consents ORDER BY consent_id';
    const before = await dataSource.query(sql);
    expect(await sessions.approveAccess(anApproval(asked))).toBe('ConsentChanged');
    expect(await dataSource.query(sql)).toEqual(before);
    expect(await codesOf(clientId)).toEqual([]);
  });

  it('rejects no access that was given before, no consent of another client, and none before the sign-in', async () => {
    const [clientId, other] = [await aClient(), await aClient()];
    const [given, ofOther, own] = [
      await anAccessConsent(clientId, 'account-access'),
      await anAccessConsent(other, 'account-access'),
      await anAccessConsent(clientId, 'account-access'),
    ];
    await dataSource.query(
      `UPDATE access_consents SET status = 'Authorised', psu_id = 'psu-1', authorised_at = $2, challenge_id = 'c',
         accounts = '[]'
        WHERE consent_id = $1`,
      [given, now],
    );
    const payments = await aConsent(other);
    for (const consentId of [given, ofOther, own, payments]) {
      const { key } = await aSignedInSession({ like: { clientId }, withConsent: false });
      const sql = 'UPDATE authorization_sessions SET consent_id = $2 WHERE authorization_session_id = $1';
      await dataSource.query(sql, [key.sessionId, consentId]);
      // Its own consent: an end that leaves it for another customer.
      expect(await sessions.endSession({ key, rejectConsent: consentId !== own, ending: 'Declined', now })).toBe(true);
    }
    // Before the sign-in, a stranger may hold the address.
    const started = await aStartedSession({ like: { clientId, consentId: own }, scope: ['openid', 'accounts'] });
    expect(await sessions.endSession({ ...started, rejectConsent: true, ending: 'Declined', now })).toBe(true);
    const states = await Promise.all([given, ofOther, own].map(accessOf));
    expect(states.map(({ status }) => status)).toEqual([
      'Authorised',
      'AwaitingAuthorisation',
      'AwaitingAuthorisation',
    ]);
    expect(await consentOf(payments)).toMatchObject({ status: 'AwaitingAuthorisation' });
  });
});

describe('the notice of a decline', () => {
  it('is due again after a pause that doubles, up to an hour, until the bank has it', async () => {
    await dataSource.query('DELETE FROM decline_notices');
    const clock = new SetClock();
    const queue = new DeclineNoticeQueue(database, clock);
    const [own, earlier, ahead] = [randomUUID(), randomUUID(), randomUUID()];
    for (const [id, seconds] of [
      [own, 0],
      [earlier, -1],
      [ahead, 1_000_000],
    ] as const) {
      const sql = `INSERT INTO decline_notices (decline_notice_id, report, next_attempt_at) VALUES ($1, '{}', $2)`;
      await dataSource.query(sql, [id, new Date(clock.time + seconds * 1_000)]);
    }
    expect(await queue.take(1)).toMatchObject([{ declineNoticeId: earlier, attempts: 1 }]);
    await queue.remove([earlier]);
    const takeAfter = async (seconds: number): Promise<unknown[]> => {
      clock.time += seconds * 1_000;
      return (await queue.take(10)).map(({ declineNoticeId, attempts }) => [declineNoticeId, attempts]);
    };
    expect([await takeAfter(0), await takeAfter(9), await takeAfter(1)]).toEqual([[[own, 1]], [], [[own, 2]]]);
    expect([await takeAfter(19), await takeAfter(1)]).toEqual([[], [[own, 3]]]);
    await dataSource.query('UPDATE decline_notices SET attempts = 20 WHERE decline_notice_id = $1', [own]);
    expect([await takeAfter(40), await takeAfter(3_599), await takeAfter(1)]).toEqual([[[own, 21]], [], [[own, 22]]]);
    const left = await dataSource.query('SELECT attempts FROM decline_notices ORDER BY attempts');
    expect(left).toEqual([{ attempts: 0 }, { attempts: 22 }]);
  });
});
