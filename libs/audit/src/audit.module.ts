import { Global, Module } from '@nestjs/common';
import { AuditNotes } from './audit-notes.service.js';

/** Offers {@link AuditNotes} everywhere in an application. */
@Global()
@Module({ providers: [AuditNotes], exports: [AuditNotes] })
export class AuditModule {}
