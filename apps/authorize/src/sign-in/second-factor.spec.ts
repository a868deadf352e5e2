import { describe, expect, it } from '@jest/globals';
import { notedAnswers } from '../../../../test/support/noted-answers.js';
import { ChallengeDesk } from '../challenge/challenge-desk.service.js';
import { readWord } from '../pages/carried-word.js';
import { SecondFactorController } from './second-factor.controller.js';

const now = new Date('2026-11-27T12:00:00Z');
const authenticatedAt = new Date('2026-11-27T11:59:00Z');
const challenge = { challengeId: 'b-1', method: 'Push', interactionId: 'i-0' };
const page = '/second-factor?authorization=s-1';

/** A journey at its second factor, and what happens at the bank and in the database. */
function withOutcomes({
  status = 'Approved',
  verification = { outcome: 'Verified', acr: 'a', authenticatedAt } as object,
  isClaimed = true,
  isMoved = false,
  hasChallenge = true,
  isSent = true,
  entering = true as boolean | Error,
  acr = undefined as object | undefined,
  found = undefined as object | undefined,
} = {}) {
  const { log, answer } = notedAnswers();
  const request = { acr, clientName: 'Shop' };
  const challenged = hasChallenge ? { challenge } : {};
  const session = { sessionId: 's-1', stage: 'SecondFactor', psuId: 'bob', ...challenged, request };
  const open = { key: 'k', value: 'v', call: { interactionId: 'i-1' }, session };
  const psuSessions = {
    open: answer('open', open),
    admitForm: answer('admit'),
    withWayBack: (_open: unknown, step: () => Promise<unknown>) => step(),
    nextValue: () => 'w',
    createNextStep: answer('next', 'the next page'),
    leaveUnauthenticated: answer('leave', 'the page of an end'),
  };
  const sessions = {
    claimChallenge: answer('claim', isClaimed),
    releaseChallenge: answer('release'),
    keepVerification: answer('keep'),
    completeSignIn: answer('enter', entering),
    replaceSecondFactor: answer('replace', true),
    findSession: answer('look', isMoved ? undefined : session),
  };
  const desk = {
    findStatus: answer('status', status),
    verify: answer('verify', verification),
    awaitCheck: answer('await', found),
    askWithin: async (_open: unknown, binding: unknown, enter: (step: object) => Promise<boolean>) => {
      log.push(['ask', binding]);
      await enter({ challenge: { challengeId: 'b-2' }, started: 2 });
      return isSent;
    },
    store: ChallengeDesk.prototype.store,
    sessions,
  };
  const pages = { createSignInPage: (_open: unknown, problem?: object) => ({ kind: 'page', problem }) };
  const parts = [psuSessions, sessions, desk, pages, { now: () => now }];
  const service = new SecondFactorController(
    ...(parts as unknown as ConstructorParameters<typeof SecondFactorController>),
  );
  const names = (): string[] => log.map(([name]) => name).filter((name) => !['open', 'admit'].includes(name));
  return { service, log, names };
}
const sent = (form: Record<string, string> = { one_time_code: '123456' }) =>
  ({ form: new Map(Object.entries(form)), interactionId: 'i-1' }) as never;
const load = (isSafe = false) => ({ isSafe, isWaiting: false }) as never;
const shown = { kind: 'page', problem: undefined };

describe('a second factor', () => {
  it('that is right leads on, with a new value of the session', async () => {
    const { service, log, names } = withOutcomes();
    expect([await service.submit(sent()), names()]).toEqual(['the next page', ['claim', 'verify', 'enter', 'next']]);
    const step = { key: 'k', challengeId: 'b-1', acr: 'a', authenticatedAt, now };
    expect(log.find(([name]) => name === 'enter')?.[1]).toMatchObject(step);
    const next = { stage: 'Consent', psuId: 'bob', isFirst: true, oneTimeCode: '123456' };
    expect(log.at(-1)?.[1]).toMatchObject(next);
  });

  it.each([
    ['is wrong', { outcome: 'InvalidCredentials' }, {}, 'wrongCode', ['claim', 'verify', 'release']],
    ['the bank takes no more', { outcome: 'Over' }, {}, 'secondFactorUsed', ['claim', 'verify', 'release']],
    ['is missing', {}, { one_time_code: '' }, 'codeMissing', []],
  ])('that %s is asked for again', async (_title, verification, form, word, steps) => {
    const { service, names } = withOutcomes({ verification });
    const { location, cookies } = (await service.submit(sent({ one_time_code: '123456', ...form }))) as never as {
      location: string;
      cookies: string[];
    };
    expect([location, readWord(cookies[0]?.split(';')[0], page)?.name, names()]).toEqual([page, word, steps]);
  });

  it('of a level below the request’s ends the journey', async () => {
    const { service, names } = withOutcomes({ acr: { values: ['b'], essential: true } });
    expect([await service.submit(sent()), names()]).toEqual(['the page of an end', ['claim', 'verify', 'leave']]);
  });

  it.each([true, false])('may be sent again; the page says so only if it was: %j', async (isSent) => {
    const { service, log, names } = withOutcomes({ isSent });
    const { location, cookies } = (await service.askAgain(sent())) as never as { location: string; cookies?: string[] };
    const word = isSent ? 'codeSent' : undefined;
    expect([location, readWord(cookies?.[0]?.split(';')[0], page)?.name, names()]).toEqual([
      page,
      word,
      ['ask', 'replace'],
    ]);
    expect(log.find(([name]) => name === 'ask')?.[1]).toMatchObject({
      purpose: 'SignIn',
      psuId: 'bob',
      interactionId: 'i-1',
    });
    expect(log.at(-1)?.[1]).toEqual({ key: 'k', challenge: { challengeId: 'b-2' }, started: 2, now });
  });

  it('has a status for the script of its page', async () => {
    expect(await withOutcomes().service.findStatus(sent())).toBe('Approved');
    expect(await withOutcomes({ hasChallenge: false }).service.findStatus(sent())).toBe('Used');
    const { service, names } = withOutcomes({ hasChallenge: false });
    expect([await service.show(sent(), load()), names()]).toEqual([shown, []]);
  });

  it.each([
    ['leads on', undefined, 'the next page', undefined, ['claim', 'await', 'next']],
    ['is wrong', { challenge: {} }, undefined, 'wrongCode', ['claim', 'await']],
    [
      'is kept for the page, which continues',
      { challenge: { verified: {} } },
      undefined,
      undefined,
      ['claim', 'await'],
    ],
  ])('of two clicks %s for both', async (_title, found, next, word, steps) => {
    const { service, names } = withOutcomes({ isClaimed: false, found });
    const answer = await service.submit(sent());
    expect(names()).toEqual(steps);
    if (next !== undefined) return expect(answer).toBe(next);
    const { location, cookies } = answer as { location: string; cookies?: string[] };
    expect([location, readWord(cookies?.[0]?.split(';')[0], page)?.name]).toEqual([page, word]);
  });

  it('is kept for the next attempt if the database is away', async () => {
    const away = Object.assign(new Error('away'), { code: '57P01' });
    const { service, log } = withOutcomes({ entering: away });
    await expect(service.submit(sent())).rejects.toBe(away);
    const verified = { acr: 'a', authenticatedAt: authenticatedAt.toISOString() };
    expect(log.at(-1)).toEqual(['keep', { key: 'k', challengeId: 'b-1', verified }]);
  });
});

describe('the page of the second factor', () => {
  it.each([
    ['waits', { status: 'Pending' }, false, shown, ['status']],
    [
      'leads on after an approval in the app',
      {},
      false,
      'the next page',
      ['status', 'claim', 'verify', 'enter', 'next'],
    ],
    ['changes nothing for HEAD', {}, true, shown, ['status']],
    // A redirect would come back at once, until the browser gives up.
    [
      'waits while another request checks the approval',
      { isClaimed: false },
      false,
      shown,
      ['status', 'claim', 'look'],
    ],
    [
      'follows another request that has led on',
      { isClaimed: false, isMoved: true },
      false,
      'the next page',
      ['status', 'claim', 'look', 'next'],
    ],
  ])('%s', async (_title, outcomes, isSafe, answer, steps) => {
    const { service, names } = withOutcomes(outcomes);
    expect([await service.show(sent(), load(isSafe)), names()]).toEqual([answer, steps]);
  });

  it('says that the app refused', async () => {
    const { service } = withOutcomes({ status: 'Refused' });
    expect(await service.show(sent(), load())).toMatchObject({ problem: { code: 'ChallengeRefused' } });
  });
});
