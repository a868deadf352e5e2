import type { FapiProfile, OAuthClient } from '#libs/oauth';

/** Verified metadata of a client (RFC 7591 s2), in the values that the protocol works with. */
export interface ClientMetadata {
  redirectUris: string[];
  grantTypes: string[];
  responseTypes: OAuthClient['responseTypes'][number][];
  /** as sent, including the order of words */
  scope: string;
  tokenEndpointAuthMethod: OAuthClient['tokenEndpointAuthMethod'];
  tokenEndpointAuthSigningAlg?: NonNullable<OAuthClient['tokenEndpointAuthSigningAlg']>;
  idTokenSignedResponseAlg: OAuthClient['idTokenSignedResponseAlg'];
  requestObjectSigningAlg: OAuthClient['requestObjectSigningAlg'];
  authorizationSignedResponseAlg?: NonNullable<OAuthClient['authorizationSignedResponseAlg']>;
  /** undefined: not requested, so the bank's setting stays */
  fapiProfile?: FapiProfile;
  requirePushedAuthorizationRequests: boolean;
  /** as it was sent, or derived from the certificate */
  tlsClientAuthSubjectDn?: string;
  request: RegistrationRequestClaims;
}

/** Members of the request that are stored only to be returned. */
export interface RegistrationRequestClaims {
  iss: string;
  /** seconds since 1970 */
  iat: number;
  exp: number;
  /** the first, of several */
  aud: string;
  jti: string;
  applicationType: string;
  softwareStatement: string;
  /** whether the subject was sent under its older name `tls_client_auth_dn` */
  usesOlderSubjectName: boolean;
}
