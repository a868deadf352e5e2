import { InvalidRequestObjectError } from '../errors/protocol-errors.js';
import { INTENT_ID_MAX_LENGTH } from '../limits.js';
import { isPrintable } from '../syntax.js';
import type { AcrRequest } from './acr.js';

const ACR_MAX_COUNT = 10;
const ACR_MAX_LENGTH = 256;
/** OIDC Core s2. */
const SUBJECT_MAX_LENGTH = 255;

/** What is used of the `claims` parameter. Other claims may be requested and are not provided (OIDC Core s5.5). */
export interface RequestedClaims {
  /** `openbanking_intent_id`: the consent to be authorised (OBIE security profile). */
  intentId?: string;
  acr?: AcrRequest;
  /** `sub` with a value: the only customer that the client accepts (OIDC Core s3.1.2.2, s5.5.1). */
  subject?: string;
}

/**
 * Reads the `claims` member of a request object (OIDC Core s5.5, OBIE security profile). Throws
 * InvalidRequestObjectError.
 */
export function parseRequestedClaims(claims: unknown): RequestedClaims {
  const requested = readObject(claims, 'claims');
  const idToken = readObject(requested.id_token, 'claims.id_token');
  const userinfo = readObject(requested.userinfo, 'claims.userinfo');
  const intentId = parseIntentId(idToken.openbanking_intent_id);
  const userinfoIntentId = parseIntentId(userinfo.openbanking_intent_id);
  // OBIE examples name the intent in both; two different ones would be a trick.
  if (userinfoIntentId !== undefined && userinfoIntentId !== intentId) {
    throw new InvalidRequestObjectError('openbanking_intent_id differs between id_token and userinfo', {
      reason: 'intent',
    });
  }
  return { intentId, acr: parseAcr(idToken.acr), subject: parseSubject(idToken.sub) };
}

function parseSubject(request: unknown): string | undefined {
  const { value } = readObject(request, 'sub');
  if (value === undefined) return undefined;
  if (!isPrintable(value, SUBJECT_MAX_LENGTH))
    throw new InvalidRequestObjectError('the requested sub must be a string');
  return value;
}

function parseIntentId(request: unknown): string | undefined {
  const { value } = readObject(request, 'openbanking_intent_id');
  if (value === undefined) return undefined;
  if (!isPrintable(value, INTENT_ID_MAX_LENGTH)) {
    throw new InvalidRequestObjectError('openbanking_intent_id is not an intent id', { reason: 'intent' });
  }
  return value;
}

function parseAcr(request: unknown): AcrRequest | undefined {
  const { value, values, essential } = readObject(request, 'acr');
  if (value === undefined && values === undefined) return undefined;
  const all: unknown[] = value !== undefined ? [value] : Array.isArray(values) ? values : [];
  if (all.length === 0 || all.length > ACR_MAX_COUNT || !all.every((item) => isPrintable(item, ACR_MAX_LENGTH))) {
    throw new InvalidRequestObjectError('acr must be requested with value or values', { reason: 'acr' });
  }
  // OIDC Core s5.5.1: true or false. A client that writes "true" must not get less than it meant.
  if (essential !== undefined && typeof essential !== 'boolean') {
    throw new InvalidRequestObjectError('essential of the requested acr must be true or false', { reason: 'acr' });
  }
  return { values: all, essential: essential === true };
}

// OIDC Core s5.5.1: a claim requested in the default manner is null.
function readObject(value: unknown, name: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new InvalidRequestObjectError(`${name} is not an object`);
  }
  return value as Record<string, unknown>;
}
