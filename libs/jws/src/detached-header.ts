/** The private header members of OBIE message signing, named by URL (Read/Write API profile, "Message Signing"). */
export const OBIE_ISSUED_AT = 'http://openbanking.org.uk/iat';
export const OBIE_ISSUER = 'http://openbanking.org.uk/iss';
export const OBIE_TRUST_ANCHOR = 'http://openbanking.org.uk/tan';

/** Members that must be listed in `crit` in both forms; `b64` joins them in the form of 3.1.3 and before. */
export const OBIE_CRITICAL: readonly string[] = [OBIE_ISSUED_AT, OBIE_ISSUER, OBIE_TRUST_ANCHOR];

/** Every member that the header may have; anything else is an InvalidClaim. */
export const OBIE_MEMBERS: ReadonlySet<string> = new Set(['alg', 'kid', 'typ', 'cty', 'b64', 'crit', ...OBIE_CRITICAL]);

/** `b64-false`: 3.1.3 and before, the raw body is signed. `b64-absent`: 3.1.4 and later, the base64url of the body is signed. */
export type DetachedJwsForm = 'b64-false' | 'b64-absent';

/** Octets of the body that are encoded at a time: a multiple of 3, so that the pieces make one base64url, and no more than a cache holds. */
const pieceLength = 12_288;

/**
 * What the signature covers (RFC 7797 s3), in pieces: header and dot, then the raw body or its base64url. A body of a megabyte is copied
 * nowhere.
 */
export function* detachedSigningInput(
  protectedHeader: string,
  body: Buffer,
  form: DetachedJwsForm,
): Generator<Buffer, void, undefined> {
  yield Buffer.from(`${protectedHeader}.`, 'ascii');
  if (form === 'b64-false') yield body;
  else {
    for (let start = 0; start < body.length; start += pieceLength) {
      yield Buffer.from(body.toString('base64url', start, start + pieceLength), 'ascii');
    }
  }
}
