/** Why a key set is unavailable; for the log. */
export type KeySetFault = 'address' | 'unavailable';

/** A key set that may not be fetched (`address`), or that cannot be fetched now (`unavailable`). */
export class KeySetError extends Error {
  override readonly name = 'KeySetError';

  constructor(
    readonly reason: KeySetFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** One fault of a software statement, with the codes of RFC 7591 s3.2.2 and OBError1. */
export interface SoftwareStatementFault {
  error: 'invalid_software_statement' | 'unapproved_software_statement';
  errorCode:
    | 'UK.OBIE.Field.Invalid'
    | 'UK.OBIE.Field.Missing'
    | 'UK.OBIE.Signature.Invalid'
    | 'UK.OBIE.Signature.InvalidClaim'
    | 'UK.OBIE.Signature.Malformed';
  /** a sentence that may be sent to the TPP */
  message: string;
  /** `software_statement` or `software_statement.<claim>` */
  path: string;
}

/**
 * @param claim of the statement; undefined: the statement itself
 * @param message a whole sentence
 */
export function statementFault(
  error: SoftwareStatementFault['error'],
  errorCode: SoftwareStatementFault['errorCode'],
  claim: string | undefined,
  message: string,
): SoftwareStatementFault {
  const path = claim === undefined ? 'software_statement' : `software_statement.${claim}`;
  return { error, errorCode, message, path };
}

/** A refused software statement, with all faults found. */
export class SoftwareStatementError extends Error {
  override readonly name = 'SoftwareStatementError';

  constructor(
    readonly faults: readonly [SoftwareStatementFault, ...SoftwareStatementFault[]],
    options?: ErrorOptions,
  ) {
    super(faults[0].message, options);
  }
}
