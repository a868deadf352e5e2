/** What the shell is told; scripts of a bank's operators rely on these numbers. */
export const exitCode = { done: 0, failed: 1, usage: 2, refused: 1 } as const;

/** A command that cannot be carried out; for the person at the terminal. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';

  /** @param exitCode `usage` for a command that is none, `refused` for one that does not fit what is there */
  constructor(
    message: string,
    readonly exitCode: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
