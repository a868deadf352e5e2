import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyStore } from '#libs/idempotency';
import { ConsentService } from './consent.service.js';
import { PaymentConsentEntity } from './payment-consent.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([PaymentConsentEntity])],
  providers: [ConsentService, IdempotencyStore],
  exports: [ConsentService],
})
export class ConsentModule {}
