import { Module } from '@nestjs/common';
import { AuthorizationSessionService } from './authorization-session.service.js';

/** Needs the global PersistenceModule. */
@Module({ providers: [AuthorizationSessionService], exports: [AuthorizationSessionService] })
export class AuthorizationSessionModule {}
