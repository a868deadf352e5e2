/** The scope of a token and that of its client, each a list of words as OAuth writes it. */
interface Scoped {
  readonly scope: string;
  readonly registered_scope: string;
}

/**
 * A client may have replaced its registration since the token was issued: what it has given up, its tokens do not allow
 * any more (RFC 7592 s2.2).
 * @returns the scope of the token that its client still has
 */
export function stillRegistered({ scope, registered_scope: registered }: Scoped): string[] {
  const words = scope.split(' ');
  if (scope === registered) return words;
  const remaining = new Set(registered.split(' '));
  return words.filter((word) => remaining.has(word));
}
