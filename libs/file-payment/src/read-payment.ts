import type { PaymentInstruction } from '#libs/payment-order';

/** The readable members of a payment that may have faults. */
export interface ReadPayment extends Partial<PaymentInstruction> {
  /** it names a payment type that cannot be used */
  readonly hasUnusableInstrument?: boolean;
  /** it names a time of execution that cannot be read */
  readonly hasUnusableDate?: boolean;
}

/** @returns whether the payment has everything that it needs */
export function isInstruction(payment: ReadPayment): payment is PaymentInstruction {
  const { instructionIdentification, amount, currency, creditorAccount } = payment;
  return (
    instructionIdentification !== undefined &&
    amount !== undefined &&
    currency !== undefined &&
    creditorAccount !== undefined
  );
}
