import { fapiProfiles, isDemanded, type Demand, type FapiProfile } from '#libs/oauth';
import { accepted, refused, type Checked } from '../checked.js';
import { isOneOf } from './claim-values.js';
import type { RegistrationContext } from './registration-context.js';

/**
 * `fapi_profile`: one that this bank lets clients choose for themselves. Without it a new client gets the bank's first one, and another
 * keeps what it has: undefined.
 */
export function verifyFapiProfile(context: RegistrationContext): Checked<FapiProfile | undefined> {
  const claim = context.claims.get('fapi_profile');
  const offered = fapiProfiles.filter((name) => context.fapiProfiles.includes(name));
  if (claim === undefined)
    return accepted(context.clientId === undefined ? context.profile.fapiProfiles[0] : undefined);
  if (isOneOf(offered, claim)) return accepted(claim);
  return refused('fapi_profile', `must be ${offered.join(' or ')}: the bank sets any other`);
}

/** Whether the profile that is registered demands something of the other claims. */
export function isDemandedByProfile(demand: Demand, context: RegistrationContext): boolean {
  const checked = verifyFapiProfile(context);
  if ('faults' in checked || checked.value === undefined) return false;
  return isDemanded(demand, { fapiProfile: checked.value }, context.profile);
}

/** `require_pushed_authorization_requests` (RFC 9126 s6): false unless it is sent. */
export function verifyRequirePushedAuthorizationRequests({ claims }: RegistrationContext): Checked<boolean> {
  const name = 'require_pushed_authorization_requests';
  const claim = claims.get(name) ?? false;
  return typeof claim === 'boolean' ? accepted(claim) : refused(name, 'must be true or false');
}
