import type { AsymmetricAlgorithm, VerificationKey } from '#libs/jws';

/** The authentication methods of the token endpoint, by their IANA names. */
export type TokenEndpointAuthMethod =
  'client_secret_basic' | 'client_secret_post' | 'client_secret_jwt' | 'private_key_jwt' | 'tls_client_auth';

/** `code` is the authorization code flow, `code id_token` the hybrid flow (OIDC Core s3). */
export type ResponseType = 'code' | 'code id_token';

/** The security profile that a client follows. By default it is FAPI 1.0 Advanced, as in the UK profile. */
export type FapiProfile = (typeof fapiProfiles)[number];

export const fapiProfiles = ['fapi1-advanced', 'fapi2-security', 'fapi2-message-signing'] as const;

/** A registered client, as far as the protocol rules need to know it (RFC 7591 s2). */
export interface OAuthClient {
  clientId: string;
  orgId: string;
  softwareId: string;
  clientName: string;
  orgName: string;
  /** its number in the register of its competent authority (ETSI TS 119 495) */
  organisationIdentifier?: string;
  /** for whom it acts as an agent (software_on_behalf_of_org) */
  onBehalfOfOrg?: string;
  redirectUris: readonly string[];
  grantTypes: readonly string[];
  responseTypes: readonly ResponseType[];
  scope: readonly string[];
  tokenEndpointAuthMethod: TokenEndpointAuthMethod;
  /** Algorithm of private_key_jwt; PS256 if absent. client_secret_jwt is always HS256. */
  tokenEndpointAuthSigningAlg?: AsymmetricAlgorithm | 'HS256';
  idTokenSignedResponseAlg: AsymmetricAlgorithm;
  requestObjectSigningAlg: AsymmetricAlgorithm;
  /**
   * Algorithm of authorization responses as a JWT (JARM s3). Absent: the client registered none; PS256 if it asks for a
   * JWT.
   */
  authorizationSignedResponseAlg?: AsymmetricAlgorithm;
  /** RFC 4514 text, for tls_client_auth. */
  tlsClientAuthSubjectDn?: string;
  jwksUri: string;
  /** Key ids that the directory has revoked. */
  jwksRevokedUri?: string;
  /** HMAC-SHA-256(pepper, secret), 32 bytes, and the id of the pepper. */
  secretHash: Buffer;
  /** Only for client_secret_jwt, which needs the secret itself as HMAC key. */
  secretEncrypted?: string;
  /** True: client assertions must name only the issuer as audience (RFC 10070). */
  requireIssuerAudience?: boolean;
  /** absent: FAPI 1.0 Advanced */
  fapiProfile?: FapiProfile;
  /** True: the client starts authorizations by pushed requests only (RFC 9126 s6). */
  requirePushedAuthorizationRequests?: boolean;
}

/**
 * Finds the keys of a client's software JWKS that may carry a signature: `use` sig, this kid if one is given, fit for
 * the algorithm. No such key: an empty array. It may throw an OAuthError, which passes through; anything else it throws
 * becomes TemporarilyUnavailableError. An unknown `kid` triggers a reload of the set.
 */
export type ClientKeyFinder = (
  client: OAuthClient,
  query: { algorithm: AsymmetricAlgorithm; kid?: string },
) => Promise<readonly VerificationKey[]>;
