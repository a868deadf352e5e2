import { Module } from '@nestjs/common';
import { PaymentOrderModule } from '#libs/payment-order';
import { BankCallbackController } from './bank-callback.controller.js';

@Module({ imports: [PaymentOrderModule], controllers: [BankCallbackController] })
export class BankCallbackModule {}
