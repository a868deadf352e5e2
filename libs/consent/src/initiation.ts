import type { LosslessNumber } from 'lossless-json';

/**
 * What the TPP states about its file (OBFile2). It is stored as text and returned in consent and payment, member for
 * member; the service itself uses {@link FileTerms}.
 */
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
  /** in the form of the version */
  readonly RemittanceInformation?: object;
  readonly SupplementaryData?: Readonly<Record<string, unknown>>;
}

/** OBCharge2. */
export interface Charge {
  readonly ChargeBearer: 'BorneByCreditor' | 'BorneByDebtor' | 'FollowingServiceLevel' | 'Shared';
  readonly Type: string;
  readonly Amount: { readonly Amount: string; readonly Currency: string };
}
