/** A command that cannot be carried out; one line for the person at the terminal. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
