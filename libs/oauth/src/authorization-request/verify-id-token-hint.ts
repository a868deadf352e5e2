import { JwsError, keyIdOf, parseCompactJws, parseJsonPayload, verifyJwsSignature } from '#libs/jws';
import type { ParsedJws, SigningKey } from '#libs/jws';
import { InvalidRequestError } from '../errors/protocol-errors.js';
import { ID_TOKEN_HINT_MAX_LENGTH } from '../limits.js';
import { isAcceptedType, readAudience } from '../syntax.js';

/** What shows that this server issued an ID token to this client. */
export interface IdTokenHintExpectation {
  /** every key that is published: the token may have been signed with one that has retired since */
  signingKeys: readonly SigningKey[];
  issuer: string;
  clientId: string;
}

/**
 * Reads `id_token_hint` (OIDC Core s3.1.2.1, s3.1.2.2): an ID token of ours for this client, which may have expired.
 * @returns its `sub`, the customer as the client knows them; undefined without a hint
 * @throws InvalidRequestError for anything else
 */
export async function verifyIdTokenHint(hint: unknown, expected: IdTokenHintExpectation): Promise<string | undefined> {
  if (hint === undefined || hint === '') return undefined;
  try {
    const jws = parseCompactJws(typeof hint === 'string' ? hint : '', { maxLength: ID_TOKEN_HINT_MAX_LENGTH });
    await verifySignature(jws, expected.signingKeys);
    const { iss, aud, sub } = parseJsonPayload(jws);
    const isForClient = iss === expected.issuer && readAudience(aud)?.includes(expected.clientId) === true;
    // The error does not say whose token it is.
    if (!isForClient || typeof sub !== 'string')
      throw new InvalidRequestError('id_token_hint was issued to a different client');
    return sub;
  } catch (cause) {
    if (!(cause instanceof JwsError)) throw cause;
    throw new InvalidRequestError('id_token_hint is not an ID token of this server', { detail: cause.message, cause });
  }
}

async function verifySignature(jws: ParsedJws, signingKeys: readonly SigningKey[]): Promise<void> {
  // Not every JWT that this server signs is an ID token (RFC 8725 s3.11).
  if (!isAcceptedType(jws.header.typ, ['jwt'])) throw new JwsError('header', 'typ is not that of an ID token', 'typ');
  const kid = keyIdOf(jws);
  const key = signingKeys.find((candidate) => candidate.kid === kid);
  if (key === undefined) throw new JwsError('key', 'no published key of this server has this kid', 'kid');
  await verifyJwsSignature({ jws, algorithm: key.algorithm, keys: [key.publicKey] });
}
