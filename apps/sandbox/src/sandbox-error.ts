/** A failure that the user can fix: its message is one line that says what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}
