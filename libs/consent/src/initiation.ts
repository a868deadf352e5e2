import type { LosslessNumber } from 'lossless-json';

/** OBFile2: Data.Initiation, the same in consent and payment, request and response. */
export interface Initiation {
  readonly FileType: string;
  readonly FileHash: string;
  readonly FileReference?: string;
  readonly NumberOfTransactions?: string;
  /** keeps the decimal text that the TPP sent */
  readonly ControlSum?: LosslessNumber;
  readonly RequestedExecutionDateTime?: string;
  readonly LocalInstrument?: string;
  readonly DebtorAccount?: {
    readonly SchemeName: string;
    readonly Identification: string;
    readonly Name?: string;
    readonly SecondaryIdentification?: string;
  };
  readonly RemittanceInformation?: { readonly Unstructured?: string; readonly Reference?: string };
  readonly SupplementaryData?: Readonly<Record<string, unknown>>;
}

/** OBAuthorisation1. */
export interface Authorisation {
  readonly AuthorisationType: 'Any' | 'Single';
  readonly CompletionDateTime?: string;
}

/** OBSCASupportData1. */
export interface ScaSupportData {
  readonly RequestedSCAExemptionType?: string;
  readonly AppliedAuthenticationApproach?: string;
  readonly ReferencePaymentOrderId?: string;
}

/** OBCharge2. */
export interface Charge {
  readonly ChargeBearer: 'BorneByCreditor' | 'BorneByDebtor' | 'FollowingServiceLevel' | 'Shared';
  readonly Type: string;
  readonly Amount: { readonly Amount: string; readonly Currency: string };
}
