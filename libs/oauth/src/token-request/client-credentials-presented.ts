import type { ParsedJws } from '#libs/jws';

/**
 * The credentials of one token request, not verified. `clientId` only serves to find the client; for an assertion it is
 * the unverified `sub`. `none` means that the certificate of the connection is the only credential.
 */
export type ClientCredentialsPresented =
  | { mechanism: 'basic'; clientId: string; clientSecret: string }
  | { mechanism: 'post'; clientId: string; clientSecret: string }
  | { mechanism: 'assertion'; clientId: string; assertion: ParsedJws; claims: Record<string, unknown> }
  | { mechanism: 'none'; clientId: string };
