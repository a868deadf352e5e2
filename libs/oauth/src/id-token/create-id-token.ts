import { createCompactJws } from '#libs/jws';
import type { AsymmetricAlgorithm, SigningKey } from '#libs/jws';
import { ServerError } from '../errors/protocol-errors.js';
import { leftHalfHash } from './left-half-hash.js';

/** What the ID token travels with, and so which hashes it carries. */
export type IdTokenCompanion =
  | { channel: 'authorization_response'; code: string; state?: string }
  | { channel: 'token_response'; accessToken: string };

/** The facts about one authentication, the same in both ID tokens of an authorization. */
export interface IdTokenSubject {
  issuer: string;
  clientId: string;
  /** Pairwise subject identifier. */
  subject: string;
  /** When the customer authenticated. */
  authenticatedAt: Date;
  acr: string;
  nonce?: string;
  /** The consent that was authorised (OBIE). */
  intentId?: string;
}

/**
 * Signs an ID token (OIDC Core s2, s3.3.2.11; FAPI 1.0 Advanced s5.1.1). No claims beyond the named ones: the front
 * channel one passes through the customer's browser. `expiresInSeconds` counts from `now`.
 */
export function createIdToken(options: {
  subject: IdTokenSubject;
  companion: IdTokenCompanion;
  key: SigningKey;
  expiresInSeconds: number;
  now: Date;
}): Promise<string> {
  const { subject, companion, key, expiresInSeconds, now } = options;
  const issuedAt = toNumericDate(now);
  const claims = {
    iss: subject.issuer,
    sub: subject.subject,
    aud: subject.clientId,
    exp: issuedAt + expiresInSeconds,
    iat: issuedAt,
    auth_time: toNumericDate(subject.authenticatedAt),
    nonce: subject.nonce,
    acr: subject.acr,
    openbanking_intent_id: subject.intentId,
    ...hashesOf(companion),
  };
  return createCompactJws({ header: { typ: 'JWT' }, payload: JSON.stringify(claims), key });
}

/**
 * The key for the algorithm the client registered: the first such key is the current one. Throws ServerError if there
 * is none.
 */
export function getIdTokenSigningKey({
  keys,
  algorithm,
}: {
  keys: readonly SigningKey[];
  algorithm: AsymmetricAlgorithm;
}): SigningKey {
  const key = keys.find((candidate) => candidate.algorithm === algorithm);
  if (key === undefined) throw new ServerError({ detail: `no signing key for ${algorithm}` });
  return key;
}

function hashesOf(companion: IdTokenCompanion): Record<string, string | undefined> {
  if (companion.channel === 'token_response') return { at_hash: leftHalfHash(companion.accessToken) };
  // No at_hash: no access token travels here, and a wrong one would be compared later. s_hash exactly if a state is
  // returned.
  return {
    c_hash: leftHalfHash(companion.code),
    s_hash: companion.state === undefined ? undefined : leftHalfHash(companion.state),
  };
}

function toNumericDate(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
