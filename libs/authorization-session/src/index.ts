export { DeclineNoticeQueue } from './decline-notice-queue.js';
export type { DueDeclineNotice } from './decline-notice-queue.js';
export { ApprovalSessionService } from './approval-session.service.js';
export { AuthorizationSessionModule } from './authorization-session.module.js';
export { AuthorizationSessionService } from './authorization-session.service.js';
export { declineReasons, type DeclineReason } from './decline-reason.js';
export { isAccessDecidable } from './access-to-decide.js';
export type { AccessToDecide } from './access-to-decide.js';
export { GivenAccessService } from './given-access.service.js';
export type { GivenAccess } from './given-access.service.js';
export { isAwaitingAuthorisation } from './consent-to-decide.js';
export { endApprovalsOfClient, PaymentApprovalService } from './payment-approval.service.js';
export { OwnDecisionService } from './own-decisions.service.js';
export type { OwnDecision } from './own-decisions.service.js';
export { PushedAuthorizationRequestService } from './pushed-authorization-request.service.js';
export type { ApprovalSession } from './approval-session.service.js';
export type { MadeDecision, PaymentAwaitingApproval } from './payment-approval.service.js';
export type {
  AuthorizationSession,
  OneAnswer,
  PendingAuthorizationRequest,
  SessionKey,
} from './authorization-session.js';
export type { SessionStart } from './authorization-session.service.js';
export type { Approval } from './session-parameters.js';
export { mostChallenges } from './session-challenge.js';
export type { PayeesShown, SessionChallenge } from './session-challenge.js';
export type { AuthorizationSessionStage } from './authorization-session-stage.js';
export type { PushOutcome } from './pushed-authorization-request.service.js';
export type { ConsentToDecide } from './consent-to-decide.js';
export { findUnrecordedApprovals } from './unrecorded-approvals.js';
