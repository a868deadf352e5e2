export { isAccessDecidable } from './access-to-decide.js';
export type { AccessToDecide } from './access-to-decide.js';
export { ApprovalSessionService } from './approval-session.service.js';
export type { ApprovalSession } from './approval-session.service.js';
export type { AuthorizationSessionStage } from './authorization-session-stage.js';
export { CustomerSessionModule } from './customer-session.module.js';
export { AuthorizationSessionService } from './authorization-session.service.js';
export type { SessionStart } from './authorization-session.service.js';
export type {
  AuthorizationSession,
  OneAnswer,
  PendingAuthorizationRequest,
  SessionKey,
} from './authorization-session.js';
export { isAwaitingAuthorisation, toConsentToDecide } from './consent-to-decide.js';
export type { ConsentToDecide, ConsentToDecideRow } from './consent-to-decide.js';
export { DeclineNoticeQueue, declineNoticeOf } from './decline-notice-queue.js';
export type { DeclineNotice, DueDeclineNotice } from './decline-notice-queue.js';
export { declineReasons } from './decline-reason.js';
export type { DeclineReason } from './decline-reason.js';
export { GivenAccessService } from './given-access.service.js';
export type { GivenAccess } from './given-access.service.js';
export { PushedAuthorizationRequestService } from './pushed-authorization-request.service.js';
export { mostChallenges } from './session-challenge.js';
export type { PayeesShown, SessionChallenge } from './session-challenge.js';
export { authorizationSettings } from './customer-session.settings.js';
