/** The scope of a token and that of its client, each a list of words as OAuth writes it. */
interface Scoped {
  readonly scope: string;
  readonly registered_scope: string;
}

/**
 * A client may have replaced its registration since the token was issued: its tokens no longer grant scopes that it
 * gave up (RFC 7592 s2.2).
 * @returns the scope of the token that its client still has
 */
export function stillRegistered({ scope, registered_scope: registered }: Scoped): string[] {
  const words = scope.split(' ');
  if (scope === registered) return words;
  const remaining = new Set(registered.split(' '));
  return words.filter((word) => remaining.has(word));
}

/**
 * The same for the grant of a token. A customer's access comes by code or by refresh token, so it ends when the client
 * has given up both.
 * @param token alias of the row of the token
 * @param client alias of the row of its client
 * @returns a condition
 */
export const isGrantRegistered = (token: string, client: string): string => `
  (${token}.grant_type = ANY (${client}.grant_types)
    OR (${token}.grant_type = 'authorization_code' AND 'refresh_token' = ANY (${client}.grant_types)))`;
