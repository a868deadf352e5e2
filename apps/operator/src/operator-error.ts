/** Why a command was not carried out: the state does not allow it, or something failed. */
export type OperatorErrorReason = 'refused' | 'failed';

/** A command that cannot be carried out; for the user. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';

  /** @param reason `refused`: trying again changes nothing */
  constructor(
    message: string,
    readonly reason: OperatorErrorReason,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
