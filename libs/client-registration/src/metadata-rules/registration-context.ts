import type { X509Certificate } from 'node:crypto';
import type { AsymmetricAlgorithm } from '#libs/jws';
import type { FapiProfile, ProfileSettings } from '#libs/oauth';
import type { RegisteringSoftware } from '../registering-software.js';
import type { RegistrationClaims } from '../request/registration-claims.js';

/** What the rules compare the claims with. */
export interface RegistrationContext {
  claims: RegistrationClaims;
  software: RegisteringSoftware;
  /** values of `aud` that mean this service */
  audience: readonly string[];
  /** methods that this bank lets clients register; default: all */
  tokenEndpointAuthMethods?: readonly string[];
  /** profiles that this bank lets clients choose */
  fapiProfiles: readonly string[];
  /** the bank's settings of the security profile */
  profile: ProfileSettings;
  /** scope of a request without `scope`; default: everything permitted */
  defaultScope?: 'permitted' | 'refuse';
  /** what happens to unknown words of `scope`; default: refuse */
  unknownScope?: 'refuse' | 'drop';
  /** whether `iss` may be the host of the software's pages instead of its id */
  acceptHostIssuer?: boolean;
  /** names that no client may have, nor similar ones */
  reservedClientNames?: readonly string[];
  /** allowed redirect URIs on the customer's own machine */
  loopbackRedirectUris?: readonly string[];
  /** algorithms of the keys that sign ID tokens */
  idTokenAlgorithms: readonly AsymmetricAlgorithm[];
  /** certificate of the connection, verified */
  certificate: X509Certificate;
  /** the client that is replaced; undefined if a new one is registered */
  clientId?: string;
  /** of that client */
  fapiProfile?: FapiProfile;
  now: Date;
}
