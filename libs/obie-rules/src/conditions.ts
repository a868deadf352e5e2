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

/** The members of Data that a TPP may send beside Initiation. They are stored as one value, and returned. */
export interface Conditions {
  /** whether the TPP asks for the account to refund to */
  readonly ReadRefundAccount?: 'Yes' | 'No';
  readonly Authorisation?: Authorisation;
  readonly SCASupportData?: ScaSupportData;
}
