import { describe, expect, it } from '@jest/globals';
import { BankUnavailableError } from '#libs/bank';
import { hashToken, ServerError, TemporarilyUnavailableError } from '#libs/oauth';
import { createCsrfToken } from './csrf-token.js';
import { createNextSessionValue } from './next-session-value.js';
import type { OpenSession } from './open-session.js';
import {
  ForgedFormError,
  JourneyEndedError,
  OtherStageError,
  PsuLockedError,
  RequestAnsweredError,
  SessionUnknownError,
} from './page-errors.js';
import { PsuSessions } from './psu-sessions.service.js';
import { createSessionCookie } from './session-cookie.js';

const sessionId = '0190aaaa-0000-7000-8000-000000000000';
const value = 'v'.repeat(43);
const secret = Buffer.alloc(32, 1);
const nextValue = createNextSessionValue({ secret, value });
const now = new Date('2026-11-27T12:00:00Z');
const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
const request = {
  sessionId,
  cookieHeader: createSessionCookie({ sessionId, value }, 60).split(';')[0],
  form: new Map(),
  interactionId: 'i-1',
  hold: () => undefined,
} as never;
const aSession = (differences: object = {}) => ({
  sessionId,
  stage: 'Consent',
  psuId: 'bob',
  consentId: 'c-1',
  expiresAt: inSeconds(600),
  isRedirectUriRegistered: true,
  fapiProfile: 'fapi1-advanced',
  responseTypes: ['code id_token'],
  request: { responseType: 'code id_token', clientName: 'Shop', redirectUri: 'https://app.example/cb' },
  ...differences,
});

/** The sessions of a browser whose session is this one; by its value, or by the value after the next step. */
function sessionsWith(
  { current, next, isEnded = false }: { current?: object | undefined; next?: object; isEnded?: boolean } = {
    current: aSession(),
  },
) {
  const log: [string, Record<string, unknown>][] = [];
  const known = [
    { hash: hashToken(value), session: current },
    { hash: hashToken(nextValue), session: next },
  ];
  const find = ({ sessionHash }: { sessionHash: Buffer }) =>
    known.find(({ hash }) => hash.equals(sessionHash))?.session;
  const answer =
    <Value>(name: string, result: Value) =>
    (given: Record<string, unknown>): Promise<Value> => {
      log.push([name, given]);
      return Promise.resolve(result);
    };
  const store = {
    findSession: (key: { sessionHash: Buffer }) => Promise.resolve(find(key)),
    findSessionWithConsent: (key: { sessionHash: Buffer }) => Promise.resolve({ session: find(key) }),
    endSession: answer('end', !isEnded),
    renew: answer('renew', inSeconds(900)),
  };
  const ends = {
    describe: ({ session }: OpenSession) => Promise.resolve(new JourneyEndedError('Ended', session, {})),
  };
  const overAll = { add: (sender: string) => answer('count', undefined)({ sender }) };
  const config = {
    secrets: { sessionKeys: [{ key: Buffer.alloc(32, 2) }, { key: secret }] },
    authorization: { idleSeconds: 600, sessionSeconds: 1_800 },
    profile: { fapiProfiles: ['fapi1-advanced'] },
  };
  const parts = [store, ends, overAll, config, { now: () => now }] as never[];
  const sessions = new PsuSessions(...(parts as unknown as ConstructorParameters<typeof PsuSessions>));
  return { sessions, log };
}
const openOf = (session: object = aSession()): OpenSession =>
  ({ key: { sessionId, sessionHash: hashToken(value) }, value, session, call: { interactionId: 'i-1' } }) as never;
const endedBy = (ending: string) => expect.objectContaining({ name: 'JourneyEndedError', ending });

describe('a page of a journey', () => {
  it('needs a session that this browser holds', async () => {
    const { sessions } = sessionsWith();
    await expect(sessions.open({ ...(request as object), sessionId: 'x' } as never)).rejects.toThrow(
      SessionUnknownError,
    );
    await expect(sessionsWith({ current: undefined }).sessions.open(request)).rejects.toThrow(SessionUnknownError);
  });

  it.each([
    ['Consent', 'Consent', true],
    ['Consent', 'Challenge', true],
    ['Challenge', 'Challenge', true],
    ['Challenge', 'Consent', false],
    ['Consent', 'SignIn', false],
    ['Challenge', 'SignIn', false],
  ] as const)('for %s opens in the stage %s: %s', async (page, stage, isOpen) => {
    const { sessions } = sessionsWith({ current: aSession({ stage }) });
    for (const way of ['openWithConsent', 'openForDecision'] as const) {
      const open = sessions[way](request, page);
      await (isOpen ? expect(open).resolves.toMatchObject({ value }) : expect(open).rejects.toThrow(OtherStageError));
    }
  });

  it('that is answered shows its end, but its form opens for the second of two clicks', async () => {
    const { sessions } = sessionsWith({ current: aSession({ stage: 'Completed', expiresAt: inSeconds(-1) }) });
    await expect(sessions.openWithConsent(request, 'Consent')).rejects.toThrow(endedBy('Ended'));
    await expect(sessions.openForDecision(request, 'Consent')).resolves.toMatchObject({ value });
    await expect(sessions.openForDecline(request)).resolves.toMatchObject({ value });
  });

  it.each([
    ['Expired', { expiresAt: now }, true],
    ['ProfileChanged', { responseTypes: ['code'] }, true],
    ['NotPermitted', { isRedirectUriRegistered: false }, false],
  ])('ends as %s, and the consent stays', async (ending, differences, isStored) => {
    const { sessions, log } = sessionsWith({ current: aSession(differences) });
    await expect(sessions.open(request, 'Consent')).rejects.toThrow(endedBy(ending));
    expect(log.map(([what, { rejectConsent }]) => [what, rejectConsent])).toEqual(isStored ? [['end', false]] : []);
  });

  it('may be declined whatever the client’s profile has become', async () => {
    const { sessions } = sessionsWith({ current: aSession({ responseTypes: ['code'] }) });
    await expect(sessions.openForDecline(request)).resolves.toMatchObject({ value });
  });

  it.each([
    [596, false, 0],
    [595, false, 1],
    [10, false, 1],
    [10, true, 0],
  ])('with %d seconds left, which waits: %s, is renewed %d times', async (seconds, isWaiting, times) => {
    const { sessions, log } = sessionsWith({ current: aSession({ expiresAt: inSeconds(seconds) }) });
    const { session } = await sessions.open(request, 'Consent', { isWaiting });
    expect(log).toHaveLength(times);
    expect(session.expiresAt).toEqual(inSeconds(times === 1 ? 900 : seconds));
  });
});

describe('the second of two clicks on a button', () => {
  it.each([
    ['SignIn', 'SecondFactor', true],
    ['SignIn', 'Consent', true],
    ['SecondFactor', 'Consent', false],
    ['SecondFactor', 'SecondFactor', false],
    ['SignIn', 'Challenge', false],
    ['Consent', 'Challenge', false],
  ] as const)('on the page of %s, after the first has led to %s, is taken: %s', async (page, stage, isTaken) => {
    const open = sessionsWith({ next: aSession({ stage }) }).sessions.open(request, page);
    await (isTaken
      ? expect(open).resolves.toMatchObject({ value, session: { stage: page } })
      : expect(open).rejects.toThrow(SessionUnknownError));
  });

  it.each([
    ['of the same customer gets the session', 'bob', 1],
    ['of another customer does not', 'carol', 0],
  ])('%s', async (_title, psuId, cookies) => {
    const { sessions } = sessionsWith({ next: aSession() });
    const step = { open: openOf(), stage: 'Consent', psuId, isFirst: false } as const;
    const answer = await sessions.createNextStep(step);
    expect(answer).toMatchObject({ status: 303, location: `/consent?authorization=${sessionId}` });
    expect(answer.cookies).toHaveLength(cookies);
    if (cookies === 1) expect(answer.cookies?.[0]).toContain(`=${nextValue}; Path=/; Max-Age=5400;`);
  });

  it('whose request another browser has answered gets nothing', async () => {
    const { sessions } = sessionsWith({ current: aSession({ stage: 'SignIn' }) });
    const step = { open: openOf(), stage: 'Consent', psuId: 'bob', isFirst: false } as const;
    await expect(sessions.createNextStep(step)).rejects.toThrow(RequestAnsweredError);
  });
});

const withToken = (token: string) => ({ ...(request as object), form: new Map([['csrf_token', token]]) }) as never;

describe('a form', () => {
  it('counts only with the token of its page', async () => {
    const { sessions, log } = sessionsWith();
    await expect(sessions.admitForm(withToken('x'.repeat(43)), openOf())).rejects.toThrow(ForgedFormError);
    expect(log).toEqual([]);
    await sessions.admitForm(withToken(createCsrfToken(value)), openOf());
    expect(log).toEqual([['count', { sender: 'known' }]]);
  });
});

describe('a decline', () => {
  it('rejects the consent, with a report to the bank if there is a reason', async () => {
    const { sessions, log } = sessionsWith();
    await sessions.decline(openOf(), 'SuspectedFraud');
    const notice = { psuId: 'bob', reason: 'SuspectedFraud', fileId: 'c-1', requestedBy: 'Shop' };
    expect(log).toEqual([['end', expect.objectContaining({ ending: 'Declined', rejectConsent: true, notice })]]);
  });

  it.each([
    ['without a reason', openOf(), undefined],
    ['before the sign-in', openOf(aSession({ psuId: undefined })), 'SuspectedFraud'],
  ] as const)('is reported to nobody %s', async (_title, open, reason) => {
    const { sessions, log } = sessionsWith();
    await sessions.decline(open, reason);
    expect(log[0]?.[1].notice).toBeUndefined();
  });

  it('that comes after another end tells that end', async () => {
    const { sessions, log } = sessionsWith({ current: aSession({ stage: 'Completed' }), isEnded: true });
    await expect(sessions.decline(openOf(), undefined)).rejects.toThrow(endedBy('Ended'));
    expect(log).toHaveLength(1);
  });
});

it('a decline beside a simultaneous sign-in ends the session, and leaves the consent', async () => {
  const { sessions, log } = sessionsWith({ current: undefined, next: aSession(), isEnded: true });
  await expect(sessions.decline(openOf(), undefined)).rejects.toThrow(endedBy('Ended'));
  expect(log.map(([, { rejectConsent }]) => rejectConsent)).toEqual([true, false]);
});

describe('a step that fails', () => {
  it.each([
    ['the bank is away', new BankUnavailableError('away'), 'BankAway', TemporarilyUnavailableError],
    ['anything else', new TypeError('x'), 'Failed', ServerError],
  ])('ends the session, not the consent: %s', async (_title, error, ending, told) => {
    const { sessions, log } = sessionsWith();
    const failed = await sessions.withWayBack(openOf(), () => Promise.reject(error)).catch((end: unknown) => end);
    expect(failed).toMatchObject({ name: 'JourneyEndedError', ending });
    expect((failed as JourneyEndedError).back.error).toBeInstanceOf(told);
    expect(log).toEqual([['end', expect.objectContaining({ ending, rejectConsent: false })]]);
  });

  it('because the customer is locked leaves the consent as it is', async () => {
    const { sessions, log } = sessionsWith();
    const step = sessions.withWayBack(openOf(), () => Promise.reject(new PsuLockedError('locked')));
    await expect(step).rejects.toThrow(endedBy('Locked'));
    expect(log).toEqual([['end', expect.objectContaining({ rejectConsent: false })]]);
  });

  it('for want of the database may be repeated', async () => {
    const { sessions, log } = sessionsWith();
    const away = Object.assign(new Error('away'), { code: '57P03' });
    await expect(sessions.withWayBack(openOf(), () => Promise.reject(away))).rejects.toBe(away);
    expect(log).toEqual([]);
  });

  it.each([
    new OtherStageError(sessionId, 'Consent'),
    new ForgedFormError('x'),
    new JourneyEndedError('Declined', aSession() as never, {}),
    new RequestAnsweredError(),
    new SessionUnknownError('x'),
  ])('is no failure if the outcome has been decided: %s', async (exit) => {
    const { sessions, log } = sessionsWith();
    await expect(sessions.withWayBack(openOf(), () => Promise.reject(exit))).rejects.toBe(exit);
    expect(log).toEqual([]);
  });
});
