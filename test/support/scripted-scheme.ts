import { type BatchDecision, type PaymentInstruction, type PaymentOutcome, PaymentScheme } from '#libs/bank';
import { Clock } from '#libs/config';

/** A clock that moves when it is told to. */
export class SetClock extends Clock {
  time = Date.parse('2030-01-15T12:00:00Z');
  override now(): Date {
    return new Date(this.time);
  }
}

/** A bank that answers as each test says, and remembers what it was asked. */
export class ScriptedScheme extends PaymentScheme {
  readonly handedOver: string[] = [];
  /** PaymentIds that were asked about */
  readonly askedAbout: string[] = [];
  readonly instructions: PaymentInstruction[] = [];
  decide: () => BatchDecision = () => ({ decision: 'Accepted' });
  outcomeOf: (payment: PaymentInstruction) => PaymentOutcome = () => ({ status: 'AcceptedCreditSettlementCompleted' });
  settled: () => PaymentOutcome | undefined = () => undefined;

  override async reserveBatch(): Promise<BatchDecision> {
    return this.decide();
  }
  override async handOverPayment({ payment }: { payment: PaymentInstruction }): Promise<PaymentOutcome> {
    const outcome = this.outcomeOf(payment);
    this.handedOver.push(payment.paymentId);
    this.instructions.push(payment);
    return outcome;
  }
  override async findPayment({ paymentId }: { paymentId: string }): Promise<PaymentOutcome | undefined> {
    this.askedAbout.push(paymentId);
    return this.settled();
  }
}
