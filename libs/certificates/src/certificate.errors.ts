/** Why a certificate was not accepted; for the log, never for the peer. */
export type CertificateFault =
  | 'malformed'
  | 'not-yet-valid'
  | 'expired'
  | 'no-path'
  | 'not-a-certificate-authority'
  | 'path-length'
  | 'signature'
  | 'weak-algorithm'
  | 'critical-extension'
  | 'key-usage'
  | 'extended-key-usage'
  | 'other-software';

/** A certificate that must not be trusted. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';

  /**
   * @param reason what is wrong with the certificate
   * @param message the same for a human reader; holds no personal data
   */
  constructor(
    readonly reason: CertificateFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Why a revocation list or an OCSP answer is unusable; for the log. */
export type RevocationFault =
  'malformed' | 'other-issuer' | 'signature' | 'not-yet-valid' | 'expired' | 'critical-extension' | 'no-answer';

/** A revocation list or an OCSP answer that must not be trusted. */
export class RevocationError extends Error {
  override readonly name = 'RevocationError';

  constructor(
    readonly reason: RevocationFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A text that is not a distinguished name (RFC 4514), or a name with values that are not text. */
export class DistinguishedNameError extends Error {
  override readonly name = 'DistinguishedNameError';
}
