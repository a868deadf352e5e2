import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { ConsentError, filePaymentKind } from '#libs/consent';
import { type FilePayment, PaymentOrderService, type PaymentEntity } from '#libs/payment-order';
import type { StatementRunner } from '#libs/persistence';
import { PaymentFileEntity } from './payment-file.entity.js';

/** A file payment with its file and the state of each payment in it. */
export interface FilePaymentReport extends FilePayment {
  readonly file: PaymentFileEntity;
  /** in file order */
  readonly payments: readonly PaymentEntity[];
}

/** $1 consent: its file */
const findFileSql = `
  SELECT consent_id AS "consentId", content, uploaded_at AS "uploadedAt", erased_at AS "erasedAt"
    FROM payment_files WHERE consent_id = $1::uuid`;

/** The report of a file payment. */
@Injectable()
export class FileReportService {
  constructor(private readonly orders: PaymentOrderService) {}

  /**
   * It may be a second old.
   * @throws PaymentOrderError PaymentOrderNotFound, PaymentOrderOfAnotherClient
   */
  async get(filePaymentId: string, clientId: string): Promise<FilePaymentReport> {
    const { runner, ...order } = await this.orders.getForReport(filePaymentKind, filePaymentId, clientId);
    return { ...order, file: await findFile(runner, order.payment.consentId) };
  }
}

async function findFile(runner: StatementRunner, consentId: string): Promise<PaymentFileEntity> {
  const { rows } = await runner.query<PaymentFileEntity & QueryResultRow>('find-payment-file', findFileSql, [
    consentId,
  ]);
  if (rows[0] === undefined) throw new ConsentError('FileNotUploaded', 'No file has been uploaded to the consent.');
  return Object.assign(new PaymentFileEntity(), rows[0]);
}
