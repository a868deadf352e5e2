/** The command was not given as it should be. The message is one line and says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
