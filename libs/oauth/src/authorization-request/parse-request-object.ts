import { InvalidRequestError, InvalidRequestObjectError, LoginRequiredError } from '../errors/protocol-errors.js';
import { NONCE_MAX_LENGTH, RESPONSE_TYPE_MAX_LENGTH, SCOPE_MAX_LENGTH, STATE_MAX_LENGTH } from '../limits.js';
import { isPrintable } from '../syntax.js';

/**
 * The authorization request parameters of a request object that are plain strings; empty ones count as absent (RFC 6749
 * s3.1).
 */
export interface RequestObjectParameters {
  responseType: string;
  scope: string;
  state?: string;
  nonce?: string;
}

/** The claims of an unverified request object. Only for choosing how an error is shown. Never throws. */
export function peekAtRequestObject(request: string | undefined): Record<string, unknown> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(request?.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    // SyntaxError: not JSON.
    return {};
  }
}

/**
 * Reads response_type and scope, which must be inside the request object (FAPI 1.0 Advanced s5.2.2 item 10), state and
 * nonce. Throws InvalidRequestObjectError.
 */
export function parseRequestObjectParameters(claims: Record<string, unknown>): RequestObjectParameters {
  const responseType = readText(claims, 'response_type', RESPONSE_TYPE_MAX_LENGTH);
  const scope = readText(claims, 'scope', SCOPE_MAX_LENGTH);
  if (responseType === undefined)
    throw new InvalidRequestObjectError('response_type is missing in the request object', { member: 'response_type' });
  if (scope === undefined)
    throw new InvalidRequestObjectError('scope is missing in the request object', { member: 'scope' });
  const state = readText(claims, 'state', STATE_MAX_LENGTH);
  return { responseType, scope, state, nonce: readText(claims, 'nonce', NONCE_MAX_LENGTH) };
}

/**
 * `prompt` and `max_age` (OIDC Core s3.1.2.1) are checked, and otherwise always satisfied: the customer signs in and
 * decides in every authorization. Only `prompt=none` cannot be satisfied. Throws InvalidRequestError or
 * LoginRequiredError.
 */
export function verifyPromptAndMaxAge({ prompt, max_age: maxAge }: Record<string, unknown>): void {
  const isSeconds =
    typeof maxAge === 'string' ? /^\d{1,10}$/.test(maxAge) : Number.isSafeInteger(maxAge) && Number(maxAge) >= 0;
  if (maxAge !== undefined && !isSeconds)
    throw new InvalidRequestError('max_age is not a number of seconds', { member: 'max_age' });
  if (prompt === undefined) return;
  if (!isPrintable(prompt, 128)) throw new InvalidRequestError('prompt is malformed', { member: 'prompt' });
  const words = prompt.split(' ').filter((word) => word !== '');
  if (!words.includes('none')) return;
  if (words.length > 1)
    throw new InvalidRequestError('prompt none cannot be combined with other values', { member: 'prompt' });
  throw new LoginRequiredError();
}

const mostLocales = 10;
/** RFC 5646 s4.4.1: 35 characters are enough for every tag that is in use. */
const languageTag = /^[A-Za-z]{2,8}(?:-[0-9A-Za-z]{1,8}){0,6}$/;

/**
 * Reads `ui_locales`: language tags, the preferred one first. They are a preference: unreadable tags are left out (OIDC
 * Core s3.1.2.1). Returns undefined if nothing is left.
 */
export function parseUiLocales(uiLocales: unknown): string[] | undefined {
  if (!isPrintable(uiLocales, 400)) return undefined;
  const tags = uiLocales.split(' ').filter((tag) => tag.length <= 35 && languageTag.test(tag));
  return tags.length === 0 ? undefined : tags.slice(0, mostLocales);
}

function readText(claims: Record<string, unknown>, name: string, maxLength: number): string | undefined {
  const value = claims[name];
  if (value === undefined || value === '') return undefined;
  if (!isPrintable(value, maxLength)) {
    throw new InvalidRequestObjectError(`${name} in the request object is too long or malformed`, { member: name });
  }
  return value;
}
