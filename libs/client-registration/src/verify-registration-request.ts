import { faultsOf, valueOf } from './checked.js';
import type { ClientMetadata } from './client-metadata.js';
import {
  verifyApplicationType,
  verifyAuthorizationSignedResponseAlg,
  verifyIdTokenSignedResponseAlg,
  verifyRequestObjectSigningAlg,
} from './metadata-rules/algorithms-and-type.js';
import { verifyClientName } from './metadata-rules/client-name.js';
import { verifyGrantTypes, verifyResponseTypes } from './metadata-rules/grant-and-response-types.js';
import {
  verifyAudience,
  verifyClientId,
  verifyIssuer,
  verifyJwtId,
  verifySoftwareId,
} from './metadata-rules/parties.js';
import { verifyFapiProfile, verifyRequirePushedAuthorizationRequests } from './metadata-rules/profile.js';
import { verifyRedirectUris } from './metadata-rules/redirect-uris.js';
import type { RegistrationContext } from './metadata-rules/registration-context.js';
import { verifyScope } from './metadata-rules/scope.js';
import { verifyTimes } from './metadata-rules/times.js';
import { verifyTokenEndpointAuthentication } from './metadata-rules/token-endpoint-authentication.js';
import { RegistrationError } from './registration.errors.js';

/**
 * Verifies the claims of a registration request whose signature and software statement have been verified (Open Banking
 * DCR, OBClientRegistrationRequest1; RFC 7591 s2). Unknown claims are ignored.
 * @throws RegistrationError with all faults
 */
export function verifyRegistrationRequest(context: RegistrationContext): ClientMetadata {
  const outcomes = {
    iss: verifyIssuer(context),
    times: verifyTimes(context),
    aud: verifyAudience(context),
    jti: verifyJwtId(context),
    clientId: verifyClientId(context),
    redirectUris: verifyRedirectUris(context),
    authentication: verifyTokenEndpointAuthentication(context),
    grantTypes: verifyGrantTypes(context),
    responseTypes: verifyResponseTypes(context),
    softwareId: verifySoftwareId(context),
    clientName: verifyClientName(context),
    scope: verifyScope(context),
    applicationType: verifyApplicationType(context),
    idTokenSignedResponseAlg: verifyIdTokenSignedResponseAlg(context),
    requestObjectSigningAlg: verifyRequestObjectSigningAlg(context),
    authorizationSignedResponseAlg: verifyAuthorizationSignedResponseAlg(context),
    fapiProfile: verifyFapiProfile(context),
    requirePushedAuthorizationRequests: verifyRequirePushedAuthorizationRequests(context),
  };
  const [first, ...others] = faultsOf(Object.values(outcomes));
  if (first !== undefined) throw new RegistrationError([first, ...others]);
  const fapiProfile = valueOf(outcomes.fapiProfile);
  const authorizationSignedResponseAlg = valueOf(outcomes.authorizationSignedResponseAlg);
  return {
    redirectUris: valueOf(outcomes.redirectUris),
    grantTypes: valueOf(outcomes.grantTypes),
    responseTypes: valueOf(outcomes.responseTypes),
    scope: valueOf(outcomes.scope),
    ...valueOf(outcomes.authentication),
    idTokenSignedResponseAlg: valueOf(outcomes.idTokenSignedResponseAlg),
    requestObjectSigningAlg: valueOf(outcomes.requestObjectSigningAlg),
    ...(authorizationSignedResponseAlg !== undefined && { authorizationSignedResponseAlg }),
    ...(fapiProfile !== undefined && { fapiProfile }),
    requirePushedAuthorizationRequests: valueOf(outcomes.requirePushedAuthorizationRequests),
    request: {
      iss: valueOf(outcomes.iss),
      ...valueOf(outcomes.times),
      aud: valueOf(outcomes.aud),
      jti: valueOf(outcomes.jti),
      applicationType: valueOf(outcomes.applicationType),
      softwareStatement: context.software.compact,
      usesOlderSubjectName: context.claims.nameOf('tls_client_auth_subject_dn') === 'tls_client_auth_dn',
    },
  };
}
