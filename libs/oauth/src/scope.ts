import { InvalidScopeError } from './errors/protocol-errors.js';
import { SCOPE_MAX_LENGTH } from './limits.js';

/** RFC 6749 s3.3: scope tokens of NQCHAR. */
const SCOPE_TEXT = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/**
 * The words of a `scope` parameter, each once, in the order given (RFC 6749 s3.3). Linear, and refused by length first.
 * Throws InvalidScopeError for anything but a string of at most 1,024 permitted characters.
 */
export function parseScope(value: unknown): string[] {
  if (typeof value !== 'string') throw new InvalidScopeError('scope is not a string');
  if (value.length > SCOPE_MAX_LENGTH) throw new InvalidScopeError('scope is too long');
  if (!SCOPE_TEXT.test(value)) throw new InvalidScopeError('scope contains characters that are not permitted');
  return [...new Set(value.split(' ').filter((word) => word !== ''))];
}

/** Throws InvalidScopeError if a word is not among the registered ones. */
export function assertRegisteredScope(requested: readonly string[], registered: readonly string[]): void {
  if (!requested.every((word) => registered.includes(word))) {
    throw new InvalidScopeError('scope exceeds what the client registered');
  }
}
