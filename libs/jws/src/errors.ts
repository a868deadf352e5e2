/** What was wrong with a JWS or a key set; never contains parts of the token. */
export type JwsErrorCode = 'malformed' | 'algorithm' | 'header' | 'key' | 'signature';

/** A JWS, JWK or JWK set was refused. `member` names the header or JWK member at fault, where there is one. */
export class JwsError extends Error {
  override readonly name = 'JwsError';

  constructor(
    readonly code: JwsErrorCode,
    message: string,
    readonly member?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The outcomes for which OBIE has a code `UK.OBIE.Signature.<code>`, except `Missing` and `Unexpected`, which the HTTP
 * side decides.
 */
export type DetachedJwsErrorCode = 'Malformed' | 'MissingClaim' | 'InvalidClaim' | 'Invalid';

/** An `x-jws-signature` was refused. `path` is the header member's name, or `x-jws-signature` for the whole value. */
export class DetachedJwsError extends Error {
  override readonly name = 'DetachedJwsError';

  constructor(
    readonly code: DetachedJwsErrorCode,
    readonly path: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
