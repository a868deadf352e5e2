/** RFC 7591 s3.2.2; software statement faults are found elsewhere, but share the vocabulary. */
export type RegistrationErrorCode =
  'invalid_client_metadata' | 'invalid_redirect_uri' | 'invalid_software_statement' | 'unapproved_software_statement';

/** One fault of a registration request, with the codes of RFC 7591 and OBError1. */
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

/** A refused registration request, with all faults found. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError';

  constructor(
    readonly faults: readonly [RegistrationFault, ...RegistrationFault[]],
    options?: ErrorOptions,
  ) {
    super(faults[0].message, options);
  }
}

/** @returns the refusal of one claim */
export function invalidMetadata(path: string, message: string): RegistrationError {
  return new RegistrationError([
    { error: 'invalid_client_metadata', errorCode: 'UK.OBIE.Field.Invalid', message, path },
  ]);
}
