/**
 * @param error whatever was thrown
 * @returns the code of a system or database error, such as ENOENT; `undefined` for all others
 */
export function errorCode(error: unknown): string | undefined {
  // No instanceof: an error of the system need not come from this realm (Jest runs tests in one of their own).
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
}
