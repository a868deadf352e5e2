import { describe, expect, it } from '@jest/globals';
import type { SessionKey } from '#libs/customer-session';
import { createRandomToken, hashToken } from '#libs/oauth';
import { notedAnswers } from '../../../../test/support/noted-answers.js';
import { ChallengeDesk } from '../challenge/challenge-desk.service.js';
import { readWord } from '../pages/carried-word.js';
import { PsuLockedError } from '../psu-session/page-errors.js';
import { ApprovalSignInController } from './approval-sign-in.controller.js';

const now = new Date('2026-11-27T12:00:00Z');
const authenticatedAt = new Date('2026-11-27T11:59:00Z');
const challenge = { challengeId: 'b-1', method: 'Push', interactionId: 'i-0' };
const halfway = { sessionId: 's-1', psuId: 'bob', psuName: 'Bob', challengesStarted: 1, challenge };
const value = createRandomToken();
const credentials = { username: 'bob', password: 'p' };
const landing = '/approvals/access';
const away = Object.assign(new Error('away'), { code: '57P01' });

/** A visit that signs in, and what happens at the bank and in the database. */
function withOutcomes({
  session = halfway as object | null,
  status = 'Approved',
  password = { outcome: 'Verified', psuId: 'bob', displayName: 'Bob' } as object,
  verification = { outcome: 'Verified', acr: 'a', authenticatedAt } as object | Error,
  isClaimed = true,
  isSent = true,
  completing = true as boolean | Error,
  starts = [true],
  other = undefined as object | undefined,
  next = [] as (object | undefined)[],
  asking = undefined as Error | undefined,
} = {}) {
  const { log, answer } = notedAnswers();
  const visit = { value, session: session ?? undefined };
  const visits = {
    admitForm: answer('admit', visit),
    findForForm: answer('admit', visit),
    createWayOn: (way: object) => ({ kind: 'redirect', ...way }),
    createWayToSignIn: (_visit: unknown, wanted?: string) => ({ kind: 'redirect', wanted }),
    createCookie: (held: string) => held,
  };
  const [left, found] = [[...starts], [...next]];
  const sessions = {
    claimChallenge: answer('claim', isClaimed),
    releaseChallenge: answer('release'),
    keepVerification: answer('keep'),
    completeSignIn: answer('complete', completing),
    start: (step: unknown) => answer('start', left.shift())(step),
    enterChallenge: answer('enter', true),
    end: answer('end'),
    find: (sessionHash: Buffer) => answer('find', found.shift())(sessionHash),
  };
  const desk = {
    findStatus: answer('status', status),
    verify: answer('verify', verification),
    ask: answer('ask', asking ?? challenge),
    askVisitor: answer('ask again', isSent),
    awaitVisitor: answer('await', other),
    awaitCheckOfVisitor: answer('await check', other),
    storeForVisitor: ChallengeDesk.prototype.storeForVisitor,
    verifyForVisitor: ChallengeDesk.prototype.verifyForVisitor,
    approvals: sessions,
  };
  const parts: Record<string, unknown> = {
    visits,
    sessions,
    authentication: { verifyPassword: answer('password', password) },
    limits: { countVisit: answer('count') },
    desk,
    pages: { createSignInChallenge: ({ problem }: { problem?: object }) => ({ kind: 'page', problem }) },
    renderer: { render: (name: string, write: () => object) => ({ name, ...write() }) },
    config: {
      secrets: { sessionKeys: [1, 2].map((fill) => ({ key: Buffer.alloc(32, fill) })) },
      authorization: { idleSeconds: 300, sessionSeconds: 3_600 },
    },
    clock: { now: () => now },
  };
  const service = new ApprovalSignInController(
    ...(Object.values(parts) as unknown as ConstructorParameters<typeof ApprovalSignInController>),
  );
  const names = (): string[] => log.map(([name]) => name).filter((name) => name !== 'admit');
  return { service, visit: visit as never, log, names };
}
const sent = (form: object = {}, word?: string) =>
  ({
    form: new Map(Object.entries({ to: landing, ...form })),
    interactionId: 'i-1',
    ...(word !== undefined && { word: { name: word } }),
  }) as never;
const load = (isSafe = false) => ({ isSafe, isEnded: false }) as never;
const wordOf = (answer: object) => {
  const { location, cookies } = answer as { location: string; cookies?: string[] };
  return readWord(cookies?.[0]?.split(';')[0], location);
};
const checked = ['claim', 'verify'];

describe('the password of a visitor', () => {
  it('that is right starts a session of the idle time, makes the bank ask, and ends the session before', async () => {
    const { service, log, names } = withOutcomes();
    const answer = await service.submitPassword(sent(credentials));
    expect(names()).toEqual(['count', 'password', 'start', 'ask', 'enter', 'end']);
    const { sessionId, sessionHash, ...started } = log.find(([name]) => name === 'start')![1] as SessionKey;
    expect(started).toMatchObject({ psuId: 'bob', now, expiresAt: new Date('2026-11-27T12:05:00Z') });
    const { cookie } = answer as never as { cookie: string };
    expect([hashToken(cookie), cookie === value]).toEqual([sessionHash, false]);
    expect(log.at(-2)?.[1]).toEqual({ key: { sessionId, sessionHash }, challenge, started: 1, now });
    expect(log.at(-1)).toEqual(['end', hashToken(value)]);
    expect(answer).toMatchObject({ landing });
  });

  it('of two clicks gives both the same session, and asks the bank once', async () => {
    const first = withOutcomes({ session: null });
    const second = withOutcomes({ session: null, starts: [false], other: { psuId: 'bob' } });
    expect(await second.service.submitPassword(sent(credentials))).toEqual(
      await first.service.submitPassword(sent(credentials)),
    );
    expect(second.names()).toEqual(['count', 'password', 'start', 'await']);
  });

  it.each([
    ['was somebody else’s', { psuId: 'carol' }],
    ['has given the second factor since', { psuId: 'bob', acr: 'a' }],
    ['failed', undefined],
  ])('gets another session if the other click %s', async (_title, other) => {
    const { service, log, names } = withOutcomes({ session: null, starts: [false, true], other });
    const { cookie } = (await service.submitPassword(sent(credentials))) as never as { cookie: string };
    expect(names()).toEqual(['count', 'password', 'start', 'await', 'start', 'ask', 'enter']);
    const [taken, own] = log
      .filter(([name]) => name === 'start')
      .map(([, step]) => (step as { sessionHash: Buffer }).sessionHash);
    expect([hashToken(cookie).equals(own!), own!.equals(taken!)]).toEqual([true, false]);
  });

  it('leaves no session if the bank cannot ask', async () => {
    const { service, names } = withOutcomes({ asking: new Error('away') });
    await expect(service.submitPassword(sent(credentials))).rejects.toThrow('away');
    expect(names()).toEqual(['count', 'password', 'start', 'ask', 'end']);
  });

  it.each([
    ['is wrong', credentials, { name: 'wrongCredentials', value: 'bob' }, ['count', 'password']],
    ['is missing', { username: 'bob' }, { name: 'passwordMissing', value: 'bob' }, []],
  ])('that %s is asked for again', async (_title, form, word, steps) => {
    const { service, names } = withOutcomes({ password: { outcome: 'InvalidCredentials' } });
    expect(wordOf(await service.submitPassword(sent(form)))).toEqual(word);
    expect(names()).toEqual(steps);
  });

  it('of somebody whom the bank has locked ends the visit', async () => {
    const { service } = withOutcomes({ password: { outcome: 'Locked' } });
    await expect(service.submitPassword(sent(credentials))).rejects.toThrow(PsuLockedError);
  });
});

describe('the second factor of a visitor', () => {
  const code = { one_time_code: '123456' };

  it('that is right gives the session a new value', async () => {
    const { service, log, names } = withOutcomes();
    const { cookie } = (await service.submitOneTimeCode(sent(code))) as never as { cookie: string };
    expect(names()).toEqual([...checked, 'complete']);
    const binding = { purpose: 'SignIn', psuId: 'bob', interactionId: 'i-0' };
    expect(log.find(([name]) => name === 'verify')?.[1]).toMatchObject({ oneTimeCode: '123456', binding });
    const step = {
      key: { sessionId: 's-1', sessionHash: hashToken(value) },
      newSessionHash: hashToken(cookie),
      challengeId: 'b-1',
      acr: 'a',
      now,
    };
    expect(log.at(-1)).toEqual(['complete', { ...step, authenticatedAt }]);
  });

  it.each([
    ['is being checked', { isClaimed: false }],
    ['was faster', { completing: false }],
  ])('of two clicks gives both the same value, if the other %s', async (_title, outcomes) => {
    const first = await withOutcomes().service.submitOneTimeCode(sent(code));
    const second = withOutcomes({ ...outcomes, next: [{ psuId: 'bob' }] });
    expect(await second.service.submitOneTimeCode(sent(code))).toEqual(first);
    const { cookie } = first as never as { cookie: string };
    expect(second.log.slice(-2)).toEqual([
      ['await check', hashToken(value)],
      ['find', hashToken(cookie)],
    ]);
  });

  it('of two clicks gives both the value that a process with an older key has given', async () => {
    const { service, log } = withOutcomes({ isClaimed: false, next: [undefined, { psuId: 'bob' }] });
    const { cookie } = (await service.submitOneTimeCode(sent(code))) as never as { cookie: string };
    expect(log.at(-1)).toEqual(['find', hashToken(cookie)]);
  });

  it.each([undefined, { psuId: 'carol' }])('gets no cookie of a session that is not its own: %j', async (other) => {
    const { service } = withOutcomes({ isClaimed: false, next: [other, other] });
    expect(await service.submitOneTimeCode(sent(code))).toEqual({ kind: 'redirect', landing });
  });

  it.each([
    ['wrong', { challenge }, 'wrongCode'],
    ['kept for the page, which continues', { challenge: { ...challenge, verified: {} } }, undefined],
  ])('of another click may be %s', async (_title, other, word) => {
    const { service, names } = withOutcomes({ isClaimed: false, other });
    expect([wordOf(await service.submitOneTimeCode(sent(code)))?.name, names()]).toEqual([
      word,
      ['claim', 'await check'],
    ]);
  });

  it.each([
    ['is wrong', { outcome: 'InvalidCredentials' }, code, 'wrongCode', [...checked, 'release']],
    ['the bank takes no more', { outcome: 'Over' }, code, 'secondFactorUsed', [...checked, 'release']],
    ['is missing', {}, {}, 'codeMissing', []],
  ])('that %s is asked for again', async (_title, verification, form, word, steps) => {
    const { service, names } = withOutcomes({ verification });
    expect(wordOf(await service.submitOneTimeCode(sent(form)))?.name).toBe(word);
    expect(names()).toEqual(steps);
  });

  it.each([
    ['the bank is away: the code may be sent again', { verification: new Error('x') }, [...checked, 'release']],
    ['the database is away: what the bank said is kept', { completing: away }, [...checked, 'complete', 'keep']],
    [
      'anything else fails: another may be asked for',
      { completing: new Error('x') },
      [...checked, 'complete', 'release'],
    ],
  ])('fails if %s', async (_title, outcomes, steps) => {
    const { service, names } = withOutcomes(outcomes);
    await expect(service.submitOneTimeCode(sent(code))).rejects.toThrow(/^(x|away)$/);
    expect(names()).toEqual(steps);
  });

  it.each([null, { ...halfway, acr: 'a' }])('is none without a session that waits for it', async (session) => {
    const { service, names } = withOutcomes({ session });
    expect(await service.submitOneTimeCode(sent(code))).toEqual({ kind: 'redirect', wanted: landing });
    expect(await service.askAgain(sent())).toEqual({ kind: 'redirect', wanted: landing });
    expect(names()).toEqual([]);
  });

  it.each([true, false])('may be sent again; the page says so only if it was: %j', async (isSent) => {
    const { service, names } = withOutcomes({ isSent });
    const answer = await service.askAgain(sent());
    expect([wordOf(answer)?.name, names()]).toEqual([isSent ? 'codeSent' : undefined, ['ask again']]);
  });
});

describe('the page of a visitor’s sign-in', () => {
  const shown = { kind: 'page', problem: undefined };

  it.each([
    ['waits', { status: 'Pending' }, false, ['status']],
    ['changes nothing for HEAD', {}, true, ['status']],
    // A redirect would come back at once, until the browser gives up.
    ['waits while another request checks the approval', { isClaimed: false }, false, ['status', 'claim']],
  ])('%s', async (_title, outcomes, isSafe, steps) => {
    const { service, visit, names } = withOutcomes(outcomes);
    expect([await service.show(visit, sent(), load(isSafe)), names()]).toEqual([shown, steps]);
  });

  it('leads on after an approval in the app', async () => {
    const { service, visit, names } = withOutcomes();
    expect(await service.show(visit, sent(), load())).toMatchObject({ kind: 'redirect' });
    expect(names()).toEqual(['status', ...checked, 'complete']);
  });

  it('says a mistake first, or that the app refused', async () => {
    const { service, visit, names } = withOutcomes();
    const mistaken = await service.show(visit, sent({}, 'wrongCode'), load());
    expect([mistaken, names()]).toEqual([expect.objectContaining({ problem: expect.anything() }), []]);
    const refused = withOutcomes({ status: 'Refused' });
    expect(await refused.service.show(visit, sent(), load())).toMatchObject({ problem: { code: 'ChallengeRefused' } });
  });

  it('asks somebody without a session for the password', async () => {
    const { service, visit } = withOutcomes({ session: null });
    expect(await service.show(visit, sent(), load())).toMatchObject({
      status: 200,
      page: { name: 'approval-sign-in' },
    });
    const again = await service.show(visit, sent({}, 'wrongCredentials'), load());
    expect(again).toMatchObject({ status: 400, page: { problem: expect.anything() } });
  });
});

it('a sign-out ends the session and takes the cookie', async () => {
  const { service, log } = withOutcomes();
  expect(await service.signOut(sent())).toMatchObject({ cookie: expect.stringContaining('Max-Age=0') });
  expect(log.at(-1)).toEqual(['end', hashToken(value)]);
});
