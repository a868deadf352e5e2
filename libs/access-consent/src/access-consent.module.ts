import { Module } from '@nestjs/common';
import { AccessConsentService } from './access-consent.service.js';

/** Needs `Database` (PersistenceModule), `Config` and `Clock` (ConfigModule), all global. */
@Module({ providers: [AccessConsentService], exports: [AccessConsentService] })
export class AccessConsentModule {}
