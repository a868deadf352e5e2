import { createCsrfToken } from '../psu-session/csrf-token.js';
import { pageAddress, type OpenSession } from '../psu-session/open-session.js';
import { noticeOf } from './carried-word.js';
import type { Words } from '../wording/words.js';
import type { FormProblem, JourneyPage } from './page-models.js';

/** @returns what the pages of one session share */
export function createJourneyPage(open: OpenSession, words: Words, problem?: FormProblem): JourneyPage {
  const { session, value, call } = open;
  const { clientName, orgName, orgId, registerNumber = orgId, onBehalfOfOrg } = session.request;
  const isReading = session.stage === 'Consent' || session.stage === 'Challenge';
  return {
    sessionId: session.sessionId,
    csrfToken: createCsrfToken(value),
    isReading,
    clientName,
    orgName,
    registerNumber,
    onBehalfOfOrg,
    reference: call.interactionId,
    psuName: isReading ? session.psuName : undefined,
    closesAt: words.time(session.expiresAt),
    moreTimeAddress: `/more-time?authorization=${session.sessionId}`,
    ownAddress: pageAddress(session),
    problem,
    notice: noticeOf(open.word),
  };
}
