import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConsentModule } from '#libs/consent';
import { IdempotencyModule } from '#libs/idempotency';
import { FilePaymentEntity } from './file-payment.entity.js';
import { FilePaymentService } from './file-payment.service.js';
import { FileUploadService } from './file-upload.service.js';
import { PaymentEntity } from './payment.entity.js';
import { PaymentFileEntity } from './payment-file.entity.js';
import { PaymentQueue } from './payment-queue.js';
import { PaymentReports } from './payment-reports.js';
import { ReconciliationQueue } from './reconciliation/reconciliation-queue.js';
import { SettlementWatch } from './settlement-watch.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([FilePaymentEntity, PaymentEntity, PaymentFileEntity]),
    ConsentModule,
    IdempotencyModule,
  ],
  providers: [
    FilePaymentService,
    FileUploadService,
    PaymentQueue,
    PaymentReports,
    SettlementWatch,
    ReconciliationQueue,
  ],
  exports: [FilePaymentService, FileUploadService, PaymentQueue, PaymentReports, SettlementWatch, ReconciliationQueue],
})
export class FilePaymentModule {}
