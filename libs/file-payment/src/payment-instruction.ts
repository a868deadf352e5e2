import type {
  AccountIdentification,
  AccountProxy,
  LocalInstrument,
  PaymentDetails,
  PostalAddress,
} from '#libs/obie-rules';

/** One payment of an uploaded file, valid, whatever its format. */
export interface PaymentInstruction extends PaymentDetails {
  readonly instructionIdentification: string;
  readonly endToEndIdentification?: string;
  /** the item's own, if it names one */
  readonly localInstrument?: LocalInstrument;
  readonly requestedExecutionDate?: Date;
  /** units of 0.00001 */
  readonly amount: bigint;
  readonly currency: string;
  readonly debtorAccount?: AccountIdentification;
  readonly creditorAccount: AccountIdentification & {
    readonly Name: string;
    readonly SecondaryIdentification?: string;
  };
  readonly creditorProxy?: AccountProxy | undefined;
  readonly reference?: string;
  readonly unstructured?: string;
  readonly creditorPostalAddress?: PostalAddress;
}

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
