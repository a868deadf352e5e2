import { Injectable } from '@nestjs/common';
import { paymentStatuses } from '#libs/obie-rules';
import { BankConnection } from './bank-connection.js';
import { parseObject, parseOptionalText, parseText, parseWord, type AnswerObject } from './parse-bank-answer.js';
import {
  PaymentScheme,
  type BatchDecision,
  type PaymentBatch,
  type PaymentInstruction,
  type PaymentOutcome,
} from './payment-scheme.js';
import type { BankCall } from './psu-authentication.js';

/** The payment schemes through the bank's API (deploy/bank-openapi.yaml, tag payments). */
@Injectable()
export class HttpsPaymentScheme extends PaymentScheme {
  readonly #connection: BankConnection;

  constructor(connection: BankConnection) {
    super();
    this.#connection = connection;
  }

  override async reserveBatch({ batch, call }: { batch: PaymentBatch; call: BankCall }): Promise<BatchDecision> {
    const { filePaymentId, consentId, ...rest } = batch;
    const { body } = await this.#connection.send({
      operation: 'reserveBatch',
      method: 'POST',
      path: '/payment-batches',
      // The bank knows the file by the consent that the PSU approved.
      body: { fileId: consentId, ...rest },
      idempotencyKey: filePaymentId,
      expected: [200],
      call,
    });
    if (parseWord(body, 'decision', ['Accepted', 'Refused']) === 'Accepted') return { decision: 'Accepted' };
    return { decision: 'Refused', reason: parseWord(body, 'reason', ['InsufficientFunds', 'AccountBlocked']) };
  }

  override async handOverPayment(request: { payment: PaymentInstruction; call: BankCall }): Promise<PaymentOutcome> {
    const { payment, call } = request;
    const { body } = await this.#connection.send({
      operation: 'handOverPayment',
      method: 'POST',
      path: '/payments',
      body: payment,
      idempotencyKey: payment.paymentId,
      expected: [200],
      call,
    });
    return parsePaymentOutcome(body);
  }

  override async findPayment(query: { paymentId: string; call: BankCall }): Promise<PaymentOutcome | undefined> {
    const { status, body } = await this.#connection.send({
      operation: 'findPayment',
      method: 'GET',
      path: `/payments/${encodeURIComponent(query.paymentId)}`,
      expected: [200, 404],
      call: query.call,
    });
    return status === 404 ? undefined : parsePaymentOutcome(body);
  }
}

/**
 * Reads where a payment is, from an answer of the bank or from a report of its own.
 * @throws BankAnswerError
 */
export function parsePaymentOutcome(body: AnswerObject): PaymentOutcome {
  const status = parseWord(body, 'status', paymentStatuses);
  if (body['statusDetail'] === undefined) return { status };
  const detail = parseObject(body['statusDetail'], 'statusDetail');
  const reason = parseOptionalText(detail, 'reason', 128);
  const description = parseOptionalText(detail, 'description', 256);
  return {
    status,
    statusDetail: {
      status: parseText(detail, 'status', 128),
      ...(reason !== undefined && { reason }),
      ...(description !== undefined && { description }),
    },
  };
}
