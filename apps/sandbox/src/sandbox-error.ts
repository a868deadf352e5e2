/** A failure that the person at the terminal can mend: its message is one line that says what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}
