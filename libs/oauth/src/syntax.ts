import { JTI_MAX_LENGTH } from './limits.js';

/** RFC 6749 appendix A: VSCHAR, the characters of client_id, client_secret, state, code and the like. */
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;
// Control characters have no place in an identifier. The database takes neither NUL nor half a character (JSON can
// hold one), and would take all halves for the same.
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** True for a string of 1 to `maxLength` printable ASCII characters; false for every other value of any type. */
export function isPrintable(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && PRINTABLE_ASCII.test(value);
}

/** True for a finite number, as a NumericDate has to be (RFC 7519 s2). JSON can hold 1e999, which reads as Infinity. */
export function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** RFC 7519 s4.1.7: true for a `jti` that can be remembered whole, so that it counts once. */
export function isJwtId(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= JTI_MAX_LENGTH && !UNSTORABLE.test(value);
}

/** RFC 7519 s4.1.3: a string, or an array of strings; undefined for anything else. */
export function readAudience(value: unknown): string[] | undefined {
  const audience: unknown[] = Array.isArray(value) ? value : [value];
  return audience.every((item) => typeof item === 'string') ? audience : undefined;
}

/**
 * RFC 7515 s4.1.9: media type names are compared without case, and `application/` may be left out. An absent `typ` is
 * fine.
 */
export function isAcceptedType(typ: unknown, accepted: readonly string[]): boolean {
  if (typ === undefined) return true;
  if (typeof typ !== 'string' || typ.length > 128) return false;
  return accepted.includes(typ.toLowerCase().replace(/^application\//, ''));
}
