/** Why a command was not carried out: it does not fit what is there, or something on its way broke. */
export type OperatorErrorReason = 'refused' | 'failed';

/** A command that cannot be carried out; for the person at the terminal. */
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
