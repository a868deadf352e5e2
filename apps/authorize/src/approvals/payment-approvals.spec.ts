import { describe, expect, it } from '@jest/globals';
import { aDomesticPayment, listOf } from '../../../../test/support/domestic-payments.js';
import { notedAnswers } from '../../../../test/support/noted-answers.js';
import { readWord } from '../pages/carried-word.js';
import { createPayeesValue } from '../consent/payees-shown.js';
import { createLook } from '../look/create-look.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { PaymentUnknownError, PsuLockedError } from '../psu-session/page-errors.js';
import { createPageValue } from '../psu-session/page-value.js';
import type { Words } from '../wording/words.js';
import { PaymentApprovalsController } from './payment-approvals.controller.js';

const now = new Date('2026-11-27T12:00:00Z');
const { instructions, approvalHash } = listOf(aDomesticPayment());
const filePaymentId = 'aaaaaaaa-0000-4000-8000-000000000001';
const address = `/approvals/payment?file_payment=${filePaymentId}`;
const payment = {
  filePaymentId,
  status: 'InitiationPending',
  createdAt: new Date('2026-11-27T11:00:00Z'),
  clientName: 'Shop',
  orgName: 'Shop Ltd',
  orgId: 'O-1',
  debtorAccount: { schemeName: 'UK.OBIE.IBAN', identification: 'GB1', name: 'Traders' },
  total: '10.50',
  numberOfPayments: 1,
  approvalsRequired: 2,
  approvalsReceived: 1,
  isFirstApprover: false,
  isClientActive: true,
  isStopped: false,
  decisions: [],
};
const consent = { consentId: 'c-1', initiation: '{}', conditions: {}, charges: '[]', instructions, approvalHash };
const account = { schemeName: 'UK.OBIE.IBAN', identification: 'GB1' };
const session = {
  sessionId: 's-1',
  psuId: 'carol',
  psuName: 'Carol',
  acr: 'a',
  authenticatedAt: new Date('2026-11-27T11:50:00Z'),
  expiresAt: new Date('2026-11-27T12:05:00Z'),
};
const payees = { known: 1 };
const challenge = { challengeId: 'b-1', method: 'Code', filePaymentId, payees };
const declined = { decision: { outcome: 'Declined', decidedAt: now } };

const renderer = new PageRenderer(createLook('Bank', { colour: '#0b3d66' }));
/** Renders a page, and returns what it was made from. */
function render(name: 'payment-approval', create: (words: Words) => object): object {
  let content = {};
  renderer.render(name, (words) => (content = create(words)) as never)({ language: 'en' });
  return { name, ...content };
}

/** A visit of a further approver, with this payment. */
function withPayment({
  signedIn = session as object | null,
  differences = {} as object | null,
  accounts = [account] as object[],
  conditions = {},
} = {}) {
  const { log, answer } = notedAnswers();
  const visit = { value: 'v', session: signedIn ?? undefined };
  const visits = {
    find: answer('visit', visit),
    findForForm: answer('form', visit),
    admitForm: answer('counted form', visit),
    createWayToSignIn: (_visit: unknown, wanted?: string) => ({ kind: 'sign-in', wanted }),
  };
  const approvals = {
    find: answer(
      'find',
      differences === null
        ? undefined
        : { payment: { ...payment, ...differences }, consent: { ...consent, conditions } },
    ),
    findAwaiting: answer('awaiting', [payment]),
    decide: answer('decide', true),
  };
  const done = { kind: 'done' };
  const parts: Record<string, unknown> = {
    visits,
    signIn: { show: answer('sign-in', { kind: 'sign-in' }) },
    approvals,
    sessions: { findOfPsu: answer('sessions', [session, { sessionId: 's-2' }]) },
    challenge: {
      ask: (_asked: unknown, ...given: unknown[]) => answer('ask', done)(given),
      answer: answer('answer', done),
      show: answer('show', done),
      findStatus: answer('status', 'Pending'),
    },
    paymentAccounts: { findPaymentAccounts: answer('accounts', accounts) },
    payeeAnswers: { find: answer('payees', {}) },
    renderer: { render },
    clock: { now: () => now, ofDatabase: () => now },
    config: {
      authorization: { approvalSeconds: 86_400 },
      filePayment: { cutOff: { calendar: { times: {}, holidays: [] } } },
    },
  };
  const service = new PaymentApprovalsController(
    ...(Object.values(parts) as unknown as ConstructorParameters<typeof PaymentApprovalsController>),
  );
  return { service, log, names: () => log.map(([name]) => name) };
}
const fields = { file_payment: filePaymentId, file_hash: approvalHash.toString('base64url') };
const code = { challenge: createPageValue('v', 'challenge', 'b-1'), one_time_code: '123456' };
const sent = (form: object = {}, word?: string) =>
  ({
    form: new Map(Object.entries(form)),
    interactionId: 'i-1',
    hold: () => undefined,
    ...(word !== undefined && { word: { name: word } }),
  }) as never;
const wordOf = (answer: object, at: string): string | undefined =>
  readWord((answer as { cookies?: string[] }).cookies?.[0]?.split(';')[0], at)?.name;
const asked = {
  file_payment: filePaymentId,
  ending: undefined,
  order: undefined,
  advice: undefined,
  decline: undefined,
};

describe('an approval', () => {
  it('makes the bank ask, with what the page said of the payees', async () => {
    const { service, log, names } = withPayment();
    const payees_shown = createPayeesValue(payees, 'v');
    expect(await service.decide(sent({ ...fields, payees_shown }), 'Approved')).toEqual({ kind: 'done' });
    expect(names()).toEqual(['counted form', 'accounts', 'find', 'ask']);
    expect(log.at(-1)).toEqual(['ask', [payees]]);
  });

  it('of payments that were not shown shows them first', async () => {
    const { service, names } = withPayment();
    const answer = await service.decide(sent({ ...fields, file_hash: 'x' }), 'Approved');
    expect([answer, wordOf(answer, address)]).toEqual([expect.objectContaining({ location: address }), 'fileChanged']);
    expect(names()).not.toContain('ask');
  });
});

describe('a decline', () => {
  it('is recorded without a challenge or a limit, for the list as it is, with the sign-in behind it', async () => {
    const { service, log, names } = withPayment();
    expect(await service.decide(sent(fields), 'Declined')).toMatchObject({ status: 303, location: address });
    expect(names()).toEqual(['form', 'accounts', 'find', 'decide']);
    const { acr, authenticatedAt } = session;
    const decision = { outcome: 'Declined', psuId: 'carol', accounts: [account], filePaymentId, acr, authenticatedAt };
    expect(log.at(-1)?.[1]).toEqual({
      ...decision,
      approvalHash,
      reason: undefined,
      notice: undefined,
      now,
      interactionId: 'i-1',
    });
  });

  it('with a reason tells the bank, and after suspected fraud the customer gets advice', async () => {
    const { service, log } = withPayment();
    const answer = await service.decide(sent({ ...fields, decline_reason: 'SuspectedFraud' }), 'Declined');
    expect(answer).toMatchObject({ location: `${address}&advice=SuspectedFraud` });
    const notice = { psuId: 'carol', fileId: 'c-1', filePaymentId, requestedBy: 'Shop', reason: 'SuspectedFraud' };
    expect(log.at(-1)?.[1]).toMatchObject({ reason: 'SuspectedFraud', notice });
  });
});

describe('either decision', () => {
  it.each(['Approved', 'Declined'] as const)('is nothing for somebody who has not signed in: %s', async (outcome) => {
    for (const signedIn of [null, { ...session, acr: undefined }]) {
      const { service, names } = withPayment({ signedIn });
      expect(await service.decide(sent(fields), outcome)).toEqual({ kind: 'sign-in', wanted: address });
      expect(names()).toHaveLength(1);
    }
  });

  it.each([
    ['somebody has decided', { differences: declined }],
    ['the bank’s time is over', { differences: { createdAt: new Date('2026-11-26T12:00:00Z') } }],
    [
      'the TPP’s deadline is over',
      { conditions: { Authorisation: { AuthorisationType: 'Any', CompletionDateTime: '2026-11-27T12:00:00Z' } } },
    ],
  ])('shows the payment instead if %s by then', async (_title, meanwhile) => {
    for (const outcome of ['Approved', 'Declined'] as const) {
      const { service, names } = withPayment(meanwhile);
      expect(await service.decide(sent(fields), outcome)).toMatchObject({ location: address });
      expect(names().at(-1)).toBe('find');
    }
  });

  it('is about a payment from an account that the customer may pay from', async () => {
    const { service, log } = withPayment({ accounts: [account, { ...account, unusable: 'NoPermission' }] });
    await service.decide(sent(fields), 'Declined');
    expect(log.at(-1)?.[1]).toMatchObject({ accounts: [account] });
    await expect(withPayment({ differences: null }).service.decide(sent(fields), 'Approved')).rejects.toThrow(
      PaymentUnknownError,
    );
    const noId = withPayment();
    await expect(noId.service.decide(sent({ file_payment: 'x' }), 'Approved')).rejects.toThrow(PaymentUnknownError);
    expect(noId.names()).toEqual(['counted form', 'accounts']);
  });
});

describe('the challenge of an approval', () => {
  const signedIn = { ...session, challenge };
  const before = ['counted form', 'accounts', 'find'];
  const page = '/approvals/challenge';

  it('is answered by the code, or asked for again with what the page said', async () => {
    const { service, log, names } = withPayment({ signedIn });
    expect(await service.submitChallenge(sent(code))).toEqual({ kind: 'done' });
    expect([names(), log.at(-1)]).toEqual([
      [...before, 'answer'],
      ['answer', '123456'],
    ]);
    await service.askAgain(sent(code));
    expect(log.at(-1)).toEqual(['ask', [payees, 'codeSent']]);
  });

  it.each([
    ['without a code', signedIn, { ...code, one_time_code: '' }, 'codeMissing'],
    ['typed where another one is shown', signedIn, { ...code, challenge: 'x' }, 'otherChallenge'],
    ['that the app asks for', { ...session, challenge: { ...challenge, method: 'Push' } }, code, undefined],
  ])('%s is not answered', async (_title, of, form, word) => {
    const { service, names } = withPayment({ signedIn: of });
    const answer = await service.submitChallenge(sent(form));
    expect([answer, wordOf(answer, page), names()]).toEqual([
      expect.objectContaining({ status: 303, location: page }),
      word,
      before,
    ]);
  });

  it('of another page is not asked for again', async () => {
    const { service, names } = withPayment({ signedIn });
    expect(wordOf(await service.askAgain(sent({ challenge: 'x' })), page)).toBe('otherChallenge');
    expect(names()).toEqual(before);
  });

  it.each([
    ['nobody has signed in', { ...signedIn, acr: undefined }, {}, { kind: 'sign-in' }],
    ['there is none', session, {}, { kind: 'sign-in' }],
    ['it was for the sign-in', { ...session, challenge: { challengeId: 'b-1' } }, {}, { kind: 'sign-in' }],
    ['somebody has decided', signedIn, declined, { location: address }],
  ])('leads away if %s', async (_title, of, differences, answer) => {
    const steps = [
      (service: PaymentApprovalsController) => service.submitChallenge(sent(code)),
      (service: PaymentApprovalsController) => service.askAgain(sent(code)),
      (service: PaymentApprovalsController) => service.showChallenge(sent(), { isSafe: false } as never),
    ];
    for (const step of steps) {
      const { service, names } = withPayment({ signedIn: of, differences });
      expect(await step(service)).toMatchObject(answer);
      expect(names()).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(ask|answer|show)$/)]));
    }
  });

  it('has a status for the script of its page', async () => {
    const { service, log } = withPayment({ signedIn });
    expect(await service.findChallengeStatus(sent())).toBe('Pending');
    // A page that polls does not extend the session.
    expect(log[0]).toEqual(['visit', { isWaiting: true }]);
    expect(await withPayment({ signedIn: null }).service.findChallengeStatus(sent())).toBe('Used');
  });
});

const load = (to?: string) => ({ isSafe: false, to }) as never;

describe('the list', () => {
  it('is what waits, with the sessions elsewhere', async () => {
    const { page } = (await withPayment().service.showList(sent(), load())) as never as { page: object };
    const waiting = [expect.objectContaining({ address })];
    expect(page).toMatchObject({ name: 'approval-list', waiting, otherSessions: 1 });
  });

  it('comes after the sign-in, and after the page that the customer wanted', async () => {
    expect(await withPayment({ signedIn: null }).service.showList(sent(), load())).toEqual({ kind: 'sign-in' });
    const wanted = await withPayment().service.showList(sent(), load('/approvals/decided'));
    expect(wanted).toMatchObject({ status: 303, location: '/approvals/decided' });
    const elsewhere = await withPayment().service.showList(sent(), load('https://app.example/'));
    expect(elsewhere).toMatchObject({ kind: 'page' });
  });

  it('says that the bank has locked the customer', async () => {
    await expect(withPayment().service.showList(sent({}, 'locked'), load())).rejects.toThrow(PsuLockedError);
  });
});

const show = (query: object, of?: Parameters<typeof withPayment>[0], word?: string) => {
  const { service, names } = withPayment(of);
  return service.showPayment(sent({}, word), { ...asked, ...query }).then((answer) => ({ answer, names: names() }));
};

describe('the page of a payment', () => {
  it('asks the bank about its payees while there is something to decide', async () => {
    const waiting = await show({});
    expect(waiting.answer).toMatchObject({ status: 200, page: { name: 'payment-approval', outcome: undefined } });
    expect(waiting.names).toContain('payees');
    const decided = await show({}, { differences: declined });
    expect(decided.answer).toMatchObject({ status: 200, page: { outcome: 'outcome.declined' } });
    expect(decided.names).not.toContain('payees');
  });

  it.each([
    ['a mistake first', { ending: 'Refused' }, 'fileChanged', 'FileChanged'],
    ['why a challenge failed', { ending: 'Refused' }, undefined, 'ChallengeRefused'],
  ])('says %s', async (_title, query, word, problem) => {
    const { answer } = await show(query, {}, word);
    expect(answer).toMatchObject({ status: 400, page: { problem: { code: problem } } });
  });

  it('advises only a customer who has declined', async () => {
    const advice = { advice: 'SuspectedFraud' };
    expect((await show(advice, { differences: declined })).answer).toMatchObject({ page: { isFraud: true } });
    expect((await show(advice)).answer).toMatchObject({ page: { isFraud: false } });
    expect((await show({}, { differences: declined })).answer).toMatchObject({ page: { isFraud: false } });
  });

  it.each([
    ['the payment', { decline: 'Consent' }, challenge, address],
    ['the challenge', { decline: 'Challenge' }, challenge, '/approvals/challenge'],
    ['the payment, if the challenge is for another', { decline: 'Challenge' }, { filePaymentId: 'x' }, address],
  ])('asks why somebody declines, and leads back to %s', async (_title, query, of, ownAddress) => {
    const { answer } = await show(query, { signedIn: { ...session, challenge: of } });
    expect(answer).toMatchObject({ status: 200, page: { name: 'decline-page', ownAddress, filePaymentId } });
    const decided = await show(query, { differences: declined });
    expect(decided.answer).toMatchObject({ page: { name: 'payment-approval' } });
  });

  it('reserves memory for its list of payments', async () => {
    const held: number[] = [];
    const request = { form: new Map(), interactionId: 'i-1', hold: (length: number) => held.push(length) } as never;
    await withPayment().service.showPayment(request, asked);
    expect(held).toEqual([instructions.length]);
  });

  it('leads to the sign-in first', async () => {
    expect((await show({}, { signedIn: null })).answer).toEqual({ kind: 'sign-in', wanted: address });
  });
});
