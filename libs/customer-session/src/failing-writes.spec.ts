import { expect, it } from '@jest/globals';
import type { Database } from '#libs/persistence';
import { ApprovalSessionService } from './approval-session.service.js';
import { AuthorizationSessionService } from './authorization-session.service.js';

const gone = async (): Promise<never> => {
  throw new Error('the database has gone');
};
const database = { query: gone, transaction: gone } as unknown as Database;
const session = { sessionId: 'id', sessionHash: Buffer.from('hash') };
const step = { ...session, key: session, challengeId: 'id', started: 1, now: new Date(0) };
const verified = { acr: 'urn:openbanking:psd2:sca', authenticatedAt: new Date(0).toISOString() };
const approvals = new ApprovalSessionService(database);
const authorizations = new AuthorizationSessionService(database);

// A write that is not awaited fails unheard, and ends the process.
it.each([
  ['the release of a challenge', () => authorizations.releaseChallenge(step)],
  ['the end of a challenge', () => authorizations.endChallenge(step)],
  ['what the bank has verified', () => authorizations.keepVerification({ ...step, verified })],
  ['a challenge that the bank has not begun', () => authorizations.giveChallengeBack(step)],
  ['the release of an approver’s challenge', () => approvals.releaseChallenge(step)],
  ['an approver’s challenge that the bank has not begun', () => approvals.giveChallengeBack(step)],
  ['what the bank has verified of an approver', () => approvals.keepVerification({ ...step, verified })],
  ['the end of an approver’s session', () => approvals.end(session.sessionHash)],
  ['the end of a customer’s other sessions', () => approvals.endOfPsu('psu', { except: 'id' })],
])('%s is written, or its failure is heard', async (_what, write) => {
  await expect(write()).rejects.toThrow('the database has gone');
});
