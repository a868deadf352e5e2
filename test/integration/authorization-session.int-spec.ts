import { useAuthorizationSessions } from './authorization-session/authorization-session-world.js';
import { describeEndings } from './authorization-session/endings.js';
import { describeFurtherApprovers } from './authorization-session/further-approvers.js';
import { describeSteps } from './authorization-session/steps.js';

useAuthorizationSessions();

describeSteps();
describeEndings();
describeFurtherApprovers();
