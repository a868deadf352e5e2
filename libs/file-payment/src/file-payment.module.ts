import { Module } from '@nestjs/common';
import { ConsentModule } from '#libs/consent';
import { IdempotencyStore } from '#libs/idempotency';
import { PaymentOrderModule } from '#libs/payment-order';
import { FileReportService } from './file-report.service.js';
import { FileUploadService } from './file-upload.service.js';

const services = [FileUploadService, FileReportService];

@Module({
  imports: [ConsentModule, PaymentOrderModule],
  providers: [...services, IdempotencyStore],
  exports: services,
})
export class FilePaymentModule {}
