import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type AccountProxy,
  mostPayments,
  type Party,
  type PaymentStatus,
  paymentStatuses,
  type RegulatoryReport,
  type StructuredRemittance,
} from '#libs/obie-rules';
import { type BankCall, BankConnection } from './bank-connection.js';
import { BankUnavailableError } from './bank.errors.js';
import {
  type AnswerObject,
  parseList,
  parseObject,
  parseOptionalText,
  parsePattern,
  parseText,
  parseWord,
} from './parse-bank-answer.js';
import type { AccountIdentification } from './payment-accounts.js';

/** The whole file, whose money the bank reserves before the first payment. */
export interface PaymentBatch {
  /** also the idempotency key: a file payment is reserved once, however often the call is repeated */
  readonly filePaymentId: string;
  readonly consentId: string;
  readonly psuId: string;
  readonly debtorAccount: AccountIdentification;
  /** sum of all payments, decimal text */
  readonly total: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly numberOfPayments: number;
  /** SHA-256 over all payees and amounts, base64url, as in the binding of the challenges */
  readonly payeesHash: string;
  /** the challenge of each approval: the bank compares its binding with this batch */
  readonly challengeIds: readonly string[];
  /** OBExternalLocalInstrument1Code, e.g. UK.OBIE.FPS */
  readonly localInstrument: string;
  /** ISO 8601 date (YYYY-MM-DD) on which the account is to be debited; absent: as soon as possible */
  readonly requestedExecutionDate?: string;
  /** as the TPP sent it; absent for kinds without one */
  readonly risk?: object;
}

/** Why the bank reserves nothing. NotApproved: its customers have not approved this file by challenges. */
const batchRefusals = ['InsufficientFunds', 'AccountBlocked', 'NotApproved'] as const;
export type BatchRefusal = (typeof batchRefusals)[number];

export type BatchDecision =
  { readonly decision: 'Accepted' } | { readonly decision: 'Refused'; readonly reason: BatchRefusal };

/** A creditor's account; its name is required (OBIE: optional for debtors only). */
export interface CreditorAccount extends AccountIdentification {
  readonly name: string;
  readonly secondaryIdentification?: string;
  readonly proxy?: AccountProxy;
}

/** A postal address in the members of the standard (OBPostalAddress6, and the members that OBPostalAddress7 adds). */
export type BankPostalAddress = Readonly<Record<string, unknown>>;

/** The creditor's bank, or the ultimate creditor or debtor. */
export interface BankParty extends Omit<Party, 'scheme' | 'postalAddress'> {
  /** e.g. UK.OBIE.BICFI */
  readonly schemeName?: string;
  readonly postalAddress?: BankPostalAddress;
}

/** One payment of a file, as handed to its scheme. */
export interface BankPayment {
  /** also the idempotency key: a payment is made once, however often it is handed over */
  readonly paymentId: string;
  readonly filePaymentId: string;
  readonly debtorAccount: AccountIdentification;
  readonly creditorAccount: CreditorAccount;
  /** decimal text */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly localInstrument: string;
  /** at most what the scheme carries */
  readonly endToEndIdentification?: string;
  /** the creditor's reference from the TPP, or the roll number if the scheme carries it instead */
  readonly reference?: string;
  /** the message to the creditor */
  readonly unstructured?: string;
  readonly creditorPostalAddress?: BankPostalAddress;
  readonly creditorAgent?: BankParty;
  readonly ultimateCreditor?: BankParty;
  readonly ultimateDebtor?: BankParty;
  readonly structuredRemittance?: readonly StructuredRemittance[];
  readonly regulatoryReporting?: readonly RegulatoryReport[];
  /** ISO 8601 date (YYYY-MM-DD) */
  readonly requestedExecutionDate?: string;
}

/** The status of a payment, and its reason if the scheme gave one. */
export interface PaymentOutcome {
  readonly status: PaymentStatus;
  readonly statusDetail?: { readonly status: string; readonly reason?: string; readonly description?: string };
}

/** One payment of a file in the bank's own book. */
export interface PaymentAtBank extends PaymentOutcome {
  readonly paymentId: string;
  /** decimal text */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
}

/** All that the bank has of a file payment. */
export interface FileAtBank {
  /** reservation of the money; Unknown: never requested */
  readonly decision: BatchDecision['decision'] | 'Unknown';
  /** in any order; a payment made twice appears twice */
  readonly payments: readonly PaymentAtBank[];
}

/** A request within one attempt at a file payment. */
export interface AttemptCall {
  readonly call: BankCall;
  /** number of the attempt, which only grows; the bank refuses older ones (fencing) */
  readonly attempt: number;
}

/** More than a file may have, so that surplus payments are found. */
const maxPaymentsOfFile = mostPayments + 50;

/** The payment schemes (FPS, BACS, CHAPS, balance transfer) (deploy/bank-openapi.yaml, tag payments). */
@Injectable()
export class PaymentScheme {
  constructor(private readonly connection: BankConnection) {}

  /**
   * Reserves the money of a whole file. Safe to repeat: the answer for one filePaymentId never changes.
   * @throws BankUnavailableError (repeat later), BankRefusedError (never), BankFencedError (another worker has it),
   *   BankAnswerError (somebody has to look)
   */
  async reserveBatch(request: AttemptCall & { batch: PaymentBatch }): Promise<BatchDecision> {
    const { batch, ...attempt } = request;
    const { filePaymentId, consentId, ...rest } = batch;
    const { body } = await this.connection.send({
      operation: 'reserveBatch',
      method: 'POST',
      path: '/payment-batches',
      // The bank knows the file by the consent that the PSU approved.
      body: { fileId: consentId, ...rest },
      idempotencyKey: filePaymentId,
      expected: [200],
      ...attempt,
    });
    if (parseWord(body, 'decision', ['Accepted', 'Refused']) === 'Accepted') return { decision: 'Accepted' };
    return { decision: 'Refused', reason: parseWord(body, 'reason', batchRefusals) };
  }

  /**
   * Hands one payment to its scheme. Safe to repeat: a payment known to the bank is answered with its current state.
   * @throws BankUnavailableError (repeat later), BankRefusedError (never), BankFencedError (another worker has it),
   *   BankAnswerError (somebody has to look)
   */
  async handOverPayment(request: AttemptCall & { payment: BankPayment }): Promise<PaymentOutcome> {
    const { payment, ...attempt } = request;
    const { body } = await this.connection.send({
      operation: 'handOverPayment',
      method: 'POST',
      path: '/payments',
      body: payment,
      idempotencyKey: payment.paymentId,
      expected: [200],
      ...attempt,
    });
    return parsePaymentOutcome(body);
  }

  /**
   * Once the bank has answered, it refuses all requests for the file payment with a lower attempt number, whenever they
   * were sent.
   * @returns 'NotOffered' if the bank has no such operation
   * @throws BankUnavailableError, BankAnswerError
   */
  async fenceBatch(request: AttemptCall & { filePaymentId: string }): Promise<'Fenced' | 'NotOffered'> {
    const { filePaymentId, ...attempt } = request;
    const { status } = await this.connection.send({
      operation: 'fenceBatch',
      method: 'POST',
      path: `/payment-batches/${encodeURIComponent(filePaymentId)}/fence`,
      idempotencyKey: filePaymentId,
      expected: [204, 404],
      ...attempt,
    });
    return status === 404 ? 'NotOffered' : 'Fenced';
  }

  /**
   * Reads the status of a payment.
   * @returns undefined if the bank never received it
   * @throws BankUnavailableError, BankAnswerError
   */
  async findPayment(query: { paymentId: string; call: BankCall }): Promise<PaymentOutcome | undefined> {
    const { status, body } = await this.connection.send({
      operation: 'findPayment',
      method: 'GET',
      path: `/payments/${encodeURIComponent(query.paymentId)}`,
      expected: [200, 404],
      call: query.call,
    });
    return status === 404 ? undefined : parsePaymentOutcome(body);
  }

  /**
   * Reads which payments of a file the bank has: what reconciliation compares with.
   * @returns 'NotOffered' if the bank has no such operation
   * @throws BankUnavailableError, BankAnswerError
   */
  async findPaymentsOfFile(query: { filePaymentId: string; call: BankCall }): Promise<FileAtBank | 'NotOffered'> {
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

/**
 * Asks what the bank has of a file payment, for callers that can continue without an answer.
 * @param noteFault gets the reason if there is none
 * @returns Away: ask later; Unreadable: the answer does not follow the bank's API
 */
export async function askForFile(
  scheme: PaymentScheme,
  filePaymentId: string,
  noteFault: (error: unknown) => void,
): Promise<FileAtBank | 'NotOffered' | 'Away' | 'Unreadable'> {
  try {
    return await scheme.findPaymentsOfFile({ filePaymentId, call: { interactionId: randomUUID() } });
  } catch (error) {
    noteFault(error);
    return error instanceof BankUnavailableError ? 'Away' : 'Unreadable';
  }
}

function parseFileAtBank(body: AnswerObject): FileAtBank {
  const decision = parseWord(body, 'decision', ['Accepted', 'Refused', 'Unknown']);
  return { decision, payments: parseList(body, 'payments', maxPaymentsOfFile).map(parsePaymentAtBank) };
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
