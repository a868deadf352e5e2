/** Which role of the directory allows which scope. ASPSP and the Crown Dependencies' roles allow nothing here. */
const scopeOfRole: ReadonlyMap<string, string> = new Map([
  ['AISP', 'accounts'],
  ['PISP', 'payments'],
  ['CBPII', 'fundsconfirmations'],
]);

/** One entry of `authorisations` in the competent authority's claims. */
export interface RoleAuthorisation {
  memberState: string;
  roles: readonly string[];
}

/**
 * @param roles `software_roles`
 * @param authorisations what the competent authority grants; undefined where that is not to be looked at
 * @returns `openid` and the scope of each role, which the authority must grant for Great Britain
 */
export function permittedScopes({
  roles,
  authorisations,
}: {
  roles: readonly string[];
  authorisations?: readonly RoleAuthorisation[] | undefined;
}): string[] {
  const granted = authorisations?.filter(({ memberState }) => memberState === 'GB').flatMap((entry) => entry.roles);
  const scopes = [...scopeOfRole]
    .filter(([role]) => roles.includes(role) && (granted === undefined || granted.includes(role)))
    .map(([, scope]) => scope);
  return ['openid', ...scopes];
}
