/**
 * What clients may register and what discovery announces: the same lists, so that the two cannot differ. The bank
 * prefers the first entry of each list.
 */

/** By their IANA names. */
export const tokenEndpointAuthMethods = [
  'tls_client_auth',
  'private_key_jwt',
  'client_secret_jwt',
  'client_secret_basic',
  'client_secret_post',
] as const;

/** Hybrid flow and authorization code flow (OIDC Core s3). */
export const responseTypes = ['code id_token', 'code'] as const;

/** Grants that the token endpoint serves. Only approvals that last have refresh tokens (RFC 6749 s1.5). */
export const grantTypes = ['authorization_code', 'client_credentials', 'refresh_token'] as const;

export const scopes = ['openid', 'accounts', 'payments', 'fundsconfirmations'] as const;

/** FAPI 1.0 Advanced s8.6: neither RS256 nor none. */
export const asymmetricAlgorithms = ['PS256', 'ES256'] as const;

/** Algorithms of client assertions; HS256 only for client_secret_jwt. */
export const tokenEndpointAuthSigningAlgs = [...asymmetricAlgorithms, 'HS256'] as const;

/** `mobile` until version 3.3 of the standard, `native` since. */
export const applicationTypes = ['web', 'mobile', 'native'] as const;
