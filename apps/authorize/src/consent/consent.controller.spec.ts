import { describe, expect, it } from '@jest/globals';
import { notedAnswers } from '../../../../test/support/noted-answers.js';
import { createDeclinedError } from '../psu-session/psu-sessions.service.js';
import { JourneyEndedError, OtherStageError } from '../psu-session/page-errors.js';
import { readWord } from '../pages/carried-word.js';
import { createAccountValue } from './account-value.js';
import { ConsentController } from './consent.controller.js';
import { createPayeesValue } from './payees-shown.js';

const now = new Date('2026-11-27T12:00:00Z');
const approvalHash = Buffer.alloc(32, 1);
const file = { total: 1_050_000n, currency: 'GBP', payments: [], approvalHash };
const account = { schemeName: 'UK.OBIE.IBAN', identification: 'GB1', name: 'Current', approvalsRequired: 2 };
const blocked = { ...account, identification: 'GB2', unusable: 'Blocked' };
const debtorAccount = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB1', Name: 'Current' };
const asked = {
  method: 'Code',
  expiresAt: '2026-11-27T12:00:01Z',
  approvalHash: approvalHash.toString('hex'),
  debtorAccount,
  approvalsRequired: 2,
};
const accountOf = ({ schemeName, identification }: typeof account): string =>
  createAccountValue({ schemeName, identification }, 'v');
const page = '/consent?authorization=s-1';
const to = (location: string) => expect.objectContaining({ kind: 'redirect', status: 303, location });
const fields = {
  debtor_account: accountOf(account),
  file_hash: approvalHash.toString('base64url'),
  shown_order: 'Amount',
};

interface Led {
  readonly location: string;
  readonly cookies: readonly string[];
}

interface Differences {
  readonly session?: object;
  readonly access?: object;
  readonly chosen?: object | undefined;
  readonly decidable?: object | undefined;
  readonly opening?: Error;
  readonly declining?: Error;
}

const shown = (name: string) => (given: unknown) => ({ name, given });

/** A journey on its page, and what the bank is asked. */
function withJourney(differences: Differences = {}) {
  const { opening, declining, chosen } = differences;
  const decidable = 'decidable' in differences ? differences.decidable : { file, accounts: [account, blocked] };
  const { log, answer } = notedAnswers();
  const request = { clientName: 'Shop', scope: ['accounts'], redirectUri: 'https://app.example/cb' };
  const session = {
    sessionId: 's-1',
    stage: 'Consent',
    psuId: 'bob',
    consentId: 'c-1',
    request,
    ...differences.session,
  };
  const open = { key: 'k', value: 'v', call: { interactionId: 'i-1' }, session, access: differences.access };
  const psuSessions = {
    openWithConsent: answer('open', opening ?? open),
    openForDecision: answer('open', open),
    openForDecline: answer('open', open),
    admitForm: answer('admit'),
    assertOwnForm: () => log.push(['admit', undefined]),
    withWayBack: (_open: unknown, step: () => Promise<unknown>) => step(),
    decline: answer('decline', declining),
  };
  const desk = {
    askWithin: (_open: unknown, binding: unknown, enter: (step: object) => Promise<unknown>) => {
      log.push(['ask', binding]);
      return enter({ challenge: { challengeId: 'b-1' }, started: 1 });
    },
  };
  const pages = {
    createPaymentPage: shown('payments'),
    createAccessPage: shown('access'),
    createIdentityPage: shown('identity'),
    createDeclinePage: shown('decline'),
  };
  const declined = new JourneyEndedError('Declined', session as never, {});
  const ends = { describe: () => Promise.resolve(void log.push(['describe', undefined])).then(() => declined) };
  const access = { getAccounts: answer('accounts', [account]), choose: () => chosen };
  const files = { getDecidable: answer('file', decidable) };
  const completion = {
    repeat: answer('repeat', { kind: 'redirect', status: 303, location: 'https://app.example/cb' }),
  };
  const config = { token: { refreshTokenSeconds: 60 } };
  const sessions = { enterChallenge: answer('enter') };
  const parts = [psuSessions, sessions, ends, desk, files, access, completion, pages, config, { now: () => now }];
  const service = new ConsentController(...(parts as unknown as ConstructorParameters<typeof ConsentController>));
  const names = (): string[] => log.map(([name]) => name).filter((name) => !['open', 'admit'].includes(name));
  return { service, log, names };
}
const sent = (form: Record<string, string> = fields) =>
  ({ sessionId: 's-1', form: new Map(Object.entries(form)), interactionId: 'i-1' }) as never;

describe('an approval of payments', () => {
  it('makes the bank ask for these payments from this account, and keeps what the page said', async () => {
    const { service, log, names } = withJourney();
    const payees_shown = createPayeesValue({ known: 1 } as never, 'v');
    expect(await service.approve(sent({ ...fields, payees_shown }))).toEqual(to('/challenge?authorization=s-1'));
    expect(names()).toEqual(['file', 'ask', 'enter']);
    const bound = { purpose: 'Payment', psuId: 'bob', fileId: 'c-1', interactionId: 'i-1', total: '10.50' };
    expect(log.find(([name]) => name === 'ask')?.[1]).toMatchObject(bound);
    const challenge = { approvalHash: asked.approvalHash, debtorAccount, approvalsRequired: 2, payees: { known: 1 } };
    expect(log.at(-1)?.[1]).toMatchObject({ challenge, started: 1, now });
  });

  it.each([
    ['no account', { debtor_account: '' }, 'accountMissing', ''],
    [
      'an account of somebody else',
      { debtor_account: accountOf({ ...account, identification: 'GB3' }) },
      'accountMissing',
      '&account=',
    ],
    ['an account that cannot pay', { debtor_account: accountOf(blocked) }, 'accountUnusable', '&account='],
    ['other payments than those shown', { file_hash: 'x' }, 'fileChanged', '&account='],
  ])('of %s shows the payments again, in their order', async (_title, form, word, more) => {
    const { service, names } = withJourney();
    const answer = (await service.approve(sent({ ...fields, ...form }))) as Led;
    expect(answer.location).toContain(`${page}&order=Amount${more}`);
    expect(readWord(answer.cookies[0]?.split(';')[0], answer.location)?.name).toBe(word);
    expect(names()).toEqual(['file']);
  });

  it.each([
    ['is asked for already', {}, false],
    ['was sent to the app, where it may have been refused', { method: 'Push' }, true],
    ['has expired', { expiresAt: '2026-11-27T12:00:00Z' }, true],
    ['is over', { isOver: true }, true],
    ['was for other payments', { approvalHash: 'x' }, true],
    ['was for another account', { debtorAccount: { ...debtorAccount, Identification: 'GB2' } }, true],
    ['was for an account of another scheme', { debtorAccount: { ...debtorAccount, SchemeName: 'UK.OBIE.PAN' } }, true],
    ['needs another number of approvers', { approvalsRequired: 1 }, true],
    ['was for access', { accounts: [debtorAccount] }, true],
  ])('that %s, and is now %j: the bank asks again: %j', async (_title, differences, isAsked) => {
    const challenge = { ...asked, ...differences };
    const { service, names } = withJourney({ session: { stage: 'Challenge', challenge } });
    expect(await service.approve(sent())).toEqual(to('/challenge?authorization=s-1'));
    expect(names()).toEqual(isAsked ? ['file', 'ask', 'enter'] : ['file']);
  });

  it('gets the answer of the first click if the session is answered', async () => {
    const { service, names } = withJourney({ session: { stage: 'Completed' } });
    expect([await service.approve(sent()), names()]).toEqual([to('https://app.example/cb'), ['repeat']]);
  });
});

describe('an approval of access', () => {
  const access = { terms: { permissions: ['ReadBalances'], expirationDateTime: '2027-01-01T00:00:00Z' } };

  it('makes the bank ask for the permissions and the chosen accounts', async () => {
    const { service, log, names } = withJourney({ access, chosen: [debtorAccount] });
    expect(await service.approve(sent())).toEqual(to('/challenge?authorization=s-1'));
    expect(names()).toEqual(['accounts', 'ask', 'enter']);
    const bound = { purpose: 'Access', data: ['ReadBalances'], endsAt: '2027-01-01T00:00:00Z' };
    expect(log.find(([name]) => name === 'ask')?.[1]).toMatchObject({
      ...bound,
      accounts: [{ schemeName: 'UK.OBIE.IBAN', identification: 'GB1' }],
    });
    expect(log.at(-1)?.[1]).toMatchObject({ challenge: { accounts: [debtorAccount] } });
  });

  it('without an account shows the page again', async () => {
    const { service, names } = withJourney({ access, chosen: undefined });
    const answer = (await service.approve(sent())) as Led;
    expect([answer, names()]).toEqual([to(page), ['accounts']]);
    expect(readWord(answer.cookies[0]?.split(';')[0], page)?.name).toBe('accountsMissing');
  });

  it('without a consent makes the bank ask for the scope', async () => {
    const { service, log } = withJourney({ decidable: undefined });
    expect(await service.approve(sent())).toEqual(to('/challenge?authorization=s-1'));
    expect(log.find(([name]) => name === 'ask')?.[1]).toMatchObject({ purpose: 'Access', data: ['accounts'] });
  });
});

const sorted = (form: Record<string, string>) => withJourney().service.sort(sent(form));

describe('the page of a decision', () => {
  const nothing = { ending: undefined, order: undefined, account: undefined, advice: undefined, decline: undefined };

  it.each<[string, Differences, object, string]>([
    ['payments', {}, {}, 'payments'],
    ['access', { access: {} }, {}, 'access'],
    ['an identity', { decidable: undefined }, {}, 'identity'],
    ['the question why', {}, { decline: 'Consent' }, 'decline'],
  ])('shows %s', async (_title, differences, query, name) => {
    expect(await withJourney(differences).service.show(sent({}), { ...nothing, ...query })).toMatchObject({ name });
  });

  it('keeps the account that was chosen, the order, and says why a challenge failed', async () => {
    const { service } = withJourney({ session: { challenge: asked } });
    const given = { chosen: 'UK.OBIE.IBAN:GB1', order: 'Place', problem: undefined };
    expect(await service.show(sent({}), nothing)).toMatchObject({ given });
    const query = { ...nothing, account: 'a', order: 'Amount', ending: 'Expired' };
    const problem = { fieldId: 'approve', code: 'ChallengeExpired' };
    expect(await service.show(sent({}), query)).toMatchObject({ given: { chosen: 'a', order: 'Amount', problem } });
  });

  it('advises after suspected fraud, in the page that the decline led to', async () => {
    const ended = new JourneyEndedError('Declined', {} as never, {});
    const ofFraud = withJourney({ opening: ended }).service.show(sent({}), { ...nothing, advice: 'SuspectedFraud' });
    await expect(ofFraud).rejects.toMatchObject({ ending: 'SuspectedFraud' });
    await expect(withJourney({ opening: ended }).service.show(sent({}), nothing)).rejects.toBe(ended);
    const elsewhere = new OtherStageError('s-1', 'SignIn');
    const other = withJourney({ opening: elsewhere }).service.show(sent({}), { ...nothing, advice: 'SuspectedFraud' });
    await expect(other).rejects.toBe(elsewhere);
  });

  it('sorts the payments and keeps the account, if it is a value of the page', () => {
    expect(sorted({ order: 'Amount' })).toEqual(to(`${page}&order=Amount#payments-title`));
    const value = accountOf(account);
    expect(sorted({ order: 'x', debtor_account: value })).toEqual(
      to(`${page}&order=Place&account=${value}#payments-title`),
    );
    expect(sorted({ order: 'Place', debtor_account: 'GB1' })).toEqual(to(`${page}&order=Place#payments-title`));
  });
});

describe('a decline', () => {
  it.each([
    ['leads to the app', {}, {}, ['decline']],
    [
      'leads there also if another click was faster',
      {},
      { declining: new JourneyEndedError('Declined', {} as never, {}) },
      ['decline'],
    ],
    ['leads there also for a second click', { stage: 'Completed' }, {}, ['describe']],
  ])('%s; after suspected fraud to advice first', async (_title, session, differences, steps) => {
    const { service, names } = withJourney({ session, ...differences });
    await expect(service.decline(sent({}))).rejects.toMatchObject(createDeclinedError({ session: {} } as never));
    expect(names()).toEqual(steps);
    const fraud = withJourney({ session, ...differences }).service.decline(sent({ decline_reason: 'SuspectedFraud' }));
    await expect(fraud).rejects.toMatchObject({ name: 'JourneyEndedError', ending: 'SuspectedFraud' });
  });

  it('after another end tells that end', async () => {
    const declining = new JourneyEndedError('Expired', {} as never, {});
    await expect(withJourney({ declining }).service.decline(sent({}))).rejects.toBe(declining);
  });
});
