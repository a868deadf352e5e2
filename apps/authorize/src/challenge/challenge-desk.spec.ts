import { describe, expect, it } from '@jest/globals';
import { mostChallenges } from '#libs/customer-session';
import { BankUnavailableError } from '#libs/bank';
import { ServerError } from '#libs/oauth';
import { notedAnswers } from '../../../../test/support/noted-answers.js';
import { JourneyEndedError, PsuLockedError, TooManyChallengesError } from '../psu-session/page-errors.js';
import { ChallengeDesk } from './challenge-desk.service.js';

const now = new Date('2026-11-27T12:00:00Z');
const expiresAt = new Date('2026-11-27T12:05:00Z');
const binding = { purpose: 'SignIn', psuId: 'bob', interactionId: 'i-1' } as const;
const call = { interactionId: 'i-1' };
const started = { outcome: 'Started', challenge: { challengeId: 'c-1', method: 'Code', expiresAt } };
const stored = {
  challengeId: 'c-1',
  method: 'Code',
  expiresAt: expiresAt.toISOString(),
  interactionId: 'i-1',
  bound: binding,
};

const leave = (_open: unknown, { ending }: { ending: 'TooMany' }) =>
  Promise.reject(new JourneyEndedError(ending, {} as never, {}));

/** A desk at a bank that gives these answers, and what it asks and stores. */
function aDesk({
  start = started,
  status = 'Pending' as unknown,
  verified = { outcome: 'Verified' } as object,
  isFree = true,
  isEntered = true,
  found = [{ psuId: 'bob' }] as object[],
} = {}) {
  const { log, answer } = notedAnswers();
  const left = [...found];
  const look = (of: unknown): unknown => answer('look', left.length > 1 ? left.shift() : left[0])(of);
  const bank = {
    start: answer('start', start),
    findStatus: answer('status', status),
    verify: answer('verify', verified),
  };
  const sessions = {
    reserveChallenge: answer('reserve', isFree),
    findSession: look,
    find: look,
    enterChallenge: answer('enter', isEntered),
    giveChallengeBack: answer('give back', undefined),
    keepVerification: answer('keep', undefined),
    end: answer('end'),
    releaseChallenge: answer('release', undefined),
  };
  const config = { bank: { timeoutMilliseconds: 1_000 } };
  const parts = [bank, { leaveByPage: leave }, sessions, sessions, config, { now: () => now }] as never[];
  const desk = new ChallengeDesk(...(parts as unknown as ConstructorParameters<typeof ChallengeDesk>));
  return { desk, log, names: () => log.map(([name]) => name) };
}

const key = { sessionId: 's', sessionHash: Buffer.alloc(32) };
const openAfter = (challengesStarted: number) => ({ key, call, session: { challengesStarted } }) as never;
const visitAfter = (challengesStarted: number) => ({
  key,
  session: { psuId: 'bob', challengesStarted } as never,
  binding,
  call,
  most: 3,
});

describe('a challenge', () => {
  it('is stored with what the bank has bound it to', async () => {
    expect(await aDesk().desk.ask(binding, call)).toEqual(stored);
  });

  it.each([
    ['Locked', PsuLockedError],
    ['NotOffered', ServerError],
  ])('is none where the bank says %s', async (outcome, error) => {
    await expect(aDesk({ start: { outcome } as never }).desk.ask(binding, call)).rejects.toThrow(error);
  });
});

describe('in a journey', () => {
  it('the bank is asked once for each click that comes first, up to the limit', async () => {
    const { desk, names } = aDesk();
    const entered: unknown[] = [];
    const enter = (step: unknown): Promise<boolean> => Promise.resolve(entered.push(step) > 0);
    expect(await desk.askWithin(openAfter(mostChallenges - 1), binding, enter)).toBe(true);
    expect(entered).toEqual([{ challenge: stored, started: mostChallenges }]);
    await expect(desk.askWithin(openAfter(mostChallenges), binding, enter)).rejects.toThrow(JourneyEndedError);
    expect(names()).toEqual(['reserve', 'start']);
  });

  it('a click that comes second waits for the first one’s challenge', async () => {
    const { desk, names } = aDesk({ isFree: false });
    await desk.askWithin(openAfter(1), binding, () => Promise.reject(new Error('It must not store one.')));
    expect(names()).toEqual(['reserve', 'look']);
  });
});

describe('without a journey', () => {
  it('the bank is asked up to the limit, and the decision is stored with the challenge', async () => {
    const { desk, log } = aDesk();
    await desk.askVisitor({ ...visitAfter(2), decision: { filePaymentId: 'p' } });
    const challenge = { ...stored, filePaymentId: 'p' };
    expect(log.at(-1)).toEqual(['enter', { key, challenge, started: 3, now }]);
    await expect(desk.askVisitor(visitAfter(3))).rejects.toThrow(TooManyChallengesError);
    expect(log.slice(3)).toEqual([['end', key.sessionHash]]);
  });

  it('a click that comes second waits for the first one’s challenge', async () => {
    const { desk, names } = aDesk({ isFree: false });
    await desk.askVisitor(visitAfter(1));
    expect(names()).toEqual(['reserve', 'look']);
  });
});

describe.each([
  [
    'in a journey',
    (desk: ChallengeDesk, isEntered = true) => desk.askWithin(openAfter(1), binding, () => Promise.resolve(isEntered)),
  ],
  ['without a journey', (desk: ChallengeDesk) => desk.askVisitor(visitAfter(1))],
])('%s', (_title, ask) => {
  const givenBack = ['give back', { key, started: 2 }];

  it('a challenge that comes while the one before is checked is not kept; the customer may ask at once', async () => {
    const { desk, log } = aDesk({ isEntered: false });
    expect([await ask(desk, false), log.at(-1)]).toEqual([false, givenBack]);
  });

  it('a challenge that the bank does not start does not keep the next click waiting', async () => {
    const { desk, log } = aDesk({ start: new BankUnavailableError('away') as never });
    await expect(ask(desk)).rejects.toThrow(BankUnavailableError);
    expect(log.at(-1)).toEqual(givenBack);
  });
});

describe.each([
  ['in a journey', (desk: ChallengeDesk) => desk.awaitCheck(key)],
  ['without a journey', (desk: ChallengeDesk) => desk.awaitCheckOfVisitor(key.sessionHash)],
])('%s', (_title, waitFor) => {
  const checked = { stage: 'Challenge', isChallengeChecked: true };

  it.each([
    ['is not checked any more', { ...checked, isChallengeChecked: false }],
    ['has completed the journey', { ...checked, stage: 'Completed' }],
  ])('a click waits until the answer of another %s', async (_of, over) => {
    const { desk, names } = aDesk({ found: [checked, checked, over] });
    expect([await waitFor(desk), names()]).toEqual([over, ['look', 'look', 'look']]);
  });
});

describe('the status of a challenge', () => {
  it.each([
    ['Pending', 'by code', { expiresAt: '2026-11-27T12:00:00.001Z' }, []],
    ['Expired', 'by code, at its end', { expiresAt: now.toISOString() }, []],
    ['Approved', 'whose answer the bank has accepted', { method: 'Push', verified: {} }, []],
    ['Refused', 'in the app', { method: 'Push' }, ['status']],
    ['Refused', 'by code or in the app', { method: 'CodeOrPush' }, ['status']],
  ])('is %s: %s', async (status, _title, challenge, asked) => {
    const { desk, names } = aDesk({ status: 'Refused' });
    expect(await desk.findStatus({ ...stored, ...challenge } as never, call)).toBe(status);
    expect(names()).toEqual(asked);
  });

  it('is unchanged while the bank is away, and any other failure is one', async () => {
    const challenge = { ...stored, method: 'Push' } as never;
    const away = aDesk({ status: new BankUnavailableError('away') });
    expect(await away.desk.findStatus(challenge, call)).toBe('Pending');
    await expect(aDesk({ status: new TypeError('x') }).desk.findStatus(challenge, call)).rejects.toThrow(TypeError);
  });
});

describe('an answer to a challenge', () => {
  const answered = { challenge: stored as never, oneTimeCode: '123456', binding, call };

  it('goes to the bank with what it was bound to, and with a code if there is one', async () => {
    const { desk, log } = aDesk();
    expect(await desk.verify(answered)).toEqual({ outcome: 'Verified' });
    await desk.verify({ ...answered, oneTimeCode: undefined });
    const sent = { challengeId: 'c-1', binding, call };
    expect(log).toEqual([
      ['verify', { ...sent, oneTimeCode: '123456' }],
      ['verify', sent],
    ]);
  });

  it('is not sent once anything that was bound has changed', async () => {
    const { desk, log } = aDesk();
    const changed = { ...answered, binding: { ...binding, psuId: 'carol' } };
    expect([await desk.verify(changed), log]).toEqual([{ outcome: 'Over' }, []]);
  });

  it('that the bank has accepted before is not sent again, for what was bound', async () => {
    const { desk, log } = aDesk();
    const challenge = { ...stored, verified: { acr: 'a', authenticatedAt: now.toISOString() } } as never;
    const accepted = { outcome: 'Verified', acr: 'a', authenticatedAt: now };
    expect(await desk.verify({ ...answered, challenge })).toEqual(accepted);
    expect((await desk.verify({ ...answered, challenge, binding: { ...binding, psuId: 'carol' } })).outcome).toBe(
      'Over',
    );
    expect(log).toEqual([]);
  });

  it('may lock the customer', async () => {
    await expect(aDesk({ verified: { outcome: 'Locked' } }).desk.verify(answered)).rejects.toThrow(PsuLockedError);
  });
});

describe('what a right answer was for', () => {
  const away = Object.assign(new Error('away'), { code: '57P01' });
  const verified = { acr: 'a', authenticatedAt: now };
  const claim = { key, challengeId: 'c-1' };
  const kept = ['keep', { ...claim, verified: { acr: 'a', authenticatedAt: now.toISOString() } }];

  it.each([
    ['in a journey, an unavailable database', 'store', away, [kept]],
    ['in a visit, an unavailable database', 'storeForVisitor', away, [kept]],
    ['in a journey, which ends, any other failure', 'store', new Error('x'), []],
    [
      'in a visit, where the customer may ask again, any other failure',
      'storeForVisitor',
      new Error('x'),
      [['release', claim]],
    ],
  ] as const)(
    'is stored; %s: what the bank said is kept only if the next attempt can succeed',
    async (_title, store, error, log) => {
      const failing = aDesk();
      await expect(failing.desk[store](verified, claim, () => Promise.reject(error))).rejects.toBe(error);
      expect(failing.log).toEqual(log);
      const storing = aDesk();
      expect([await storing.desk[store](verified, claim, () => Promise.resolve('done')), storing.log]).toEqual([
        'done',
        [],
      ]);
    },
  );
});

it.each([
  ['wrong', { outcome: 'InvalidCredentials' }, ['verify', 'release']],
  ['over', { outcome: 'Over' }, ['verify', 'release']],
  ['not heard, because the bank is away', new BankUnavailableError('away'), ['verify', 'release']],
  ['right', { outcome: 'Verified' }, ['verify']],
])('a visitor whose answer is %s may answer again, unless it is right', async (_title, verified, steps) => {
  const { desk, names, log } = aDesk({ verified });
  const claim = { key, challengeId: 'c-1' };
  const answer = desk.verifyForVisitor(claim, { challenge: stored as never, oneTimeCode: '1', binding, call });
  await (verified instanceof Error ? expect(answer).rejects.toBe(verified) : expect(answer).resolves.toBe(verified));
  expect(names()).toEqual(steps);
  if (steps.length > 1) expect(log.at(-1)).toEqual(['release', claim]);
});
