import {
  type AttemptCall,
  BankFencedError,
  type BatchDecision,
  type FileAtBank,
  type PaymentBatch,
  type BankPayment,
  type PaymentOutcome,
  PaymentScheme,
} from '#libs/bank';
import { Clock } from '#libs/config';

/** A clock that moves when it is told to. */
export class SetClock extends Clock {
  time = Date.parse('2030-01-15T12:00:00Z');
  override now(): Date {
    return new Date(this.time);
  }
  override ofDatabase(): Date {
    return this.now();
  }
}

type Book = FileAtBank | 'NotOffered';

/** A bank that answers as each test says, and remembers what it was asked. */
export class ScriptedScheme extends PaymentScheme {
  readonly reserved: PaymentBatch[] = [];
  readonly handedOver: string[] = [];
  /** PaymentIds that were asked about */
  readonly askedAbout: string[] = [];
  readonly instructions: BankPayment[] = [];
  decide: () => BatchDecision = () => ({ decision: 'Accepted' });
  outcomeOf: (payment: BankPayment) => PaymentOutcome = () => ({ status: 'AcceptedCreditSettlementCompleted' });
  settled: () => PaymentOutcome | undefined = () => undefined;
  /** the latest attempt that it has heard of, for each file payment */
  readonly attempts = new Map<string, number>();

  /** what the bank has of a file: as a rule it says nothing of it */
  book: (filePaymentId: string) => Book | Promise<Book> = () => 'NotOffered';

  override async reserveBatch({ batch, attempt }: AttemptCall & { batch: PaymentBatch }): Promise<BatchDecision> {
    this.#passFence(batch.filePaymentId, attempt);
    this.reserved.push(batch);
    return this.decide();
  }
  override async fenceBatch(fence: AttemptCall & { filePaymentId: string }): Promise<'Fenced' | 'NotOffered'> {
    this.attempts.set(fence.filePaymentId, fence.attempt);
    return 'Fenced';
  }
  override async handOverPayment(request: AttemptCall & { payment: BankPayment }): Promise<PaymentOutcome> {
    const { payment, attempt } = request;
    this.#passFence(payment.filePaymentId, attempt);
    const outcome = this.outcomeOf(payment);
    this.handedOver.push(payment.paymentId);
    this.instructions.push(payment);
    return outcome;
  }
  override async findPayment({ paymentId }: { paymentId: string }): Promise<PaymentOutcome | undefined> {
    this.askedAbout.push(paymentId);
    return this.settled();
  }
  override async findPaymentsOfFile({ filePaymentId }: { filePaymentId: string }): Promise<Book> {
    return this.book(filePaymentId);
  }

  #passFence(filePaymentId: string, attempt: number): void {
    if (attempt < (this.attempts.get(filePaymentId) ?? 0)) throw new BankFencedError('A later attempt is known.');
    this.attempts.set(filePaymentId, attempt);
  }
}
