import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConsentModule } from '#libs/consent';
import { IdempotencyModule } from '#libs/idempotency';
import { PaymentOrderModule } from '#libs/payment-order';
import { FileReportService } from './file-report.service.js';
import { FileUploadService } from './file-upload.service.js';
import { PaymentFileEntity } from './payment-file.entity.js';

const services = [FileUploadService, FileReportService];

@Module({
  imports: [TypeOrmModule.forFeature([PaymentFileEntity]), ConsentModule, IdempotencyModule, PaymentOrderModule],
  providers: services,
  exports: services,
})
export class FilePaymentModule {}
