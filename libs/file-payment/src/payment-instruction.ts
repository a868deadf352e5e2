import type { AccountIdentification, LocalInstrument } from '#libs/obie-rules';

/** One payment of an uploaded file, valid (the standard's domestic scheduled initiation; brief section 2.2). */
export interface PaymentInstruction {
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
  readonly reference?: string;
  readonly unstructured?: string;
}
