/** RFC 7591 s3.2.2; software statement faults are found elsewhere, but share the vocabulary. */
export type RegistrationErrorCode =
  'invalid_client_metadata' | 'invalid_redirect_uri' | 'invalid_software_statement' | 'unapproved_software_statement';

/** One thing that is wrong with a registration request, in the words of RFC 7591 and of OBError1. */
export interface RegistrationFault {
  error: RegistrationErrorCode;
  errorCode:
    | 'UK.OBIE.Field.Invalid'
    | 'UK.OBIE.Field.Missing'
    | 'UK.OBIE.Field.Unexpected'
    | 'UK.OBIE.Resource.InvalidFormat'
    | 'UK.OBIE.Signature.Invalid'
    | 'UK.OBIE.Signature.InvalidClaim';
  /** a sentence that may be sent to the TPP */
  message: string;
  /** name of the claim or header member as the TPP wrote it */
  path?: string;
}

/** A registration request that is refused, with all faults that were found. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError';

  constructor(
    readonly faults: readonly [RegistrationFault, ...RegistrationFault[]],
    options?: ErrorOptions,
  ) {
    super(faults[0].message, options);
  }
}
