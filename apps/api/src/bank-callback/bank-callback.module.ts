import { Module } from '@nestjs/common';
import { FilePaymentModule } from '#libs/file-payment';
import { BankCallbackController } from './bank-callback.controller.js';

@Module({ imports: [FilePaymentModule], controllers: [BankCallbackController] })
export class BankCallbackModule {}
