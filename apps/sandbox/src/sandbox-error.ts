/** A failure that the user can fix: its message is one line that says what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/**
 * @param error whatever was thrown
 * @returns the code of a system or database error, such as ENOENT; `undefined` for all others
 */
export function errorCode(error: unknown): string | undefined {
  // No instanceof: a system error may come from another realm (Jest runs tests in their own realms).
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
}
