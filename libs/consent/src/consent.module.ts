import { Module } from '@nestjs/common';
import { IdempotencyModule } from '#libs/idempotency';
import { ConsentService } from './consent.service.js';

@Module({ imports: [IdempotencyModule], providers: [ConsentService], exports: [ConsentService] })
export class ConsentModule {}
