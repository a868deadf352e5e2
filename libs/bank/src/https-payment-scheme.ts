import { Injectable } from '@nestjs/common';
import { paymentStatuses } from '#libs/obie-rules';
import { BankConnection } from './bank-connection.js';
import { BankAnswerError } from './bank.errors.js';
import {
  parseObject,
  parseOptionalText,
  parsePattern,
  parseText,
  parseWord,
  type AnswerObject,
} from './parse-bank-answer.js';
import {
  type AttemptCall,
  PaymentScheme,
  type BatchDecision,
  type FileAtBank,
  type PaymentAtBank,
  type PaymentBatch,
  type BankPayment,
  type PaymentOutcome,
  batchRefusals,
} from './payment-scheme.js';
import type { BankCall } from './psu-authentication.js';

/** A file has at most 150 payments; more are read from the bank, within a limit, so that surplus ones are found. */
const maxPaymentsOfFile = 200;

/** The payment schemes through the bank's API (deploy/bank-openapi.yaml, tag payments). */
@Injectable()
export class HttpsPaymentScheme extends PaymentScheme {
  constructor(private readonly connection: BankConnection) {
    super();
  }

  override async reserveBatch(request: AttemptCall & { batch: PaymentBatch }): Promise<BatchDecision> {
    const { batch, attempt, call } = request;
    const { filePaymentId, consentId, ...rest } = batch;
    const { body } = await this.connection.send({
      operation: 'reserveBatch',
      method: 'POST',
      path: '/payment-batches',
      // The bank knows the file by the consent that the PSU approved.
      body: { fileId: consentId, ...rest },
      idempotencyKey: filePaymentId,
      attempt,
      expected: [200],
      call,
    });
    if (parseWord(body, 'decision', ['Accepted', 'Refused']) === 'Accepted') return { decision: 'Accepted' };
    return { decision: 'Refused', reason: parseWord(body, 'reason', batchRefusals) };
  }

  override async handOverPayment(request: AttemptCall & { payment: BankPayment }): Promise<PaymentOutcome> {
    const { payment, attempt, call } = request;
    const { body } = await this.connection.send({
      operation: 'handOverPayment',
      method: 'POST',
      path: '/payments',
      body: payment,
      idempotencyKey: payment.paymentId,
      attempt,
      expected: [200],
      call,
    });
    return parsePaymentOutcome(body);
  }

  override async fenceBatch(request: AttemptCall & { filePaymentId: string }): Promise<'Fenced' | 'NotOffered'> {
    const { filePaymentId, attempt, call } = request;
    const { status } = await this.connection.send({
      operation: 'fenceBatch',
      method: 'POST',
      path: `/payment-batches/${encodeURIComponent(filePaymentId)}/fence`,
      idempotencyKey: filePaymentId,
      attempt,
      expected: [204, 404],
      call,
    });
    return status === 404 ? 'NotOffered' : 'Fenced';
  }

  override async findPayment(query: { paymentId: string; call: BankCall }): Promise<PaymentOutcome | undefined> {
    const { status, body } = await this.connection.send({
      operation: 'findPayment',
      method: 'GET',
      path: `/payments/${encodeURIComponent(query.paymentId)}`,
      expected: [200, 404],
      call: query.call,
    });
    return status === 404 ? undefined : parsePaymentOutcome(body);
  }

  override async findPaymentsOfFile(query: {
    filePaymentId: string;
    call: BankCall;
  }): Promise<FileAtBank | 'NotOffered'> {
    const { status, body } = await this.connection.send({
      operation: 'findPaymentsOfFile',
      method: 'GET',
      path: `/payment-batches/${encodeURIComponent(query.filePaymentId)}/payments`,
      expected: [200, 404],
      call: query.call,
    });
    return status === 404 ? 'NotOffered' : parseFileAtBank(body);
  }
}

function parseFileAtBank(body: AnswerObject): FileAtBank {
  const decision = parseWord(body, 'decision', ['Accepted', 'Refused', 'Unknown']);
  const { payments } = body;
  if (!Array.isArray(payments) || payments.length > maxPaymentsOfFile) {
    throw new BankAnswerError("The bank's answer has no usable payments.");
  }
  return { decision, payments: payments.map(parsePaymentAtBank) };
}

function parsePaymentAtBank(value: unknown): PaymentAtBank {
  const payment = parseObject(value, 'payment');
  return {
    paymentId: parseText(payment, 'paymentId', 35),
    amount: parsePattern(payment, 'amount', /^\d{1,13}(\.\d{1,5})?$/),
    currency: parsePattern(payment, 'currency', /^[A-Z]{3}$/),
    ...parsePaymentOutcome(payment),
  };
}

/**
 * Reads the status of a payment from an answer or a report of the bank.
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
