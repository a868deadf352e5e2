import type { AsymmetricAlgorithm, VerificationKey } from '#libs/jws';

/** The authentication methods of the token endpoint, by their IANA names. */
export type TokenEndpointAuthMethod =
  'client_secret_basic' | 'client_secret_post' | 'client_secret_jwt' | 'private_key_jwt' | 'tls_client_auth';

/** `code` is the authorization code flow, `code id_token` the hybrid flow (OIDC Core s3). */
export type ResponseType = 'code' | 'code id_token';

/** A registered client, as far as the protocol rules need to know it (RFC 7591 s2). */
export interface OAuthClient {
  clientId: string;
  orgId: string;
  softwareId: string;
  clientName: string;
  orgName: string;
  redirectUris: readonly string[];
  grantTypes: readonly string[];
  responseTypes: readonly ResponseType[];
  scope: readonly string[];
  tokenEndpointAuthMethod: TokenEndpointAuthMethod;
  /** Of private_key_jwt; PS256 if absent. client_secret_jwt is always HS256. */
  tokenEndpointAuthSigningAlg?: AsymmetricAlgorithm | 'HS256';
  idTokenSignedResponseAlg: AsymmetricAlgorithm;
  requestObjectSigningAlg: AsymmetricAlgorithm;
  /** RFC 4514 text, for tls_client_auth. */
  tlsClientAuthSubjectDn?: string;
  jwksUri: string;
  /** Of the keys that the directory has revoked. */
  jwksRevokedUri?: string;
  /** HMAC-SHA-256(pepper, secret), 32 octets. */
  secretHash: Buffer;
  /** Only for client_secret_jwt, which needs the secret itself as HMAC key. */
  secretEncrypted?: string;
  /** True: client assertions must name the issuer, alone, as audience (RFC 10070). */
  requireIssuerAudience?: boolean;
}

/**
 * Finds the keys of a client's software JWKS that may carry a signature. It may return more than fits: use, alg, kid and key type are
 * checked again. No keys known: an empty array. It may throw an OAuthError, which passes through; anything else it throws becomes
 * TemporarilyUnavailableError. An unknown `kid` is the occasion to load the set again.
 */
export type ClientKeyFinder = (
  client: OAuthClient,
  query: { algorithm: AsymmetricAlgorithm; kid?: string },
) => Promise<readonly VerificationKey[]>;
