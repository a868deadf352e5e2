import { createCsrfToken } from '../psu-session/csrf-token.js';
import type { OpenSession } from '../psu-session/open-session.js';
import type { FormProblem, JourneyPage } from './page-models.js';

/** How the pages write a time of day. */
export const timeOfDay = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  hour: '2-digit',
  minute: '2-digit',
});

/** @returns what the pages of one session have in common */
export function createJourneyPage(open: OpenSession, problem?: FormProblem): JourneyPage {
  const { session, value, call } = open;
  const { clientName, orgName } = session.request;
  return {
    sessionId: session.sessionId,
    csrfToken: createCsrfToken(value),
    declineText: session.stage === 'Consent' ? 'Decline' : 'Cancel and go back',
    clientName,
    orgName,
    reference: call.interactionId,
    psuName: session.stage === 'Consent' ? session.psuName : undefined,
    closesAt: timeOfDay.format(session.expiresAt),
    problem,
  };
}
