import { describe, expect, it } from '@jest/globals';
import { aDomesticPayment, listOf } from '../../../../test/support/domestic-payments.js';
import { notedAnswers } from '../../../../test/support/noted-answers.js';
import { readWord } from '../pages/carried-word.js';
import { ForgedFormError, JourneyEndedError, OtherStageError } from '../psu-session/page-errors.js';
import { createPageValue } from '../psu-session/page-value.js';
import { ChallengeDesk } from './challenge-desk.service.js';
import { ChallengeController } from './challenge.controller.js';

const now = new Date('2026-11-27T12:00:00Z');
const authenticatedAt = new Date('2026-11-27T11:59:00Z');
const { instructions, approvalHash } = listOf(aDomesticPayment());
const consent = {
  consentId: 'c-1',
  status: 'AwaitingAuthorisation',
  expiresAt: new Date('2026-11-28T12:00:00Z'),
  initiation: '{}',
  conditions: {},
  charges: '[]',
  instructions,
  approvalHash,
};
const account = { schemeName: 'UK.OBIE.IBAN', identification: 'GB1', approvalsRequired: 1 };
const challenge = {
  challengeId: 'b-1',
  method: 'Code',
  interactionId: 'i-0',
  approvalHash: approvalHash.toString('hex'),
  debtorAccount: { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB1', Name: 'Current' },
  approvalsRequired: 1,
};
const form = (fields: object = {}): ReadonlyMap<string, string> =>
  new Map(Object.entries({ challenge: createPageValue('v', 'challenge', 'b-1'), one_time_code: '123456', ...fields }));
const page = '/challenge?authorization=s-1';
const to = (location: string) => expect.objectContaining({ kind: 'redirect', status: 303, location });

interface Outcomes {
  readonly status?: string;
  readonly verification?: object;
  readonly isClaimed?: boolean;
  readonly decidable?: object | undefined;
  readonly completion?: Error;
  readonly session?: object;
  readonly consent?: object | undefined;
  readonly found?: object | undefined;
  readonly access?: object;
  readonly admission?: Error;
}

/** A journey that waits for its code, and what happens at the bank and in the database. */
function withOutcomes(outcomes: Outcomes = {}) {
  const { status = 'Pending', isClaimed = true, completion, found } = outcomes;
  const { verification = { outcome: 'Verified', acr: 'a', authenticatedAt } } = outcomes;
  const decidable = 'decidable' in outcomes ? outcomes.decidable : { accounts: [account] };
  const { log, answer } = notedAnswers();
  const request = { acrValues: ['a'], claims: {}, scope: ['payments'], clientName: 'Shop' };
  const session = { sessionId: 's-1', stage: 'Challenge', psuId: 'bob', consentId: 'c-1', challenge, request };
  const open = {
    key: { sessionId: 's-1', sessionHash: Buffer.alloc(32) },
    value: 'v',
    call: { interactionId: 'i-1' },
    session: { ...session, ...outcomes.session },
    consent: 'consent' in outcomes ? outcomes.consent : consent,
    access: outcomes.access,
  };
  const psuSessions = {
    openWithConsent: answer('open', open),
    openForDecision: answer('open', open),
    admitForm: answer('admit', outcomes.admission),
    withWayBack: (_open: unknown, step: () => Promise<unknown>) => step(),
    leaveByPage: (_open: unknown, { ending }: { ending: 'ConsentChanged' }) =>
      Promise.reject(new JourneyEndedError(ending, {} as never, {})),
  };
  const sessions = {
    claimChallenge: answer('claim', isClaimed),
    releaseChallenge: answer('release'),
    endChallenge: answer('end'),
    keepVerification: answer('keep'),
    enterChallenge: answer('enter', true),
  };
  const desk = {
    findStatus: answer('status', status),
    verify: answer('verify', verification),
    awaitCheck: answer('await', found),
    askWithin: (_open: unknown, binding: unknown, enter: (step: object) => Promise<unknown>) => {
      log.push(['ask', binding]);
      return enter({ challenge: { challengeId: 'b-2' }, started: 2 });
    },
    store: ChallengeDesk.prototype.store,
    sessions,
  };
  const pages = { createDecisionPage: ({ problem }: { problem?: object }) => ({ kind: 'page', problem }) };
  const done = { kind: 'redirect', status: 303, location: 'https://app.example/cb' };
  const completing = { complete: answer('complete', completion ?? done), repeat: answer('repeat', done) };
  const files = { getDecidable: answer('file', decidable) };
  const access = { isStillGood: answer('access', true), assertDecidable: answer('access') };
  const config = { token: { refreshTokenSeconds: 60 } };
  const parts = [psuSessions, sessions, desk, pages, completing, files, access, config, { now: () => now }];
  const service = new ChallengeController(...(parts as unknown as ConstructorParameters<typeof ChallengeController>));
  const names = (): string[] => log.map(([name]) => name).filter((name) => !['open', 'admit'].includes(name));
  return { service, log, names };
}
const sent = (fields?: object) => ({ form: form(fields), interactionId: 'i-1' }) as never;
const wordOf = (answer: { cookies?: readonly string[] }): string | undefined =>
  readWord(answer.cookies?.[0]?.split(';')[0], page)?.name;

describe('the answer to a challenge', () => {
  it('completes the journey once the bank has verified it', async () => {
    const { service, log, names } = withOutcomes();
    expect(await service.submit(sent())).toEqual(to('https://app.example/cb'));
    expect(names()).toEqual(['file', 'claim', 'verify', 'complete']);
    const binding = expect.objectContaining({ purpose: 'Payment', fileId: 'c-1', interactionId: 'i-0' });
    expect(log.find(([name]) => name === 'verify')?.[1]).toMatchObject({ oneTimeCode: '123456', binding });
  });

  it.each<[string, Outcomes, string[]]>([
    ['is the same for each click on an answered session', { session: { stage: 'Completed' } }, ['repeat']],
    [
      'is that of the other click, which completed it',
      { isClaimed: false, found: { stage: 'Completed' } },
      ['file', 'claim', 'await', 'repeat'],
    ],
    [
      'of access needs no file',
      { access: { terms: { permissions: [] } } },
      ['access', 'access', 'claim', 'verify', 'complete'],
    ],
    [
      'of an identity needs no consent',
      { session: { consentId: undefined }, decidable: undefined },
      ['file', 'claim', 'verify', 'complete'],
    ],
  ])('%s', async (_title, outcomes, steps) => {
    const { service, names } = withOutcomes(outcomes);
    expect(await service.submit(sent())).toEqual(to('https://app.example/cb'));
    expect(names()).toEqual(steps);
  });

  it.each<[string, Outcomes, object | undefined, string | undefined, string[]]>([
    [
      'wrong',
      { verification: { outcome: 'InvalidCredentials' } },
      {},
      'wrongCode',
      ['file', 'claim', 'verify', 'release'],
    ],
    [
      'wrong with another click',
      { isClaimed: false, found: { stage: 'Challenge', challenge } },
      {},
      'wrongCode',
      ['file', 'claim', 'await'],
    ],
    [
      'right with another click, but could not be stored',
      { isClaimed: false, found: { stage: 'Challenge', challenge: { ...challenge, verified: {} } } },
      {},
      undefined,
      ['file', 'claim', 'await'],
    ],
    [
      'for a challenge that another tab has replaced',
      { isClaimed: false, found: { stage: 'Challenge', challenge: { ...challenge, challengeId: 'b-2' } } },
      {},
      'otherChallenge',
      ['file', 'claim', 'await'],
    ],
    ['missing', {}, { one_time_code: '' }, 'codeMissing', []],
    ['for another challenge', {}, { challenge: 'x' }, 'otherChallenge', []],
  ])('may be given again if it is %s', async (_title, outcomes, fields, word, steps) => {
    const { service, names } = withOutcomes(outcomes);
    const answer = await service.submit(sent(fields));
    expect(answer).toEqual(to(page));
    expect([wordOf(answer as never), names()]).toEqual([word, steps]);
  });

  it('by form is none where the app is asked', async () => {
    const { service, names } = withOutcomes({ session: { challenge: { ...challenge, method: 'Push' } } });
    expect([await service.submit(sent()), names()]).toEqual([to(page), []]);
  });

  it.each<[string, Outcomes, string]>([
    [
      'the account needs another approver by now',
      { decidable: { accounts: [{ ...account, approvalsRequired: 2 }] } },
      'Changed',
    ],
    [
      'the account cannot be used any more',
      { decidable: { accounts: [{ ...account, unusable: 'Blocked' }] } },
      'Changed',
    ],
    ['the account is gone', { decidable: { accounts: [{ ...account, identification: 'GB2' }] } }, 'Changed'],
    [
      'another scheme has the number',
      { decidable: { accounts: [{ ...account, schemeName: 'UK.OBIE.PAN' }] } },
      'Changed',
    ],
    ['the bank takes no answer any more', { verification: { outcome: 'Over' } }, 'Used'],
    ['there is no challenge', { session: { challenge: undefined } }, 'Used'],
    ['the challenge is over', { session: { challenge: { ...challenge, isOver: true } } }, 'Used'],
    [
      'the payments are others than those shown',
      { session: { challenge: { ...challenge, approvalHash: 'x' } } },
      'Used',
    ],
  ])('leads back to the payments if %s', async (_title, outcomes, ending) => {
    const error = await withOutcomes(outcomes)
      .service.submit(sent())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OtherStageError);
    expect(error).toMatchObject({ stage: 'Consent', ending });
  });

  it.each([undefined, { ...consent, status: 'Rejected' }, { ...consent, expiresAt: now }])(
    'ends the journey if its consent waits no more',
    async (changed) => {
      await expect(withOutcomes({ consent: changed }).service.submit(sent())).rejects.toThrow(JourneyEndedError);
    },
  );

  it('is kept for the next click if the database is away', async () => {
    const away = Object.assign(new Error('away'), { code: '57P03' });
    const { service, log } = withOutcomes({ completion: away });
    await expect(service.submit(sent())).rejects.toBe(away);
    const verified = { acr: 'a', authenticatedAt: authenticatedAt.toISOString() };
    expect(log.at(-1)).toEqual(['keep', expect.objectContaining({ challengeId: 'b-1', verified })]);
    const other = withOutcomes({ completion: new Error('x') });
    await expect(other.service.submit(sent())).rejects.toThrow('x');
    expect(other.names().at(-1)).toBe('complete');
  });
});

it.each(['submit', 'askAgain'] as const)(
  'the form of another session is refused before anything is done: %s',
  async (step) => {
    const { service, names } = withOutcomes({ admission: new ForgedFormError('x') });
    await expect(service[step](sent())).rejects.toThrow(ForgedFormError);
    expect(names()).toEqual([]);
  },
);

describe('asking again', () => {
  it('asks the bank for the same decision, with a challenge that nobody has answered', async () => {
    const verified = { acr: 'a', authenticatedAt: '2026-11-27T11:59:00Z' };
    const { service, log, names } = withOutcomes({ session: { challenge: { ...challenge, verified } } });
    const answer = await service.askAgain(sent());
    expect([answer, wordOf(answer as never), names()]).toEqual([to(page), 'codeSent', ['ask', 'enter']]);
    expect(log.find(([name]) => name === 'ask')?.[1]).toMatchObject({ purpose: 'Payment', interactionId: 'i-1' });
    const asked = { ...challenge, challengeId: 'b-2' };
    expect(log.at(-1)?.[1]).toMatchObject({ challenge: asked, started: 2 });
    expect(log.at(-1)).not.toHaveProperty('1.challenge.verified');
  });

  it('of another challenge asks nobody', async () => {
    const { service, names } = withOutcomes();
    expect([wordOf((await service.askAgain(sent({ challenge: 'x' }))) as never), names()]).toEqual([
      'otherChallenge',
      [],
    ]);
  });
});

const read = (word?: string) => ({ form: new Map(), interactionId: 'i-1', word: word && { name: word } }) as never;

describe('the page that waits', () => {
  const load = { isSafe: false, isWaiting: false } as never;

  it.each([
    ['shows itself until there is an answer', 'Pending', undefined, false, ['status']],
    [
      'continues once approved in the app',
      'Approved',
      undefined,
      false,
      ['status', 'file', 'claim', 'verify', 'complete'],
    ],
    ['changes nothing for HEAD', 'Approved', undefined, true, ['status']],
    ['says a mistake first', 'Approved', 'wrongCode', false, []],
  ])('%s', async (_title, status, word, isSafe, steps) => {
    const { service, names } = withOutcomes({ status });
    const { kind, problem } = (await service.show(read(word), { isSafe, isWaiting: false } as never)) as {
      kind: string;
      problem?: object;
    };
    expect(names()).toEqual(steps);
    expect([kind, problem !== undefined]).toEqual([steps.length > 1 ? 'redirect' : 'page', word !== undefined]);
  });

  it('leads back to the payments after a refusal in the app', async () => {
    await expect(withOutcomes({ status: 'Refused' }).service.show(read(), load)).rejects.toMatchObject({
      ending: 'Refused',
    });
  });

  it('has the status of its challenge for its script', async () => {
    expect(await withOutcomes({ status: 'Approved' }).service.findStatus(read())).toBe('Approved');
    expect(await withOutcomes({ session: { challenge: undefined } }).service.findStatus(read())).toBe('Used');
  });
});
