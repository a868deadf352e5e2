/** The stored part of every access token (RFC 6749 s1.4); only its client knows the token itself. */
export interface NewAccessToken {
  /** the hash of the token (`hashToken`) */
  tokenHash: Buffer;
  clientId: string;
  scope: readonly string[];
  /** `x5t#S256` of the certificate the token is bound to (RFC 8705 s3.1): there are no unbound tokens */
  certificateThumbprint: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** The part of a verified client assertion that makes it usable once (RFC 7523 s3 item 7). */
export interface ClientAssertionId {
  jti: string;
  /** its `exp` */
  expiresAt: Date;
}
