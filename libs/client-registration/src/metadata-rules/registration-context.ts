import type { X509Certificate } from 'node:crypto';
import type { AsymmetricAlgorithm } from '#libs/jws';
import type { FapiProfile, ProfileSettings } from '#libs/oauth';
import type { RegisteringSoftware } from '../registering-software.js';
import type { RegistrationClaims } from '../request/registration-claims.js';

/** What the rules hold the claims against. */
export interface RegistrationContext {
  claims: RegistrationClaims;
  software: RegisteringSoftware;
  /** values of `aud` that mean this service */
  audience: readonly string[];
  /** methods that this bank lets clients register; all without it */
  tokenEndpointAuthMethods?: readonly string[];
  /** profiles that this bank lets clients choose */
  fapiProfiles: readonly string[];
  /** what the bank decides about the security profile */
  profile: ProfileSettings;
  /** what a request without `scope` gets: all that is permitted without it */
  defaultScope?: 'permitted' | 'refuse';
  /** what becomes of a word of `scope` that is none of ours: refused without it */
  unknownScope?: 'refuse' | 'drop';
  /** whether `iss` may be the host of the software's pages instead of its id */
  acceptHostIssuer?: boolean;
  /** names that no client may have, nor one that looks like them */
  reservedClientNames?: readonly string[];
  /** redirect URIs on the customer's own machine that may be registered nevertheless */
  loopbackRedirectUris?: readonly string[];
  /** algorithms of the keys that sign ID tokens */
  idTokenAlgorithms: readonly AsymmetricAlgorithm[];
  /** certificate of the connection, verified */
  certificate: X509Certificate;
  /** the client that is replaced; undefined when a new one is registered */
  clientId?: string;
  /** of that client */
  fapiProfile?: FapiProfile;
  now: Date;
}
