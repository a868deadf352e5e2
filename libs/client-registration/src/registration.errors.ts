import type { Fault } from '#libs/error-catalogue';

/** RFC 7591 s3.2.2. */
export type RegistrationErrorCode =
  'invalid_client_metadata' | 'invalid_redirect_uri' | 'invalid_software_statement' | 'unapproved_software_statement';

/** One fault of a registration request, with the code of RFC 7591 too; its path is a name as the TPP wrote it. */
export interface RegistrationFault extends Fault {
  readonly error: RegistrationErrorCode;
}

/** A refused registration request, with all faults found. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError';

  constructor(
    readonly faults: readonly [RegistrationFault, ...RegistrationFault[]],
    options?: ErrorOptions,
  ) {
    super(faults[0].detail, options);
  }

  /** A request with one fault. */
  static because(
    fault: Fault,
    options?: ErrorOptions,
    error: RegistrationErrorCode = 'invalid_client_metadata',
  ): RegistrationError {
    return new RegistrationError([{ error, ...fault }], options);
  }
}
