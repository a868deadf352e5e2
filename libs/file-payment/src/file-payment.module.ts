import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConsentModule } from '#libs/consent';
import { IdempotencyModule } from '#libs/idempotency';
import { ApprovalRequestQueue } from './approval-request-queue.js';
import { FilePaymentEntity } from './file-payment.entity.js';
import { FilePaymentService } from './file-payment.service.js';
import { FileUploadService } from './file-upload.service.js';
import { PaymentEntity } from './payment.entity.js';
import { PaymentFileEntity } from './payment-file.entity.js';
import { PaymentQueue } from './payment-queue.js';
import { PaymentReports } from './payment-reports.js';
import { ReconciliationQueue } from './reconciliation/reconciliation-queue.js';
import { SettlementWatch } from './settlement-watch.js';

const services = [
  FilePaymentService,
  FileUploadService,
  ApprovalRequestQueue,
  PaymentQueue,
  PaymentReports,
  SettlementWatch,
  ReconciliationQueue,
];

@Module({
  imports: [
    TypeOrmModule.forFeature([FilePaymentEntity, PaymentEntity, PaymentFileEntity]),
    ConsentModule,
    IdempotencyModule,
  ],
  providers: services,
  exports: services,
})
export class FilePaymentModule {}
