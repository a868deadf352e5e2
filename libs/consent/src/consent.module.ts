import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule } from '#libs/idempotency';
import { ConsentService } from './consent.service.js';
import { FilePaymentConsentEntity } from './file-payment-consent.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([FilePaymentConsentEntity]), IdempotencyModule],
  providers: [ConsentService],
  exports: [ConsentService],
})
export class ConsentModule {}
