/** The private header members of OBIE message signing, named by URL (Read/Write API profile, "Message Signing"). */
export const OBIE_ISSUED_AT = 'http://openbanking.org.uk/iat';
export const OBIE_ISSUER = 'http://openbanking.org.uk/iss';
export const OBIE_TRUST_ANCHOR = 'http://openbanking.org.uk/tan';

/** Members that must be listed in `crit` in both forms; `b64` joins them in the form of 3.1.3 and before. */
export const OBIE_CRITICAL: readonly string[] = [OBIE_ISSUED_AT, OBIE_ISSUER, OBIE_TRUST_ANCHOR];

/** The same for jose, which requires each of them to be present, and knows `b64` itself. */
export const understoodCritical: Readonly<Record<string, boolean>> = Object.fromEntries(
  OBIE_CRITICAL.map((name) => [name, true]),
);

/** Every member that the header may have; anything else is an InvalidClaim. */
export const OBIE_MEMBERS: ReadonlySet<string> = new Set(['alg', 'kid', 'typ', 'cty', 'b64', 'crit', ...OBIE_CRITICAL]);

/**
 * `b64-false`: 3.1.3 and before, the raw body is signed. `b64-absent`: 3.1.4 and later, the base64url of the body is
 * signed.
 */
export type DetachedJwsForm = 'b64-false' | 'b64-absent';
