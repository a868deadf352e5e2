import { describe, expect, it } from '@jest/globals';
import { hashToken } from '#libs/oauth';
import { notedAnswers } from '../../../../test/support/noted-answers.js';
import { readWord } from '../pages/carried-word.js';
import { ChallengeDesk } from '../challenge/challenge-desk.service.js';
import { ApprovalChallenge } from './approval-challenge.service.js';

const now = new Date('2026-11-27T12:00:00Z');
const authenticatedAt = new Date('2026-11-27T11:59:00Z');
const verified = { acr: 'a', authenticatedAt: authenticatedAt.toISOString() };
const key = { sessionId: 's-1', sessionHash: hashToken('v') };
const claim = { key, challengeId: 'c-1' };
const approvalHash = Buffer.alloc(32, 1);
const challenge = { challengeId: 'c-1', interactionId: 'i-0', approvalHash: approvalHash.toString('hex') };
const asked = {
  approver: { value: 'v', session: { sessionId: 's-1', psuId: 'bob' } },
  request: { interactionId: 'i-1' },
  payment: {
    filePaymentId: 'p-1',
    clientName: 'Shop',
    orgName: 'Shop Ltd',
    orgId: 'O-1',
    debtorAccount: { schemeName: 'UK.OBIE.IBAN', identification: 'GB1', name: 'Traders' },
  },
  consentId: 'f-1',
  file: { total: 1_250_000n, currency: 'GBP', payments: [], approvalHash },
  accounts: [],
} as never;

/** What happens at the bank and in the database. */
function withOutcomes({
  status = 'Pending',
  verification = { outcome: 'Verified', acr: 'a', authenticatedAt } as object,
  isClaimed = true,
  isDecided = true as boolean | Error,
  found = undefined as object | undefined,
} = {}) {
  const { log, answer } = notedAnswers();
  const sessions = {
    claimChallenge: answer('claim', isClaimed),
    releaseChallenge: answer('release'),
    keepVerification: answer('keep'),
  };
  const desk = {
    askVisitor: answer('ask'),
    awaitCheckOfVisitor: answer('await', found),
    findStatus: answer('status', status),
    verify: answer('verify', verification),
    storeForVisitor: ChallengeDesk.prototype.storeForVisitor,
    verifyForVisitor: ChallengeDesk.prototype.verifyForVisitor,
    approvals: sessions,
  };
  const pages = { createDecisionChallenge: ({ problem }: object & { problem?: object }) => ({ problem }) };
  const parts = [
    sessions,
    { decide: answer('decide', isDecided) },
    desk,
    pages,
    { now: () => now, ofDatabase: () => now },
  ];
  const service = new ApprovalChallenge(...(parts as unknown as ConstructorParameters<typeof ApprovalChallenge>));
  return { service, log, names: () => log.map(([name]) => name) };
}
const payment = '/approvals/payment?file_payment=p-1';
const to = (location: string) => ({ kind: 'redirect', status: 303, location });

describe('a further approval', () => {
  it('is asked of the bank with the file that is approved', async () => {
    const { service, log } = withOutcomes();
    const payees = { known: 1 } as never;
    expect(await service.ask(asked, payees)).toEqual(to('/approvals/challenge'));
    const decision = { filePaymentId: 'p-1', approvalHash: approvalHash.toString('hex'), payees };
    const binding = expect.objectContaining({ purpose: 'Payment', psuId: 'bob', fileId: 'f-1', interactionId: 'i-1' });
    expect(log).toEqual([['ask', expect.objectContaining({ binding, decision, key })]]);
  });

  it('with the right code is decided once, and for what was authenticated', async () => {
    const { service, log } = withOutcomes();
    expect(await service.answer(asked, challenge as never, '123456')).toEqual(to(payment));
    expect(log.map(([name]) => name)).toEqual(['claim', 'verify', 'decide']);
    expect(log[1]?.[1]).toMatchObject({ oneTimeCode: '123456', binding: { interactionId: 'i-0' } });
    expect(log[2]?.[1]).toMatchObject({
      outcome: 'Approved',
      acr: 'a',
      authenticatedAt,
      challenge: { sessionHash: key.sessionHash, challengeId: 'c-1' },
      approvalHash,
    });
  });

  it.each([
    ['is shown as another click has decided it', { isClaimed: false, found: {} }, ['claim', 'await'], payment],
    ['is unknown if the visit has ended', { isClaimed: false }, ['claim', 'await'], payment],
    [
      'continues with what the bank said to another click',
      { isClaimed: false, found: { challenge: { ...challenge, verified } } },
      ['claim', 'await'],
      '/approvals/challenge',
    ],
    ['is asked anew for another file', { challenge: { approvalHash: 'x' } }, [], `${payment}&ending=Used`],
    ['may be of another by now', { isDecided: false }, ['claim', 'verify', 'decide', 'release'], payment],
    [
      'ends with its challenge',
      { verification: { outcome: 'Over' } },
      ['claim', 'verify', 'release'],
      `${payment}&ending=Used`,
    ],
  ])(
    '%s',
    async (_title, { challenge: differences, ...outcomes }: { challenge?: object } & object, steps, location) => {
      const { service, names } = withOutcomes(outcomes);
      expect(await service.answer(asked, { ...challenge, ...differences } as never, '1')).toEqual(to(location));
      expect(names()).toEqual(steps);
    },
  );

  it.each([
    ['', { verification: { outcome: 'InvalidCredentials' } }, ['claim', 'verify', 'release']],
    ['of another click ', { isClaimed: false, found: { challenge } }, ['claim', 'await']],
  ])('with a wrong code %smay be tried again, and the page says so', async (_title, outcomes, steps) => {
    const { service, names } = withOutcomes(outcomes);
    const answer = await service.answer(asked, challenge as never, '1');
    expect(answer).toMatchObject(to('/approvals/challenge'));
    expect(readWord(answer.cookies?.[0]?.split(';')[0], '/approvals/challenge')?.name).toBe('wrongCode');
    expect(names()).toEqual(steps);
  });

  it('can be answered again after a failure of the bank, and is kept after one of the database', async () => {
    const bank = withOutcomes({ verification: new Error('away') });
    await expect(bank.service.answer(asked, challenge as never, '1')).rejects.toThrow('away');
    expect(bank.names()).toEqual(['claim', 'verify', 'release']);
    const away = Object.assign(new Error('away'), { code: '57P01' });
    const database = withOutcomes({ isDecided: away });
    await expect(database.service.answer(asked, challenge as never, '1')).rejects.toBe(away);
    expect(database.log.at(-1)).toEqual(['keep', { ...claim, verified }]);
  });
});

describe('the page that waits for an answer', () => {
  const wrong = { ...(asked as object), request: { interactionId: 'i-1', word: { name: 'wrongCode' } } } as never;

  it.each([
    [
      'continues once approved in the app',
      asked,
      'Approved',
      false,
      ['status', 'claim', 'verify', 'decide'],
      to(payment),
    ],
    ['shows itself for HEAD', asked, 'Approved', true, ['status'], {}],
    ['shows itself until then', asked, 'Pending', false, ['status'], {}],
    ['leads back after a refusal', asked, 'Refused', false, ['status'], to(`${payment}&ending=Refused`)],
    [
      'says a mistake first',
      wrong,
      'Approved',
      false,
      [],
      { problem: expect.objectContaining({ fieldId: 'one-time-code' }) },
    ],
  ])('%s', async (_title, of, status, isSafe, steps, shown) => {
    const { service, names } = withOutcomes({ status });
    expect(await service.show(of, challenge as never, { isSafe })).toEqual(shown);
    expect(names()).toEqual(steps);
  });
});
