import { describe, expect, it } from '@jest/globals';
import { pairwiseSubject } from '#libs/oauth';
import { notedAnswers } from '../../../../test/support/noted-answers.js';
import { readWord } from '../pages/carried-word.js';
import { JourneyEndedError, PsuLockedError } from '../psu-session/page-errors.js';
import { SignInController } from './sign-in.controller.js';

const salt = Buffer.alloc(32, 1);
const subject = pairwiseSubject({ salt, sector: 'O-1', psuId: 'bob' });
const credentials = { username: 'bob', password: 'p' };
const page = '/sign-in?authorization=s-1';

/** A journey at its sign-in, where the bank says this of the password. */
function withBank({ request = {}, outcome = 'Verified', bothFactorsFirst = false, form = credentials as object } = {}) {
  const { log, answer } = notedAnswers();
  const session = { sessionId: 's-1', stage: 'SignIn', request: { orgId: 'O-1', clientName: 'Shop', ...request } };
  const open = { key: 'k', value: 'v', call: { interactionId: 'i-1' }, session };
  const psuSessions = {
    open: answer('open', open),
    admitForm: answer('admit'),
    withWayBack: (_open: unknown, step: () => Promise<unknown>) => step(),
    nextValue: () => 'w',
    createNextStep: answer('next', 'the next page'),
    leaveByPage: (_open: unknown, { ending, rejectConsent }: { ending: 'OtherCustomer'; rejectConsent: boolean }) => {
      log.push(['leave', rejectConsent]);
      return Promise.reject(new JourneyEndedError(ending, session as never, {}));
    },
  };
  const sessions = {
    enterConsentAtOnce: answer('enter consent', true),
    enterSecondFactor: answer('enter factor', true),
  };
  const desk = {
    askWithin: (_open: unknown, binding: unknown, enter: (step: object) => Promise<unknown>) => {
      log.push(['ask', binding]);
      return enter({ challenge: { challengeId: 'b-1' } });
    },
  };
  const parts: Record<string, unknown> = {
    psuSessions,
    sessions,
    authentication: { verifyPassword: answer('verify', { outcome, psuId: 'bob', displayName: 'Bob Brown' }) },
    limits: { countInJourney: answer('count') },
    desk,
    pages: {},
    config: { authorization: { bothFactorsFirst }, secrets: { pairwiseSubjectKey: { key: salt } } },
    clock: { now: () => new Date(0) },
  };
  const service = new SignInController(
    ...(Object.values(parts) as unknown as ConstructorParameters<typeof SignInController>),
  );
  const sent = { form: new Map(Object.entries(form)), interactionId: 'i-1' } as never;
  return { submit: () => service.submit(sent), log, names: () => log.map(([name]) => name).slice(2) };
}

describe('a password', () => {
  it.each([
    ['at once', false, ['count', 'verify', 'enter consent', 'next'], 'Consent'],
    [
      'after a second factor, of which the bank is asked',
      true,
      ['count', 'verify', 'ask', 'enter factor', 'next'],
      'SecondFactor',
    ],
  ])('that is right leads to the request %s', async (_title, bothFactorsFirst, steps, stage) => {
    const { submit, log, names } = withBank({ bothFactorsFirst });
    expect([await submit(), names()]).toEqual(['the next page', steps]);
    expect(log.at(-1)?.[1]).toMatchObject({ stage, psuId: 'bob', isFirst: true });
    expect(log.at(-2)?.[1]).toMatchObject({ key: 'k', psuId: 'bob', psuName: 'Bob Brown' });
  });

  it.each([
    ['is wrong', {}, credentials, 'wrongCredentials', ['count', 'verify']],
    ['is missing', {}, { username: 'bob' }, 'passwordMissing', []],
  ])('that %s is asked for again, with the user name', async (_title, _more, form, word, steps) => {
    const { submit, names } = withBank({ outcome: 'InvalidCredentials', form });
    const { location, cookies } = (await submit()) as {
      readonly location: string;
      readonly cookies: readonly string[];
    };
    const carried = readWord(cookies[0]?.split(';')[0], page);
    expect([location, carried, names()]).toEqual([page, { name: word, value: 'bob' }, steps]);
  });

  it('of somebody whom the bank has locked ends the visit', async () => {
    await expect(withBank({ outcome: 'Locked' }).submit()).rejects.toThrow(PsuLockedError);
  });
});

describe('a request that names its customer', () => {
  it.each([{ subject }, { hintedSubject: subject }, { subject, hintedSubject: subject }])(
    'goes on for them',
    async (request) => {
      expect(await withBank({ request }).submit()).toBe('the next page');
    },
  );

  it.each([
    { subject: 'x' },
    { hintedSubject: 'x' },
    { subject, hintedSubject: 'x' },
    { subject: 'x', hintedSubject: subject },
  ])('ends for anybody else, and its consent waits on (OIDC Core s3.1.2.2)', async (request) => {
    const { submit, log, names } = withBank({ request });
    await expect(submit()).rejects.toMatchObject({ ending: 'OtherCustomer' });
    expect([names(), log.at(-1)]).toEqual([
      ['count', 'verify', 'leave'],
      ['leave', false],
    ]);
  });
});
