import { describe, expect, it } from '@jest/globals';
import type { OpenSession } from '../psu-session/open-session.js';
import { createCsrfToken } from '../psu-session/csrf-token.js';
import { createWording } from '../wording/wording.js';
import { createJourneyPage } from './journey-page.js';

const request = { clientName: 'Shop', orgName: 'Shop Ltd', orgId: 'O-1', onBehalfOfOrg: 'Till Ltd' };
const expiresAt = new Date('2026-07-01T10:15:00Z');
const anOpenSession = (differences: object, asker: object = request): OpenSession =>
  ({
    value: 'v',
    call: { interactionId: 'i-1' },
    word: { name: 'codeSent' },
    session: { sessionId: 's-1', stage: 'SignIn', psuName: 'Alice', expiresAt, request: asker, ...differences },
  }) as unknown as OpenSession;
const shown = {
  sessionId: 's-1',
  csrfToken: createCsrfToken('v'),
  isReading: false,
  clientName: 'Shop',
  orgName: 'Shop Ltd',
  registerNumber: 'O-1',
  onBehalfOfOrg: 'Till Ltd',
  reference: 'i-1',
  psuName: undefined,
  closesAt: '11:15',
  moreTimeAddress: '/more-time?authorization=s-1',
  ownAddress: '/sign-in?authorization=s-1',
  problem: undefined,
  notice: 'notice.codeSent',
};

describe('what the pages of one session share', () => {
  it.each([
    ['SignIn', '/sign-in', false],
    ['SecondFactor', '/second-factor', false],
    ['Consent', '/consent', true],
    ['Challenge', '/challenge', true],
  ])('in the stage %s: the asker and the addresses, and the name of who has signed in', (stage, path, isReading) => {
    expect(createJourneyPage(anOpenSession({ stage }), createWording().en)).toEqual({
      ...shown,
      isReading,
      psuName: isReading ? 'Alice' : undefined,
      ownAddress: `${path}?authorization=s-1`,
    });
  });

  it('is the number of a register that is not the directory, and a mistake of the customer', () => {
    const problem = { field: 'username', text: 'problem.usernameMissing' } as never;
    const open = anOpenSession({}, { ...request, registerNumber: '123456' });
    expect(createJourneyPage(open, createWording().en, problem)).toEqual({
      ...shown,
      registerNumber: '123456',
      problem,
    });
  });
});
