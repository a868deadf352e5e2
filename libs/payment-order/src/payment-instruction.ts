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
