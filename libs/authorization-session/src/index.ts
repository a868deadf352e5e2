export { AuthorizationSessionModule } from './authorization-session.module.js';
export { AuthorizationSessionService } from './authorization-session.service.js';
export { stageTransitions } from './authorization-session-stage.js';
export { isAwaitingAuthorisation } from './consent-to-decide.js';
export type { AuthorizationSession, PendingAuthorizationRequest, SessionKey } from './authorization-session.js';
export type { Approval, ChosenAccount, SessionStart } from './authorization-session.service.js';
export type { AuthorizationSessionStage } from './authorization-session-stage.js';
export type { ConsentToDecide } from './consent-to-decide.js';
