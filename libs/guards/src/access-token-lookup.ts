import type { AsymmetricAlgorithm } from '#libs/jws';

/** A valid access token: not expired, not revoked, and its client is active and has its grant. */
export interface ActiveAccessToken {
  readonly clientId: string;
  readonly grantType: 'client_credentials' | 'authorization_code';
  readonly scope: readonly string[];
  /** x5t#S256 of the certificate the token is bound to (RFC 8705 s3) */
  readonly certificateThumbprint: string;
  /** the intent that the customer authorised; only for authorization_code */
  readonly consentId?: string;
  readonly psuId?: string;
  readonly expiresAt: Date;
  readonly orgId: string;
  readonly softwareId: string;
  readonly jwksUri: string;
  /** address of the client's revoked keys */
  readonly jwksRevokedUri?: string;
  /** algorithms with which the client may sign its requests: PS256, and ES256 where it registered it */
  readonly signingAlgorithms: readonly AsymmetricAlgorithm[];
  readonly organisationIdentifier?: string;
}

/** Port: what the bearer token guard needs of the token store. */
export abstract class AccessTokenLookup {
  /**
   * @param token as the caller sent it
   * @returns undefined if the token is not valid: unknown, expired, revoked, or its client is suspended or deleted,
   * or has given up its grant
   */
  abstract find(token: string): Promise<ActiveAccessToken | undefined>;
}
