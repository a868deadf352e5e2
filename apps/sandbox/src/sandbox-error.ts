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

/** Turns errors of the file system that the user can fix into a line that says how. */
export function explainFileError(error: unknown): unknown {
  const code = errorCode(error) ?? '';
  if (error instanceof SandboxError || !['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(code)) return error;
  const cure =
    code === 'ENOSPC'
      ? 'the disk is full. Make room, then start again.'
      : "if an earlier run was as root or as another user, run as that user again or delete the sandbox's folder.";
  const file = (error as NodeJS.ErrnoException).path ?? 'A file';
  return new SandboxError(`${file} cannot be used (${code}): ${cure}`, { cause: error });
}
