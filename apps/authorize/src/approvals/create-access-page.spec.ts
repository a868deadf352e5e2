import { describe, expect, it } from '@jest/globals';
import type { Words } from '../wording/words.js';
import { createFundsPage } from './create-access-page.js';

const words = { time: () => '12:00', moment: () => '', day: () => '' } as unknown as Words;

const to = (number?: number) => number && `/approvals/access/funds?consent=c&page=${number}`;

describe('the questions about the money in an account', () => {
  it.each([
    [0, undefined, 1],
    [998, 997, 999],
    [999, 998, undefined],
  ])('lead from page %s to the pages beside it, and to none that cannot be asked for', (place, later, earlier) => {
    const page = createFundsPage(words, {
      approver: { value: 'v', session: { psuName: 'Alice', expiresAt: new Date() } } as never,
      request: { interactionId: '12345678' } as never,
      consent: { consentId: 'c', accounts: [], terms: {} } as never,
      questions: [],
      place,
      isLast: false,
    });
    expect([page.laterAddress, page.earlierAddress]).toEqual([to(later), to(earlier)]);
  });
});
