import type { Fault, FaultCode } from '#libs/error-catalogue';

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

/** One fault of `software_statement` or `software_statement.<claim>`, with the code of RFC 7591 s3.2.2 too. */
export interface SoftwareStatementFault extends Fault {
  readonly error: 'invalid_software_statement' | 'unapproved_software_statement';
}

/**
 * @param claim of the statement; undefined: the statement itself
 * @param message a whole sentence
 */
export function statementFault(
  error: SoftwareStatementFault['error'],
  code: FaultCode,
  claim: string | undefined,
  message: string,
): SoftwareStatementFault {
  const path = claim === undefined ? 'software_statement' : `software_statement.${claim}`;
  return { error, code, detail: message, path };
}

/** A refused software statement, with all faults found. */
export class SoftwareStatementError extends Error {
  override readonly name = 'SoftwareStatementError';

  constructor(
    readonly faults: readonly [SoftwareStatementFault, ...SoftwareStatementFault[]],
    options?: ErrorOptions,
  ) {
    super(faults[0].detail, options);
  }
}
