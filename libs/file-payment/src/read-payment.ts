import type { PaymentInstruction } from '#libs/payment-order';

/** A payment of an uploaded file that may have faults: what could be read of it. */
export interface ReadPayment extends Partial<PaymentInstruction> {
  /** names a payment type, but none that can be used */
  readonly hasUnusableInstrument?: boolean;
  /** names a moment of execution, but none that can be read */
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
