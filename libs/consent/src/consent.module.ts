import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule } from '#libs/idempotency';
import { ConsentService } from './consent.service.js';
import { PaymentConsentEntity } from './payment-consent.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([PaymentConsentEntity]), IdempotencyModule],
  providers: [ConsentService],
  exports: [ConsentService],
})
export class ConsentModule {}
