import { Module } from '@nestjs/common';
import { DeclineNoticeQueue } from './decline-notice-queue.js';
import { ApprovalSessionService } from './approval-session.service.js';
import { AuthorizationSessionService } from './authorization-session.service.js';
import { GivenAccessService } from './given-access.service.js';
import { PushedAuthorizationRequestService } from './pushed-authorization-request.service.js';

const services = [
  AuthorizationSessionService,
  ApprovalSessionService,
  GivenAccessService,
  DeclineNoticeQueue,
  PushedAuthorizationRequestService,
];

/** Needs PersistenceModule. */
@Module({ providers: services, exports: services })
export class CustomerSessionModule {}
