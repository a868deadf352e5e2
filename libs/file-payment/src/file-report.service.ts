import { Injectable } from '@nestjs/common';
import { filePaymentKind } from '#libs/consent';
import { type FilePayment, PaymentOrderService, type PaymentEntity } from '#libs/payment-order';
import { findPaymentFile } from './find-payment-file.js';
import type { PaymentFileEntity } from './payment-file.entity.js';

/** A file payment with its file and the state of each payment in it. */
export interface FilePaymentReport extends FilePayment {
  readonly file: PaymentFileEntity;
  /** in file order */
  readonly payments: readonly PaymentEntity[];
}

/** The report of a file payment. */
@Injectable()
export class FileReportService {
  constructor(private readonly orders: PaymentOrderService) {}

  /**
   * The report may be a second old.
   * @param hold called with the file's length before the file is read
   * @throws PaymentOrderError PaymentOrderNotFound, PaymentOrderOfAnotherClient
   */
  async get(filePaymentId: string, clientId: string, hold: (length: number) => void): Promise<FilePaymentReport> {
    const { runner, ...order } = await this.orders.getForReport(filePaymentKind, filePaymentId, clientId);
    return { ...order, file: await findPaymentFile(runner, order.payment.consentId, hold) };
  }
}
