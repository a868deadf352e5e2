/** The territories of roles: the United Kingdom, and the Crown Dependencies, which have their own roles. */
const britain: readonly string[] = ['GB'];
const crownDependencies: readonly string[] = ['GB', 'GG', 'IM', 'JE'];

/** The scope of each directory role. ASPSP has none here. */
const roles: readonly { role: string; scope: string; memberStates: readonly string[] }[] = [
  { role: 'AISP', scope: 'accounts', memberStates: britain },
  { role: 'PISP', scope: 'payments', memberStates: britain },
  { role: 'CBPII', scope: 'fundsconfirmations', memberStates: britain },
];
const crownDependencyRoles: typeof roles = [
  { role: 'CD_AISP', scope: 'accounts', memberStates: crownDependencies },
  { role: 'CD_CBPII', scope: 'fundsconfirmations', memberStates: crownDependencies },
];

/** One entry of `authorisations` in the competent authority's claims. */
export interface RoleAuthorisation {
  memberState: string;
  roles: readonly string[];
}

/**
 * @param options.roles `software_roles`
 * @param options.authorisations what the competent authority grants; undefined if that is not to be looked at
 * @param options.withCrownDependencies whether their roles count as those of Great Britain
 * @returns `openid` and the scope of each role that the authority grants for its territory
 */
export function permittedScopes(options: {
  roles: readonly string[];
  authorisations?: readonly RoleAuthorisation[] | undefined;
  withCrownDependencies: boolean;
}): string[] {
  const { authorisations, withCrownDependencies } = options;
  const scopes = [...roles, ...(withCrownDependencies ? crownDependencyRoles : [])]
    .filter(({ role }) => options.roles.includes(role))
    .filter(
      ({ role, memberStates }) =>
        authorisations === undefined ||
        authorisations.some((entry) => memberStates.includes(entry.memberState) && entry.roles.includes(role)),
    )
    .map(({ scope }) => scope);
  return ['openid', ...new Set(scopes)];
}
