import { fapiProfiles, isDemanded, isLaterProfile, profileOf, type Demand, type FapiProfile } from '#libs/oauth';
import { accepted, refused, type Checked } from '../checked.js';
import { isOneOf } from './claim-values.js';
import type { RegistrationContext } from './registration-context.js';

/**
 * `fapi_profile`: one that the bank lets clients choose. Without it a new client gets the bank's first. An existing
 * client may repeat its own, omit it, or choose a stricter one, but no weaker one: that would remove requirements on
 * which the bank relies.
 */
export function verifyFapiProfile(context: RegistrationContext): Checked<FapiProfile | undefined> {
  const claim = context.claims.get('fapi_profile');
  const current = currentProfile(context);
  if (current !== undefined && (claim === undefined || claim === current)) return accepted(undefined);
  if (claim === undefined) return accepted(context.profile.fapiProfiles[0]);
  const offered = fapiProfiles.filter(
    (name) => context.fapiProfiles.includes(name) && (current === undefined || isLaterProfile(name, current)),
  );
  if (isOneOf(offered, claim)) return accepted(claim);
  const allowed = current === undefined ? offered : [current, ...offered];
  return refused('fapi_profile', `must be ${allowed.join(' or ')}: the bank sets any other`);
}

/** Whether the profile chosen in this request requires something of the other claims. */
export function isDemandedByChoice(demand: Demand, context: RegistrationContext): boolean {
  return isDemandedIn(chosenProfile(context), demand, context);
}

/** Whether the client's resulting profile requires something of the other claims. */
export function isDemandedByProfile(demand: Demand, context: RegistrationContext): boolean {
  return isDemandedIn(chosenProfile(context) ?? currentProfile(context), demand, context);
}

function isDemandedIn(fapiProfile: FapiProfile | undefined, demand: Demand, { profile }: RegistrationContext): boolean {
  return fapiProfile !== undefined && isDemanded(demand, { fapiProfile }, profile);
}

function chosenProfile(context: RegistrationContext): FapiProfile | undefined {
  const checked = verifyFapiProfile(context);
  return 'faults' in checked ? undefined : checked.value;
}

/** The profile of the client that is replaced. */
function currentProfile({ clientId, fapiProfile, profile }: RegistrationContext): FapiProfile | undefined {
  return clientId === undefined ? undefined : profileOf({ ...(fapiProfile && { fapiProfile }) }, profile);
}

/** `require_pushed_authorization_requests` (RFC 9126 s6): false unless it is sent. */
export function verifyRequirePushedAuthorizationRequests({ claims }: RegistrationContext): Checked<boolean> {
  const name = 'require_pushed_authorization_requests';
  const claim = claims.get(name) ?? false;
  return typeof claim === 'boolean' ? accepted(claim) : refused(name, 'must be true or false');
}
